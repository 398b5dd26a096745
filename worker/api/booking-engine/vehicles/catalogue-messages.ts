import { z } from "zod";
import type { Catalogue, Category, DriverAgeRule, Family } from "#domain/catalogue/catalogue.ts";
import { toAmount } from "#domain/money.ts";
import {
  createSchemaFields,
  engineQuery,
  idOrIdTextSchema,
  integerBetweenSchema,
  nullableText,
  translateText,
  type Visitor,
} from "#worker/api/booking-engine/shared/messages.ts";
import { civilDateSchema, decimalAmountSchema, toKeyCharacteristicsMessage } from "#worker/api/primitives.ts";
import { catalogueProductAnswer, toCategoryMessage } from "./offer-messages.ts";

// spec: docs/interfaces/booking-engine-vehicles.md, catalogue and lists.

export const engineBranchesAnswer = z.array(z.object({ code: z.string(), name: z.string() }));

export const catalogueProductsQuery = engineQuery.extend({
  offset: integerBetweenSchema(0, 100_000).optional(),
  limit: integerBetweenSchema(1, 500).optional(),
  family_id: integerBetweenSchema(1, 999_999_999).optional(),
});

const DEFAULT_PRODUCTS = 20;

export const catalogueProductsAnswer = z.object({
  ...createSchemaFields(z.int(), "total", "offset", "limit"),
  data: z.array(catalogueProductAnswer),
});

/** Lists the account's public products without a period, with their lowest daily price. */
export function toCatalogueProductsMessage(
  catalogue: Catalogue,
  query: z.output<typeof catalogueProductsQuery>,
  visitor: Visitor,
): z.output<typeof catalogueProductsAnswer> {
  const all = [...catalogue.categories.values()].filter(
    (category) => category.webPublic && (query.family_id === undefined || category.familyId === query.family_id),
  );
  const { offset = 0, limit = DEFAULT_PRODUCTS } = query;
  const data = all.slice(offset, offset + limit).map((category) => describeProduct(catalogue, category, visitor));
  return { total: all.length, offset, limit, data };
}

/** Returns a public product. Undefined if the code doesn't exist. */
export function toCatalogueProductMessage(catalogue: Catalogue, code: string, visitor: Visitor) {
  const category = catalogue.categories.get(code);
  return category?.webPublic ? describeProduct(catalogue, category, visitor) : undefined;
}

function describeProduct(
  catalogue: Catalogue,
  category: Category,
  visitor: Visitor,
): z.output<typeof catalogueProductAnswer> {
  return {
    ...toCategoryMessage(category, visitor),
    key_characteristics: toKeyCharacteristicsMessage(category),
    from_price: formatLowestPrice(catalogue, category.code),
    from_price_offer: null,
  };
}

function formatLowestPrice(catalogue: Catalogue, code: string): string | null {
  const prices = catalogue.tariffs
    .filter((tariff) => tariff.categoryCode === code && tariff.salesChannel === undefined)
    .flatMap((tariff) =>
      tariff.brackets.filter((bracket) => bracket.pricePer === "day").map((bracket) => bracket.priceCents),
    );
  return prices.length > 0 ? toAmount(Math.min(...prices), catalogue.settings.currencyDecimals) : null;
}

interface FamilyNode {
  readonly id: number;
  readonly name: string;
  readonly parent_id: number | null;
  readonly children: FamilyNode[];
}

const family: z.ZodType<FamilyNode> = z
  .object({
    id: z.int(),
    name: z.string(),
    parent_id: z.int().nullable(),
    children: z.array(z.lazy(() => family)),
  })
  .meta({ id: "Family" });
export const familiesAnswer = z.array(family);

/** Converts the families of categories to a tree, starting with the children of `parentId`. */
export function toFamilyTree(families: readonly Family[], visitor: Visitor, parentId?: number): FamilyNode[] {
  return families
    .filter((family) => family.parentId === parentId)
    .map((family) => ({
      id: family.id,
      name: translateText(visitor, family.names, family.name),
      parent_id: family.parentId ?? null,
      children: toFamilyTree(families, visitor, family.id),
    }));
}

const driverAgeRule = z
  .object({ id: z.int(), description: z.string(), allowed: z.boolean(), message_not_allowed: nullableText })
  .meta({ id: "DriverAgeRule" });
export const driverAgeRulesAnswer = z.array(driverAgeRule);
export type DriverAgeRulesMessage = z.output<typeof driverAgeRulesAnswer>;

/** Converts a driver-age rule. The description states if it forbids rentals. */
export function toDriverAgeRuleMessage(rule: DriverAgeRule, visitor: Visitor): z.output<typeof driverAgeRule> {
  const description = translateText(visitor, rule.descriptions, rule.description);
  return { id: rule.id, description, allowed: rule.allowed, message_not_allowed: rule.allowed ? null : description };
}

const occupiedDay = z.object({ free: z.int(), available: z.boolean(), selectable_day: z.boolean() });

/** Calendar of a product by date. */
export const availabilityCalendarAnswer = z
  .object({
    occupation: z.record(z.string(), occupiedDay),
    prices: z.record(z.string(), decimalAmountSchema),
    ...createSchemaFields(z.int(), "min_days", "max_days"),
  })
  .meta({ id: "Occupation" });
export type AvailabilityCalendarMessage = z.output<typeof availabilityCalendarAnswer>;

/** Converts availability by day: free units, whether a rental may start, and its duration in days. */
export function toAvailabilityCalendarMessage({
  days,
  minimumDays,
  maximumDays,
}: {
  readonly days: readonly { readonly date: string; readonly free: number; readonly isOnSale: boolean }[];
  readonly minimumDays: number;
  readonly maximumDays: number;
}): AvailabilityCalendarMessage {
  const occupation = days.map(
    ({ date, free, isOnSale }) => [date, { free, available: free > 0, selectable_day: free > 0 && isOnSale }] as const,
  );
  return {
    occupation: Object.fromEntries(occupation),
    prices: {},
    min_days: minimumDays,
    max_days: maximumDays,
  };
}

export const availabilityCalendarQuery = engineQuery.extend({
  from: civilDateSchema,
  to: civilDateSchema,
  place: idOrIdTextSchema.optional(),
});
