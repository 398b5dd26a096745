import { addUpParts } from "#domain/bookings/draft.ts";
import type { InvalidInput } from "#domain/bookings/refusals.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { findImprobable, type ImprobableReading } from "#domain/check-in/readings.ts";
import type { Cents } from "#domain/money.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { AgreedContract } from "./change.ts";
import type { Contract, ContractUnit } from "./contract.ts";
import { toAgreedContract } from "./in-progress.ts";
import type { Exchange } from "./requests.ts";

/** The rule that an exchange of a unit breaks that nobody has by now, or not yet. */
export const UNIT_NOT_OUT = "the vehicle that it names is not out";

/** The unit whose vehicle is exchanged: the one that is named, else one that is out. */
export function findUnitToExchange({ units }: Contract, unitId: number | undefined): ContractUnit | undefined {
  return units.find(
    ({ id, deliveredAt, collectedAt }) =>
      deliveredAt !== undefined && collectedAt === undefined && (unitId === undefined || id === unitId),
  );
}

/**
 * The reading of an exchange that nobody confirmed and that is more likely a slip of the finger than the truth
 * (docs/interfaces/check-in.md#readings); undefined where there is none.
 */
export function findImprobableExchange(
  { reference, deliveryKilometres, deliveredAt }: ContractUnit,
  exchange: Exchange,
  {
    at,
    vehicleKilometres,
    kilometresADay,
  }: { readonly at: number; readonly vehicleKilometres: number; readonly kilometresADay: number },
): InvalidInput<"kilometres_in" | "kilometres_out"> | undefined {
  if (exchange.hasConfirmedReadings) return undefined;
  const both = { at, collectedAt: undefined, kilometresADay };
  const back = findImprobable(exchange.kilometresIn, {
    ...{ ...both, kind: "collection", vehicleKilometres: undefined, deliveryKilometres, deliveredAt },
  });
  if (back) return improbable("kilometres_in", back, reference ?? "");
  const out = findImprobable(exchange.kilometresOut, {
    ...{ ...both, kind: "delivery", vehicleKilometres, deliveryKilometres: undefined, deliveredAt: undefined },
  });
  return out && improbable("kilometres_out", out, exchange.reference);
}

/** What somebody at the desk is asked about a reading that is improbable. */
export function improbable<Name extends "kilometres" | "kilometres_in" | "kilometres_out">(
  field: Name,
  { code, before }: ImprobableReading,
  reference: string,
): InvalidInput<Name> {
  const sentence = code === "kilometres_lower" ? "is less than" : "is far more than";
  const reason = `${sentence} the ${before} km that ${reference} showed last: send readings_confirmed where it is right`;
  return { kind: "invalid", field, reason };
}

/**
 * A contract in progress that pays for a better vehicle: its line costs so much more, its category stays as it was
 * agreed (docs/interfaces/rules.md#exchanging-a-vehicle).
 */
export function upgradeContract(
  catalogue: Catalogue,
  contract: Contract,
  { unitId, upgradeCents }: { readonly unitId: number | undefined; readonly upgradeCents: Cents },
): Result<AgreedContract, InvalidInput<"upgrade_price">> {
  const lineId = findUnitToExchange(contract, unitId)?.lineId;
  const agreed = toAgreedContract(catalogue, contract);
  const quantity = agreed.lines.find(({ id }) => id === lineId)?.quantity ?? 1;
  if (upgradeCents % quantity !== 0) {
    const reason = `has to be shared out equally over the ${quantity} units of the line`;
    return err({ kind: "invalid", field: "upgrade_price", reason });
  }
  const lines = agreed.lines.map((line) =>
    line.id === lineId
      ? { ...line, unitCents: line.unitCents + upgradeCents / quantity, itemCents: line.itemCents + upgradeCents }
      : line,
  );
  return ok({ ...agreed, lines, totals: addUpParts(catalogue, contract.totals, lines, agreed.extras) });
}
