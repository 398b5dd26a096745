import type { Discount, DiscountTerms } from "#domain/catalogue/catalogue.ts";
import { type Company, inOwnLanguage } from "./company.ts";
import { type Row, type TableRows, yesNo } from "./insert.ts";

/** Categories, prices and extras; `since` in epoch ms. */
export function priceRows(company: Company, since: number): TableRows[] {
  const { categories, seasons, tariffs, extras } = company;
  return [
    { table: "categories", rows: categoryRows(company, since) },
    {
      table: "category_photos",
      rows: categories.flatMap(({ code, photos }) =>
        photos.map((photo, position) => ({
          category_code: code,
          position,
          photo_path: photo.photoPath,
          full_photo_path: photo.fullPhotoPath,
        })),
      ),
    },
    { table: "seasons", rows: seasons.map(({ id, name }) => ({ id, name })) },
    {
      table: "season_periods",
      rows: seasons.flatMap(({ periods }) =>
        periods.map((period) => ({ season_id: period.seasonId, date_from: period.dateFrom, date_to: period.dateTo })),
      ),
    },
    {
      table: "tariffs",
      rows: tariffs.map((tariff, index) => ({
        id: index + 1,
        category_code: tariff.categoryCode,
        season_id: tariff.seasonId,
        sales_channel_code: tariff.salesChannel,
      })),
    },
    {
      table: "tariff_brackets",
      rows: tariffs.flatMap(({ brackets }, index) =>
        brackets.map((bracket) => ({
          tariff_id: index + 1,
          from_days: bracket.fromDays,
          to_days: bracket.toDays,
          price_per: bracket.pricePer,
          price_cents: bracket.priceCents,
        })),
      ),
    },
    {
      table: "offers",
      rows: company.offers.map((offer) => ({
        id: offer.id,
        name: offer.name,
        sales_channel_code: offer.salesChannel,
        ...discountColumns(offer),
      })),
    },
    {
      table: "promotion_codes",
      rows: company.promotionCodes.map((promotion) => ({ code: promotion.code, ...discountColumns(promotion) })),
    },
    { table: "driver_age_rules", rows: driverAgeRuleRows(company) },
    { table: "extras", rows: extraRows(company) },
    {
      table: "extra_stocks",
      rows: extras.flatMap(({ code, stockByStorage }) =>
        [...(stockByStorage ?? [])].map(([storageId, units]) => ({
          extra_code: code,
          branch_group_id: storageId,
          units,
        })),
      ),
    },
  ];
}

function categoryRows(company: Company, since: number): Row[] {
  return company.categories.map((category, position) => {
    const [supplement1, supplement2, supplement3] = category.supplementCents;
    return {
      code: category.code,
      name: category.name,
      short_description: category.shortDescription,
      description: category.description,
      family_id: category.familyId,
      web_public: yesNo(category.webPublic),
      position,
      vat_basis_points: category.vat,
      deposit_cents: category.depositCents,
      guarantee_cents: category.guaranteeCents,
      supplement_1_cents: supplement1,
      supplement_2_cents: supplement2,
      supplement_3_cents: supplement3,
      doors: category.doors,
      seats: category.seats,
      suitcases: category.suitcases,
      transmission: category.transmission,
      fuel: category.fuel,
      air_conditioner: yesNo(category.airConditioner),
      ...closingRates(category),
      created_at: since,
      last_update: since,
    };
  });
}

/** What is charged at the end: petrol is dearer by the eighth than a charge; vans drive without limit. */
function closingRates(category: Company["categories"][number]): Row {
  const isElectric = category.fuel === "electric" || category.fuel === "none";
  const isUnlimited = (category.seats ?? 0) > 6;
  return {
    fuel_eighth_cents: isElectric ? 350 : 950,
    kilometres_per_day: isUnlimited ? null : 250,
    extra_kilometre_cents: isUnlimited ? 0 : 22,
  };
}

function discountColumns(discount: Discount & DiscountTerms): Row {
  return {
    discount_type: discount.discountType,
    value: discount.value,
    category_code: discount.categoryCode,
    booking_from: discount.bookingFrom,
    booking_to: discount.bookingTo,
    rental_from: discount.rentalFrom,
    rental_to: discount.rentalTo,
    minimum_days: discount.minimumDays,
  };
}

function driverAgeRuleRows({ driverAgeRules }: Company): Row[] {
  return driverAgeRules.map((rule) => ({
    id: rule.id,
    description: rule.description,
    age_from: rule.ageFrom,
    age_to: rule.ageTo,
    allowed: yesNo(rule.allowed),
    cost_per: rule.costPer,
    cost_cents: rule.costCents,
    deposit_cents: rule.depositCents,
  }));
}

function extraRows(company: Company): Row[] {
  return company.extras.map((extra, position) => ({
    id: extra.id,
    code: extra.code,
    name: extra.name,
    description: inOwnLanguage(company, extra.descriptions),
    photo_path: extra.photoPath,
    photo_full_path: extra.photoFullPath,
    price_per: extra.pricePer,
    price_cents: extra.priceCents,
    maximum_price_cents: extra.maximumPriceCents,
    max_quantity: extra.maxQuantity,
    vat_basis_points: extra.vat,
    position,
  }));
}
