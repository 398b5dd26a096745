import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import type { Translations } from "#domain/catalogue/languages.ts";
import { createReason, type Reason } from "#domain/problems.ts";
import { isDiscountValidFor, isPromotionCodeValidInChannel } from "./pricing.ts";
import { cleanPromotionCode } from "./promotion-code.ts";
import {
  getPromotionOtherChannelText,
  getPromotionOtherDatesText,
  getPromotionOtherProductText,
  getUnknownPromotionText,
} from "./promotion-texts.ts";
import type { InvalidInput } from "./refusals.ts";
import type { AgreedRentalTerms } from "./rental-terms.ts";

/**
 * Returns why a promotion code has no effect on a rental: unknown, expired, not valid for the dates, or not for the
 * chosen categories. Undefined if it lowers a price (docs/interfaces/rules.md#offers-and-promotion-codes).
 */
export function findPromotionCodeProblem(
  { promotionCodes, categories }: Pick<Catalogue, "promotionCodes" | "categories">,
  { bookedOn, days, period, salesChannel }: Pick<AgreedRentalTerms, "bookedOn" | "days" | "period" | "salesChannel">,
  code: string,
  categoryCodes: readonly string[],
): InvalidInput | undefined {
  const promotion = promotionCodes.get(cleanPromotionCode(code));
  if (!promotion) return refusePromotion(createReason("no_promotion", code), getUnknownPromotionText(code));
  if (!isDiscountValidFor(promotion, { bookedOn, days, dateFrom: period.dateFrom }))
    return refusePromotion(createReason("promotion_dates", code), getPromotionOtherDatesText(code));
  if (!isPromotionCodeValidInChannel(promotion, salesChannel))
    return refusePromotion(createReason("promotion_channel", code), getPromotionOtherChannelText(code));
  const { categoryCode } = promotion;
  const excludesCategory =
    categoryCode !== undefined && categoryCodes.length > 0 && !categoryCodes.includes(categoryCode);
  if (!excludesCategory) return undefined;
  const names = (language: string) => {
    const category = categories.get(categoryCode);
    return category?.names[language] ?? category?.name ?? categoryCode;
  };
  return refusePromotion(
    createReason("promotion_product", code, categoryCode),
    getPromotionOtherProductText(code, names),
  );
}

function refusePromotion(reason: Reason, inLanguages: Translations): InvalidInput {
  return { kind: "invalid", field: "promotionCode", reason, inLanguages };
}
