import type { LedgerSource } from "#domain/reporting/ledger-source.ts";
import type { AgreedContract } from "./change.ts";
import { toAgreedExtra } from "./change-extras.ts";
import type { Contract } from "./contract.ts";

/** Converts a contract to its ledger form, with newly agreed data and these closing totals (minor units). */
export function toLedgerSource(
  contract: Contract,
  agreed: Pick<AgreedContract, "lines" | "extras" | "days" | "period" | "totals">,
  closingCents: Contract["closingCents"],
): LedgerSource {
  const { totals } = agreed;
  return {
    bookingId: contract.id,
    isCounted: contract.status === "in_progress" || contract.status === "done",
    dateFrom: agreed.period.dateFrom,
    days: agreed.days,
    branchCode: contract.branchCode,
    customerType: contract.customerType,
    lines: agreed.lines.map((line) => ({
      itemCents: line.itemCents,
      vat: line.vat,
      categorySupplementCents: line.supplementUnitCents.map((cents) => cents * line.quantity),
      units: contract.units
        .filter(({ id, lineId }) => (line.unitIds ? line.unitIds.includes(id) : lineId === line.id))
        .map((unit) => ({
          unitId: unit.id,
          reference: unit.reference ?? null,
          deliveredAt: unit.deliveredAt ?? null,
          collectedAt: unit.collectedAt ?? null,
          deliveryKilometres: unit.deliveryKilometres ?? null,
          collectionKilometres: unit.collectionKilometres ?? null,
          exchanged: unit.exchanged,
        })),
    })),
    extras: agreed.extras.map(({ code, extraCents, vat, chargedOn: on }) => ({ code, cents: extraCents, vat, on })),
    supplementCents: {
      time_from_cost: totals.timeFromCents,
      time_to_cost: totals.timeToCents,
      pickup_place_cost: totals.pickupPlaceCents,
      return_place_cost: totals.returnPlaceCents,
      driver_age_cost: totals.driverAgeCents,
      supplement_1_cost: closingCents[0],
      supplement_2_cost: closingCents[1],
      supplement_3_cost: closingCents[2],
    },
  };
}

/** Returns the agreed data of a contract. */
export function toAgreedLedgerTerms(
  contract: Contract,
): Pick<AgreedContract, "lines" | "extras" | "days" | "period" | "totals"> {
  return {
    days: contract.days,
    period: contract.period,
    totals: contract.totals,
    lines: contract.lines.map((line) => ({
      ...line,
      discountCents: line.discountCents ?? 0,
      vat: contract.vatByLine.get(line.id) ?? 0,
    })),
    extras: contract.extras.map((extra) => toAgreedExtra(contract, extra)),
  };
}
