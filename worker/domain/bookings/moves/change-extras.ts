import { type Choice, merged, mostOfExtra } from "#domain/bookings/draft.ts";
import { priceExtra } from "#domain/bookings/pricing.ts";
import type { InvalidInput } from "#domain/bookings/refusals.ts";
import type { Catalogue, Extra } from "#domain/catalogue/catalogue.ts";
import type { Translations } from "#domain/catalogue/languages.ts";
import type { CivilDate } from "#domain/dates.ts";
import { type BasisPoints, type Cents, sumOf } from "#domain/money.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import type { Contract } from "./contract.ts";

export interface AgreedExtra {
  readonly code: string;
  readonly description: string;
  readonly quantity: number;
  readonly unitCents: Cents;
  readonly extraCents: Cents;
  readonly vat: BasisPoints;
  /** Of what was found after the contract was done. */
  readonly chargedOn?: CivilDate | undefined;
}

/** What was agreed of a contract's extras. */
export const agreedExtrasOf = ({ extras }: Pick<Contract, "extras">): Contract["extras"] =>
  extras.filter(({ chargedOn }) => chargedOn === undefined);

/** An extra of a contract as it stands. */
export function asKept(contract: Contract, extra: Contract["extras"][number]): AgreedExtra {
  const { extraCode: code, description, quantity, unitCents, extraCents, chargedOn } = extra;
  const vat = contract.vatByExtra.get(extra.id) ?? 0;
  return { code, description, quantity, unitCents, extraCents, vat, ...(chargedOn && { chargedOn }) };
}

type Kept = Contract["extras"][number] | undefined;

/**
 * The extras of a contract of so many days and units as they will be agreed: what was agreed keeps its price, and what
 * was found after it was done stays.
 */
export function agreeExtras(
  catalogue: Catalogue,
  contract: Contract,
  wished: readonly Choice[],
  { days, units }: { readonly days: number; readonly units: number },
): Result<readonly AgreedExtra[], InvalidInput> {
  const extras: AgreedExtra[] = [];
  for (const { code, quantity } of merged(wished)) {
    if (quantity < 1) continue;
    const kept = agreedExtrasOf(contract).find((extra) => extra.extraCode === code);
    const extra = catalogue.extras.get(code);
    if (!extra && !kept) return refuse({ kind: "invalid", field: "extra", reason: `there is no extra ${code}` });
    const most = mostAgreed(extra, kept, units);
    if (quantity > most)
      return refuse({ kind: "invalid", field: "quantity", reason: `extra ${code} can be taken ${most} times at most` });
    const unitCents = priceOf(contract, days, extra, kept);
    extras.push({
      code,
      description: kept?.description ?? extra?.name ?? code,
      quantity,
      unitCents,
      extraCents: unitCents * quantity,
      vat: (kept && contract.vatByExtra.get(kept.id)) ?? extra?.vat ?? 0,
    });
  }
  const found = contract.extras.filter(({ chargedOn }) => chargedOn !== undefined);
  return ok([...extras, ...found.map((extra) => asKept(contract, extra))]);
}

/** An extra that a rental has or may have; `unitCents`: what one costs for its days. */
export interface OfferedExtra {
  readonly code: string;
  readonly name: string;
  readonly names: Translations;
  readonly unitCents: Cents;
  /** How many of it the contract has. */
  readonly quantity: number;
  readonly most: number;
}

/** What extras a rental may have for so many days, and how many of each it has; transfers have none to change. */
export function listOfferedExtras(catalogue: Catalogue, contract: Contract, days: number): readonly OfferedExtra[] {
  if (contract.kind === "transfer") return [];
  const units = sumOf(contract.lines.map(({ quantity }) => quantity));
  const agreed = agreedExtrasOf(contract);
  const codes = new Set([...catalogue.extras.keys(), ...agreed.map(({ extraCode }) => extraCode)]);
  return [...codes].map((code) => {
    const extra = catalogue.extras.get(code);
    const kept = agreed.find(({ extraCode }) => extraCode === code);
    return {
      code,
      name: extra?.name ?? kept?.description ?? code,
      names: extra?.names ?? {},
      unitCents: priceOf(contract, days, extra, kept),
      quantity: kept?.quantity ?? 0,
      most: mostAgreed(extra, kept, units),
    };
  });
}

// What was agreed stays, whatever the limit is today.
function mostAgreed(extra: Extra | undefined, kept: Kept, units: number): number {
  return Math.max(extra ? mostOfExtra(extra, units) : 0, kept?.quantity ?? 0);
}

function priceOf(contract: Contract, days: number, extra: Extra | undefined, kept: Kept): Cents {
  const isSettled = kept && (!extra || extra.pricePer === "rental" || days === contract.days);
  if (isSettled || !extra) return kept?.unitCents ?? 0;
  return priceExtra({ days }, extra).unitCents;
}
