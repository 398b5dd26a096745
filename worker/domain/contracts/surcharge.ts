import type { InvalidInput } from "#domain/bookings/refusals.ts";
import type { Extra } from "#domain/catalogue/catalogue.ts";
import type { CivilDate } from "#domain/dates.ts";
import { type Cents, sumCents } from "#domain/money.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { AgreedExtra } from "./change-extras.ts";

/** Charge found after a contract was completed: fine, toll, damage, cleaning. */
export interface SurchargeRequest {
  /** Extra with the default name, tax and price. */
  readonly code: string;
  readonly quantity: number;
  /** Price of one unit. */
  readonly unitCents: Cents | undefined;
  /** Details, such as the number of a fine or the position of the damage. */
  readonly text: string | undefined;
  /** Id of the damage for which the customer pays. */
  readonly damageId?: string | undefined;
  /** Number of a damage recorded earlier on the contract. Determines the damage instead of `damageId`. */
  readonly damage?: number | undefined;
}

/** Extra that can be charged, on sale or not. */
export type ChargeableExtra = Pick<Extra, "code" | "name" | "pricePer" | "priceCents" | "vat"> & {
  /** Damage of the contract with the requested number. */
  readonly damageId?: string | null | undefined;
};

/** Charge as added to a contract. */
export interface Surcharge extends AgreedExtra {
  readonly chargedOn: CivilDate;
  readonly damageId?: string | undefined;
}

/** Surcharge with its price. */
export interface PricedSurcharge {
  readonly surcharge: Surcharge;
  /** Amount by which the surcharge is below the price of its extra. */
  readonly forgoneCents: Cents;
}

// Maximum amount of one surcharge, in minor units.
const MAX_SURCHARGE_CENTS = 100_000_000_000;

/** Returns the priced surcharge. Extras with a daily price need a stated amount. */
export function priceSurcharge(
  extra: ChargeableExtra | undefined,
  { code, quantity, unitCents, text, damage, damageId: requestedDamageId }: SurchargeRequest,
  chargedOn: CivilDate,
): Result<PricedSurcharge, InvalidInput<"code" | "amount" | "damage">> {
  if (!extra) return err({ kind: "invalid", field: "code", reason: createReason("no_extra", code) });
  const damageId = damage === undefined ? requestedDamageId : extra.damageId;
  if (damageId === null) return err({ kind: "invalid", field: "damage", reason: createReason("no_damage") });
  const usualCents = extra.pricePer === "rental" ? extra.priceCents : 0;
  const cents = unitCents ?? usualCents;
  if (unitCents === undefined && usualCents === 0)
    return err({ kind: "invalid", field: "amount", reason: createReason("amount_required") });
  if (cents === 0) return err({ kind: "invalid", field: "amount", reason: createReason("positive") });
  if (cents * quantity > MAX_SURCHARGE_CENTS)
    return err({ kind: "invalid", field: "amount", reason: createReason("amount_too_high") });
  const surcharge = {
    ...{ code, quantity, unitCents: cents, extraCents: cents * quantity, vat: extra.vat, chargedOn },
    description: text === undefined ? extra.name : `${extra.name}: ${text}`,
    ...(damageId !== undefined && { damageId }),
  };
  return ok({ surcharge, forgoneCents: Math.max(0, usualCents - cents) * quantity });
}

/** Surcharges of a device's return that are added, and the codes of those that the office must decide on. */
export interface AcceptedSurcharges {
  readonly surcharges: readonly Surcharge[];
  readonly refusedCodes: readonly string[];
}

/**
 * Prices the surcharges of a device one by one, because the customer has left, so that an invalid one stops nothing.
 * Refuses those of unknown damage, and those below the price of their extra unless `mayGiveAway` allows their total.
 */
export function acceptSurcharges(
  extras: readonly ChargeableExtra[],
  requests: readonly SurchargeRequest[],
  { chargedOn, damageIds, mayGiveAway }: SurchargeAcceptance,
): AcceptedSurcharges {
  const attempts = requests.map((request) => {
    const isKnownDamage = request.damageId === undefined || damageIds.includes(request.damageId);
    const extra = isKnownDamage ? extras.find(({ code }) => code === request.code) : undefined;
    const priced = priceSurcharge(extra, request, chargedOn);
    return { code: request.code, priced: priced.ok ? priced.value : undefined };
  });
  const isAllowed = mayGiveAway(sumCents(attempts.map(({ priced }) => priced?.forgoneCents ?? 0)));
  const isAccepted = ({ priced }: (typeof attempts)[number]) =>
    priced !== undefined && (isAllowed || priced.forgoneCents === 0);
  return {
    surcharges: attempts.flatMap((attempt) =>
      isAccepted(attempt) && attempt.priced ? [attempt.priced.surcharge] : [],
    ),
    refusedCodes: attempts.filter((attempt) => !isAccepted(attempt)).map(({ code }) => code),
  };
}

interface SurchargeAcceptance {
  readonly chargedOn: CivilDate;
  /** Damage that the return reports. */
  readonly damageIds: readonly string[];
  /** Whether the user may charge less than the extras' prices by this amount. */
  readonly mayGiveAway: (cents: Cents) => boolean;
}

/** Priced surcharges of a return. */
export interface PricedSurcharges {
  readonly surcharges: readonly Surcharge[];
  /** Amount by which the surcharges are below the prices of their extras. */
  readonly forgoneCents: Cents;
}

/** Prices the surcharges of a return, or names the first wrong one as `surcharges.<index>.<field>`. */
export function priceSurcharges(
  extras: readonly ChargeableExtra[],
  requests: readonly SurchargeRequest[],
  chargedOn: CivilDate,
): Result<PricedSurcharges, InvalidInput<string>> {
  const surcharges: Surcharge[] = [];
  let forgoneCents = 0;
  for (const [index, request] of requests.entries()) {
    const extra = extras.find(({ code }) => code === request.code);
    const priced = priceSurcharge(extra, request, chargedOn);
    if (!priced.ok) return err({ ...priced.error, field: `surcharges.${index}.${priced.error.field}` });
    surcharges.push(priced.value.surcharge);
    forgoneCents += priced.value.forgoneCents;
  }
  return ok({ surcharges, forgoneCents });
}
