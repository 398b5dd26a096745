import { applyDiscountToLinesAndExtras } from "#domain/bookings/discounts.ts";
import { calculateRentalTotals } from "#domain/bookings/draft.ts";
import type { InvalidInput } from "#domain/bookings/refusals.ts";
import { isBranchOpenAt } from "#domain/bookings/rental-terms.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { type CivilDate, countRentalDays, type TimeText, toCivilMinute, toSpan } from "#domain/dates.ts";
import { type Cents, divideRounded } from "#domain/money.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { AgreedContract, AgreedLine } from "./change.ts";
import { type AgreedExtra, toAgreedExtra } from "./change-extras.ts";
import type { ActionTime, Contract } from "./contract.ts";

/** New return time of a contract in progress. */
export interface NewReturnTime {
  readonly dateTo: CivilDate;
  readonly timeTo: TimeText;
}

/**
 * Extends a contract in progress. Each extra day costs the contract's daily price, as a late return does
 * (docs/interfaces/rules.md#extending-and-early-return).
 */
export function extendContract(
  catalogue: Catalogue,
  contract: Contract,
  to: NewReturnTime,
  time: ActionTime,
): Result<AgreedContract, InvalidInput> {
  const { endsAt } = toSpan(contract.period);
  const returnAt = toCivilMinute(to.dateTo, to.timeTo);
  const refusalReason =
    returnAt <= endsAt
      ? createReason("return_not_later")
      : returnAt < time.civil
        ? createReason("return_in_past")
        : undefined;
  if (refusalReason) return err({ kind: "invalid", field: "dateTo", reason: refusalReason });
  const days = countRentalDays({ ...contract.period, ...to }, catalogue.settings.graceMinutes);
  const { maximumDays } = catalogue.settings;
  const reason = createReason("maximum_days", maximumDays);
  // The vehicle is out, so a manager may extend the rental beyond the longest one.
  const brokenRules =
    days > maximumDays ? [{ kind: "invalid", field: "dateTo", reason, isWarningOnly: false } as const] : [];
  return ok({ ...withReturn(catalogue, contract, to, Math.max(days, contract.days)), brokenRules });
}

/**
 * Ends a contract in progress early. Unused days are refunded if the account's rule allows it. A started day counts as
 * used. The return may be in the past, because a vehicle in the key box is found later.
 */
export function endContractEarly(
  catalogue: Catalogue,
  contract: Contract,
  to: NewReturnTime,
): Result<AgreedContract, InvalidInput> {
  const { startsAt, endsAt } = toSpan(contract.period);
  const returnAt = toCivilMinute(to.dateTo, to.timeTo);
  const refusalReason =
    returnAt >= endsAt
      ? createReason("return_not_earlier")
      : returnAt <= startsAt
        ? createReason("return_not_after_pickup")
        : undefined;
  if (refusalReason) return err({ kind: "invalid", field: "dateTo", reason: refusalReason });
  const days = countRentalDays({ ...contract.period, ...to }, catalogue.settings.graceMinutes);
  const isRefunded = catalogue.settings.earlyReturnRefund === "unused_days";
  return ok(withReturn(catalogue, contract, to, isRefunded ? days : contract.days));
}

/** Returns a contract in progress as agreed, with all totals. */
export function toAgreedContract(catalogue: Catalogue, contract: Contract): AgreedContract {
  const { dateTo, timeTo } = contract.period;
  return withReturn(catalogue, contract, { dateTo, timeTo }, contract.days);
}

function withReturn(catalogue: Catalogue, contract: Contract, to: NewReturnTime, days: number): AgreedContract {
  const more = days - contract.days;
  const listLines = contract.lines.flatMap((line) => linesForDays(contract, line, more));
  const listExtras = contract.extras.map((extra): AgreedExtra => {
    const unitCents = extraForDays(catalogue, contract, extra, more);
    return { ...toAgreedExtra(contract, extra), unitCents, extraCents: unitCents * extra.quantity };
  });
  const { lines, extras, discount } = applyDiscountToLinesAndExtras(listLines, listExtras, contract.discount);
  const additionalParts = {
    ...contract.totals,
    timeToCents: returnHours(catalogue, contract, to),
    driverAgeCents: driverForDays(catalogue, contract, more),
  };
  return {
    period: { ...contract.period, ...to },
    days,
    pickupPlace: { id: contract.pickupPlaceId, name: contract.pickupPlace },
    returnPlace: { id: contract.returnPlaceId, name: contract.returnPlace },
    branchCode: contract.branchCode,
    returnBranchCode: contract.returnBranchCode,
    branchGroupId: contract.branchGroupId,
    promotionCode: contract.promotionCode,
    driverAge: contract.driverAge,
    driverAgeRuleId: contract.driverAgeRuleId,
    lines,
    extras,
    totals: calculateRentalTotals(catalogue, additionalParts, lines, extras),
    discount,
  };
}

// Returned units don't pay for extra days. If others of their line do, these get a separate line.
function linesForDays(contract: Contract, line: Contract["lines"][number], more: number): readonly AgreedLine[] {
  const unitCents = forDays(line.unitCents, contract.days, more);
  const agreed = { ...line, vat: contract.vatByLine.get(line.id) ?? 0 };
  const longer = { ...agreed, unitBaseCents: forDays(line.unitBaseCents, contract.days, more), unitCents };
  const units = contract.units.filter(({ lineId }) => lineId === line.id);
  const back = units.filter(({ collectedAt }) => collectedAt !== undefined).map(({ id }) => id);
  if (more === 0 || back.length === line.quantity) return [agreed];
  if (back.length === 0) return [{ ...longer, itemCents: unitCents * line.quantity }];
  const out = units.map(({ id }) => id).filter((id) => !back.includes(id));
  return [
    { ...agreed, quantity: back.length, itemCents: line.unitCents * back.length, unitIds: back },
    { ...longer, id: undefined, quantity: out.length, itemCents: unitCents * out.length, unitIds: out },
  ];
}

// Adds or removes days of an amount for all days, at its daily price.
function forDays(cents: Cents, days: number, more: number): Cents {
  return Math.max(0, cents + divideRounded(cents, days) * more);
}

function extraForDays(
  catalogue: Catalogue,
  contract: Contract,
  { extraCode, unitCents, chargedOn }: Contract["extras"][number],
  more: number,
): Cents {
  const extra = catalogue.extras.get(extraCode);
  if (extra?.pricePer !== "day" || chargedOn !== undefined) return unitCents;
  const { maximumPriceCents: maximum } = extra;
  if (maximum !== undefined && unitCents >= maximum && more > 0) return unitCents;
  const cents = forDays(unitCents, contract.days, more);
  return maximum === undefined ? cents : Math.min(maximum, cents);
}

function driverForDays(
  { driverAgeRules }: Catalogue,
  { totals, days, driverAgeRuleId }: Contract,
  more: number,
): Cents {
  const rule = driverAgeRules.find(({ id }) => id === driverAgeRuleId);
  return rule?.costPer === "day" ? forDays(totals.driverAgeCents, days, more) : totals.driverAgeCents;
}

function returnHours({ branches, settings }: Catalogue, contract: Contract, to: NewReturnTime): Cents {
  const { dateTo, timeTo } = contract.period;
  const branch = branches.get(contract.returnBranchCode);
  if (!branch || (dateTo === to.dateTo && timeTo === to.timeTo)) return contract.totals.timeToCents;
  return isBranchOpenAt(branch, to.dateTo, to.timeTo) ? 0 : settings.outOfHoursReturnCents;
}
