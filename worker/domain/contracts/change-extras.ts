import { type Choice, getMaxExtraQuantity, mergeChoicesByCode } from "#domain/bookings/draft.ts";
import { priceExtra } from "#domain/bookings/pricing.ts";
import type { InvalidInput } from "#domain/bookings/refusals.ts";
import type { Catalogue, Extra } from "#domain/catalogue/catalogue.ts";
import type { Translations } from "#domain/catalogue/languages.ts";
import type { CivilDate } from "#domain/dates.ts";
import { type BasisPoints, type Cents, sumCents } from "#domain/money.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import type { Contract } from "./contract.ts";

/** Extra or surcharge of a contract as agreed. */
export interface AgreedExtra {
  readonly code: string;
  readonly description: string;
  readonly quantity: number;
  readonly unitCents: Cents;
  readonly extraCents: Cents;
  readonly discountCents?: Cents | undefined;
  readonly vat: BasisPoints;
  /** Set for surcharges added after the contract was completed. */
  readonly chargedOn?: CivilDate | undefined;
}

/** Returns a contract's agreed extras. */
export const listExtrasWithoutSurcharges = ({ extras }: Pick<Contract, "extras">): Contract["extras"] =>
  extras.filter(({ chargedOn }) => chargedOn === undefined);

/** Returns an extra of a contract unchanged. */
export function toAgreedExtra(contract: Contract, extra: Contract["extras"][number]): AgreedExtra {
  const { extraCode: code, description, quantity, unitCents, extraCents, discountCents = 0, chargedOn } = extra;
  const vat = contract.vatByExtra.get(extra.id) ?? 0;
  return { code, description, quantity, unitCents, extraCents, discountCents, vat, ...(chargedOn && { chargedOn }) };
}

type ContractExtra = Contract["extras"][number] | undefined;

/**
 * Returns the new agreed extras of a contract for the given days and units. Agreed extras keep their price, and later
 * charges stay.
 */
export function agreeExtras(
  catalogue: Catalogue,
  contract: Contract,
  requestedChoices: readonly Choice[],
  { days, units }: { readonly days: number; readonly units: number },
): Result<readonly AgreedExtra[], InvalidInput> {
  const extras: AgreedExtra[] = [];
  for (const { code, quantity } of mergeChoicesByCode(requestedChoices)) {
    if (quantity < 1) continue;
    const contractExtra = listExtrasWithoutSurcharges(contract).find((extra) => extra.extraCode === code);
    const extra = catalogue.extras.get(code);
    if (!extra && !contractExtra)
      return err({ kind: "invalid", field: "extra", reason: createReason("no_extra", code) });
    const maxQuantity = getMaxAgreedQuantity(extra, contractExtra, units);
    if (quantity > maxQuantity)
      return err({
        kind: "invalid",
        field: "quantity",
        reason: createReason("max_extra", code, maxQuantity),
      });
    const unitCents = getExtraPrice(contract, days, extra, contractExtra);
    extras.push({
      code,
      description: contractExtra?.description ?? extra?.name ?? code,
      quantity,
      unitCents,
      extraCents: unitCents * quantity,
      vat: (contractExtra && contract.vatByExtra.get(contractExtra.id)) ?? extra?.vat ?? 0,
    });
  }
  const chargedExtras = contract.extras.filter(({ chargedOn }) => chargedOn !== undefined);
  return ok([...extras, ...chargedExtras.map((extra) => toAgreedExtra(contract, extra))]);
}

/** Extra that a rental has or can have. `unitCents` is the price per unit for its days. */
export interface OfferedExtra {
  readonly code: string;
  readonly name: string;
  readonly names: Translations;
  readonly unitCents: Cents;
  /** Quantity in the contract. */
  readonly quantity: number;
  readonly maxQuantity: number;
}

/**
 * Lists the extras available to a rental for a number of days, with its current quantities. Transfers have no
 * changeable extras.
 */
export function listChangeableExtras(catalogue: Catalogue, contract: Contract, days: number): readonly OfferedExtra[] {
  if (contract.kind === "transfer") return [];
  const units = sumCents(contract.lines.map(({ quantity }) => quantity));
  const agreed = listExtrasWithoutSurcharges(contract);
  const codes = new Set([...catalogue.extras.keys(), ...agreed.map(({ extraCode }) => extraCode)]);
  return [...codes].map((code) => {
    const extra = catalogue.extras.get(code);
    const contractExtra = agreed.find(({ extraCode }) => extraCode === code);
    return {
      code,
      name: extra?.name ?? contractExtra?.description ?? code,
      names: extra?.names ?? {},
      unitCents: getExtraPrice(contract, days, extra, contractExtra),
      quantity: contractExtra?.quantity ?? 0,
      maxQuantity: getMaxAgreedQuantity(extra, contractExtra, units),
    };
  });
}

// The agreed quantity stays, even above the current limit.
function getMaxAgreedQuantity(extra: Extra | undefined, contractExtra: ContractExtra, units: number): number {
  return Math.max(extra ? getMaxExtraQuantity(extra, units) : 0, contractExtra?.quantity ?? 0);
}

function getExtraPrice(
  contract: Contract,
  days: number,
  extra: Extra | undefined,
  contractExtra: ContractExtra,
): Cents {
  const isSettled = contractExtra && (!extra || extra.pricePer === "rental" || days === contract.days);
  if (isSettled || !extra) return contractExtra?.unitCents ?? 0;
  return priceExtra({ days }, extra).unitCents;
}
