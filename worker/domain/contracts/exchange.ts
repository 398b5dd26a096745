import { applyDiscountToLinesAndExtras } from "#domain/bookings/discounts.ts";
import { calculateRentalTotals } from "#domain/bookings/draft.ts";
import type { InvalidInput } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { findImprobableKilometres, type ImprobableOdometerReading } from "#domain/contracts/readings.ts";
import type { Cents } from "#domain/money.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { AgreedContract } from "./change.ts";
import type { Contract, ContractUnit } from "./contract.ts";
import { toAgreedContract } from "./in-progress.ts";
import type { VehicleExchangeRequest } from "./requests.ts";

/** Returns the unit with the vehicle to exchange: the given one, otherwise one that is out. */
export function findUnitToExchange({ units }: Contract, unitId: number | undefined): ContractUnit | undefined {
  return units.find(
    ({ id, deliveredAt, collectedAt }) =>
      deliveredAt !== undefined && collectedAt === undefined && (unitId === undefined || id === unitId),
  );
}

/**
 * Returns the unconfirmed reading of an exchange that is probably a typing error
 * (docs/interfaces/check-in.md#readings). Undefined if there is none.
 */
export function findImprobableExchangeReading(
  { reference, deliveryKilometres, deliveredAt }: ContractUnit,
  exchange: VehicleExchangeRequest,
  {
    at,
    vehicleKilometres,
    kilometresADay,
  }: { readonly at: number; readonly vehicleKilometres: number; readonly kilometresADay: number },
): InvalidInput<"kilometres_in" | "kilometres_out"> | undefined {
  if (exchange.hasConfirmedReadings) return undefined;
  const both = { at, collectedAt: undefined, kilometresADay };
  const back = findImprobableKilometres(exchange.kilometresIn, {
    ...{ ...both, kind: "collection", vehicleKilometres: undefined, deliveryKilometres, deliveredAt },
  });
  if (back) return createImprobableReadingError("kilometres_in", back, reference ?? "");
  const out = findImprobableKilometres(exchange.kilometresOut, {
    ...{ ...both, kind: "delivery", vehicleKilometres, deliveryKilometres: undefined, deliveredAt: undefined },
  });
  return out && createImprobableReadingError("kilometres_out", out, exchange.reference);
}

/** Returns the question to staff about an implausible reading. */
export function createImprobableReadingError<Name extends "kilometres" | "kilometres_in" | "kilometres_out">(
  field: Name,
  { code, before }: ImprobableOdometerReading,
  reference: string,
): InvalidInput<Name> {
  const problemCode = code === "kilometres_lower" ? "kilometres_lower" : "kilometres_unlikely";
  return { kind: "invalid", field, reason: createReason(problemCode, before, reference) };
}

/**
 * Charges a contract in progress for a better vehicle. Its line price increases, its category stays as agreed
 * (docs/interfaces/rules.md#exchanging-a-vehicle).
 */
export function addVehicleUpgradePrice(
  catalogue: Catalogue,
  contract: Contract,
  { unitId, upgradeCents }: { readonly unitId: number | undefined; readonly upgradeCents: Cents },
): Result<AgreedContract, InvalidInput<"upgrade_price">> {
  const lineId = findUnitToExchange(contract, unitId)?.lineId;
  const agreed = toAgreedContract(catalogue, contract);
  const quantity = agreed.lines.find(({ id }) => id === lineId)?.quantity ?? 1;
  if (upgradeCents % quantity !== 0) {
    return err({ kind: "invalid", field: "upgrade_price", reason: createReason("share_equally", quantity) });
  }
  const upgraded = agreed.lines.map((line) =>
    line.id === lineId ? { ...line, unitCents: line.unitCents + upgradeCents / quantity } : line,
  );
  const discounted = applyDiscountToLinesAndExtras(upgraded, agreed.extras, contract.discount);
  const totals = calculateRentalTotals(catalogue, contract.totals, discounted.lines, discounted.extras);
  return ok({ ...agreed, ...discounted, totals });
}
