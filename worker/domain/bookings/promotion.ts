import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { Translations } from "#domain/catalogue/languages.ts";
import { holdsFor, isValidInChannel } from "./pricing.ts";
import { toOwnCode } from "./promotion-code.ts";
import { getOtherChannelText, getOtherDatesText, getOtherProductText, getUnknownCodeText } from "./promotion-texts.ts";
import type { InvalidInput } from "./refusals.ts";
import type { RentalTerms } from "./rental-terms.ts";

/**
 * Why a promotion code does nothing for a rental: unknown, over, not for these dates, or of another category than those
 * that are chosen, if any are; undefined where it lowers a price (docs/interfaces/rules.md#offers-and-promotion-codes).
 */
export function findWrongCode(
  { promotionCodes, categories }: Pick<Catalogue, "promotionCodes" | "categories">,
  { bookedOn, days, period, salesChannel }: Pick<RentalTerms, "bookedOn" | "days" | "period" | "salesChannel">,
  code: string,
  categoryCodes: readonly string[],
): InvalidInput | undefined {
  const promotion = promotionCodes.get(toOwnCode(code));
  if (!promotion) return wrong(`there is no promotion code ${code}`, getUnknownCodeText(code));
  if (!holdsFor(promotion, { bookedOn, days, dateFrom: period.dateFrom }))
    return wrong(`promotion code ${code} does not hold for these dates`, getOtherDatesText(code));
  if (!isValidInChannel(promotion, salesChannel))
    return wrong(`promotion code ${code} does not hold for this sales channel`, getOtherChannelText(code));
  const { categoryCode } = promotion;
  const excludesCategory =
    categoryCode !== undefined && categoryCodes.length > 0 && !categoryCodes.includes(categoryCode);
  if (!excludesCategory) return undefined;
  const names = (language: string) => {
    const category = categories.get(categoryCode);
    return category?.names[language] ?? category?.name ?? categoryCode;
  };
  return wrong(`promotion code ${code} holds for product ${categoryCode} alone`, getOtherProductText(code, names));
}

function wrong(reason: string, inLanguages: Translations): InvalidInput {
  return { kind: "invalid", field: "promotionCode", reason, inLanguages };
}
