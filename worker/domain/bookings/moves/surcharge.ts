import type { InvalidInput } from "#domain/bookings/refusals.ts";
import type { Extra } from "#domain/catalogue/catalogue.ts";
import type { CivilDate } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { AgreedExtra } from "./change-extras.ts";

/** What was found after a contract was done: a fine, a toll, damage, a cleaning. */
export interface SurchargeRequest {
  /** Of an extra, which says what it is called, its tax and what it costs where nothing else is said. */
  readonly code: string;
  readonly quantity: number;
  /** What one costs. */
  readonly unitCents: Cents | undefined;
  /** Which one it is: the number of a fine, where the damage is. */
  readonly text: string | undefined;
}

/** An extra by which something can be charged, whether it is sold or not. */
export type ChargeableExtra = Pick<Extra, "code" | "name" | "pricePer" | "priceCents" | "vat">;

/** A charge of a contract that is done, as it is added. */
export interface Surcharge extends AgreedExtra {
  readonly chargedOn: CivilDate;
}

export interface PricedSurcharge {
  readonly surcharge: Surcharge;
  /** Less than the extra costs. */
  readonly givenAwayCents: Cents;
}

// The most that a contract is charged for afterwards at once, in minor units.
const MAX_SURCHARGE_CENTS = 100_000_000_000;

/** What was found, at what it costs; what is paid by the day costs what is said. */
export function priceSurcharge(
  extra: ChargeableExtra | undefined,
  { code, quantity, unitCents, text }: SurchargeRequest,
  chargedOn: CivilDate,
): Result<PricedSurcharge, InvalidInput<"code" | "amount">> {
  if (!extra) return err({ kind: "invalid", field: "code", reason: `there is no extra ${code}` });
  const usualCents = extra.pricePer === "rental" ? extra.priceCents : 0;
  const cents = unitCents ?? usualCents;
  if (unitCents === undefined && usualCents === 0)
    return err({ kind: "invalid", field: "amount", reason: "is required: the extra says none for a rental" });
  if (cents === 0) return err({ kind: "invalid", field: "amount", reason: "must be more than nothing" });
  if (cents * quantity > MAX_SURCHARGE_CENTS) return err({ kind: "invalid", field: "amount", reason: "is too much" });
  const surcharge = {
    ...{ code, quantity, unitCents: cents, extraCents: cents * quantity, vat: extra.vat, chargedOn },
    description: text === undefined ? extra.name : `${extra.name}: ${text}`,
  };
  return ok({ surcharge, givenAwayCents: Math.max(0, usualCents - cents) * quantity });
}
