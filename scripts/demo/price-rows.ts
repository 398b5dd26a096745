import {
  cancellationTerms,
  driverAgeRules,
  extraStocks,
  extras,
  offers,
  oneWayFees,
  promotionCodes,
  seasonPeriods,
  seasons,
  sellingRules,
  tariffBrackets,
  tariffs,
} from "#worker/store/schema/prices.ts";
import { categories, categoryPhotos, families } from "#worker/store/schema/vehicles.ts";
import { closingRatesOf } from "./closing-rates.ts";
import { type Company, inOwnLanguage } from "./company.ts";
import { rowsOf, type TableRows } from "./insert.ts";

/** Categories, prices and extras; `since` in epoch ms. */
export function priceRows(company: Company, since: number): TableRows[] {
  return [
    rowsOf(
      families,
      company.families.map((family) => ({ ...family, name: inOwnLanguage(company, family.names) })),
    ),
    ...categoryRows(company, since),
    rowsOf(seasons, company.seasons),
    rowsOf(
      seasonPeriods,
      company.seasons.flatMap(({ periods }) => periods),
    ),
    rowsOf(
      tariffs,
      company.tariffs.map((tariff, index) => ({ ...tariff, id: index + 1, salesChannelCode: tariff.salesChannel })),
    ),
    rowsOf(
      tariffBrackets,
      company.tariffs.flatMap(({ brackets }, index) =>
        brackets.map((bracket) => ({ ...bracket, tariffId: index + 1 })),
      ),
    ),
    rowsOf(
      offers,
      company.offers.map((offer) => ({ ...offer, salesChannelCode: offer.salesChannel })),
    ),
    rowsOf(promotionCodes, company.promotionCodes),
    rowsOf(sellingRules, company.sellingRules),
    rowsOf(oneWayFees, company.oneWayFees),
    rowsOf(
      cancellationTerms,
      company.cancellationTerms.map((term) => ({ ...term, salesChannelCode: term.salesChannel })),
    ),
    rowsOf(driverAgeRules, company.driverAgeRules),
    rowsOf(
      extras,
      company.extras.map((extra, position) => ({
        ...extra,
        description: inOwnLanguage(company, extra.descriptions),
        vatBasisPoints: extra.vat,
        excessReductionType: extra.excessReduction?.type,
        depositReductionValue: extra.excessReduction?.depositValue,
        guaranteeReductionValue: extra.excessReduction?.guaranteeValue,
        position,
      })),
    ),
    rowsOf(
      extraStocks,
      company.extras.flatMap(({ code, stockByStorage }) =>
        [...(stockByStorage ?? [])].map(([branchGroupId, units]) => ({ extraCode: code, branchGroupId, units })),
      ),
    ),
  ];
}

function categoryRows(company: Company, since: number): TableRows[] {
  return [
    rowsOf(
      categories,
      company.categories.map((category, position) => ({
        ...category,
        ...closingRatesOf(category),
        vatBasisPoints: category.vat,
        supplement1Cents: category.supplementCents[0],
        supplement2Cents: category.supplementCents[1],
        supplement3Cents: category.supplementCents[2],
        position,
        createdAt: since,
        lastUpdate: since,
      })),
    ),
    rowsOf(
      categoryPhotos,
      company.categories.flatMap(({ code, photos }) =>
        photos.map((photo, position) => ({ ...photo, categoryCode: code, position })),
      ),
    ),
  ];
}
