import type { Settings } from "../api/messages.ts";
import type { WorkDraft } from "../offline/items.ts";
import { fromCents, toCents } from "./money.ts";
import { getExtraName } from "./names.ts";
import { settings } from "./settings.ts";

type DamagePrice = NonNullable<WorkDraft["surcharges"]>[number];

/** Lists the company's prices of damage. Settings cached from an older server lack them. */
export const listDamagePrices = () => (settings.value as Partial<Settings> | undefined)?.surcharges ?? [];

const findPrice = (code: string) => listDamagePrices().find((price) => price.code === code);

/** Returns the price of a damage in the open work. */
export const findDamagePrice = ({ surcharges = [] }: Pick<WorkDraft, "surcharges">, damageId: string) =>
  surcharges.find(({ damage_id }) => damage_id === damageId);

/** Returns the prices with another one for a damage, or none. */
export function replaceDamagePrice(
  { surcharges = [] }: Pick<WorkDraft, "surcharges">,
  damageId: string,
  price?: Pick<DamagePrice, "code" | "amount">,
): DamagePrice[] {
  const others = surcharges.filter(({ damage_id }) => damage_id !== damageId);
  return price ? [...others, { ...price, damage_id: damageId }] : others;
}

/** Returns the amount of a priced damage in minor units. Undefined if the typed one is invalid. */
export const getDamagePriceCents = ({ code, amount }: DamagePrice) =>
  toCents(amount ?? findPrice(code)?.price ?? "") || undefined;

/** Lists the priced damage of the open work with names in a language. */
export function listPricedDamage({ surcharges = [] }: Pick<WorkDraft, "surcharges">, language?: string) {
  return surcharges.map((price) => {
    const name = findPrice(price.code)?.name ?? price.code;
    return {
      name: getExtraName({ extra_code: price.code, name }, settings.value, language),
      quantity: 1,
      cents: getDamagePriceCents(price) ?? 0,
    };
  });
}

/** Returns the amount of all priced damage in minor units. */
export const sumDamagePrices = (draft: Pick<WorkDraft, "surcharges">) =>
  listPricedDamage(draft).reduce((sum, { cents }) => sum + cents, 0);

/** Converts the prices to the operation's surcharges, with the notes of their damage. */
export function toSurcharges({ surcharges = [], damages }: Pick<WorkDraft, "surcharges" | "damages">) {
  const sent = surcharges.flatMap((price) => {
    const damage = damages.find(({ damage_id }) => damage_id === price.damage_id);
    const cents = getDamagePriceCents(price);
    if (!damage || cents === undefined) return [];
    const text = damage.note?.trim().slice(0, 200);
    return [{ ...price, ...(price.amount !== undefined && { amount: fromCents(cents) }), ...(text && { text }) }];
  });
  return sent.length > 0 ? { surcharges: sent } : {};
}
