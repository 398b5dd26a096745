import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

// Columns of migrations/0001_catalogue.sql, which defines the constraints and indexes. A test compares them.

export const seasons = sqliteTable("seasons", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
});

export const seasonPeriods = sqliteTable("season_periods", {
  id: integer("id").primaryKey(),
  seasonId: integer("season_id").notNull(),
  dateFrom: text("date_from").notNull(),
  dateTo: text("date_to").notNull(),
});

export const tariffs = sqliteTable("tariffs", {
  id: integer("id").primaryKey(),
  categoryCode: text("category_code").notNull(),
  seasonId: integer("season_id"),
  salesChannelCode: text("sales_channel_code"),
});

export const tariffBrackets = sqliteTable(
  "tariff_brackets",
  {
    tariffId: integer("tariff_id").notNull(),
    fromDays: integer("from_days").notNull(),
    toDays: integer("to_days"),
    pricePer: text("price_per", { enum: ["day", "bracket"] })
      .notNull()
      .default("day"),
    priceCents: integer("price_cents").notNull(),
  },
  (table) => [primaryKey({ columns: [table.tariffId, table.fromDays] })],
);

export const offers = sqliteTable("offers", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
  discountType: text("discount_type", { enum: ["percentage", "amount"] }).notNull(),
  value: integer("value").notNull(),
  categoryCode: text("category_code"),
  salesChannelCode: text("sales_channel_code"),
  bookingFrom: text("booking_from"),
  bookingTo: text("booking_to"),
  rentalFrom: text("rental_from"),
  rentalTo: text("rental_to"),
  minimumDays: integer("minimum_days").notNull().default(1),
  active: integer("active", { mode: "boolean" }).notNull().default(true),
});

export const promotionCodes = sqliteTable("promotion_codes", {
  code: text("code").primaryKey(),
  discountType: text("discount_type", { enum: ["percentage", "amount"] }).notNull(),
  value: integer("value").notNull(),
  categoryCode: text("category_code"),
  bookingFrom: text("booking_from"),
  bookingTo: text("booking_to"),
  rentalFrom: text("rental_from"),
  rentalTo: text("rental_to"),
  minimumDays: integer("minimum_days").notNull().default(1),
  active: integer("active", { mode: "boolean" }).notNull().default(true),
  salesChannelCode: text("sales_channel_code"),
});

export const driverAgeRules = sqliteTable("driver_age_rules", {
  id: integer("id").primaryKey(),
  description: text("description").notNull(),
  ageFrom: integer("age_from").notNull(),
  ageTo: integer("age_to").notNull(),
  allowed: integer("allowed", { mode: "boolean" }).notNull().default(true),
  costPer: text("cost_per", { enum: ["day", "rental"] })
    .notNull()
    .default("rental"),
  costCents: integer("cost_cents").notNull().default(0),
  depositCents: integer("deposit_cents").notNull().default(0),
});

export const extras = sqliteTable("extras", {
  id: integer("id").primaryKey(),
  code: text("code").notNull(),
  name: text("name").notNull(),
  description: text("description").notNull().default(""),
  photoPath: text("photo_path"),
  photoFullPath: text("photo_full_path"),
  pricePer: text("price_per", { enum: ["day", "rental"] }).notNull(),
  priceCents: integer("price_cents").notNull(),
  maximumPriceCents: integer("maximum_price_cents"),
  maxQuantity: integer("max_quantity").notNull().default(1),
  vatBasisPoints: integer("vat_basis_points").notNull(),
  active: integer("active", { mode: "boolean" }).notNull().default(true),
  position: integer("position").notNull().default(0),
  limitPer: text("limit_per", { enum: ["booking", "vehicle"] })
    .notNull()
    .default("booking"),
  excessReductionType: text("deposit_reduction_type", { enum: ["percentage", "amount"] }),
  depositReductionValue: integer("deposit_reduction_value"),
  guaranteeReductionValue: integer("guarantee_reduction_value"),
  opentravelCode: integer("opentravel_code"),
});

export const extraStocks = sqliteTable(
  "extra_stocks",
  {
    extraCode: text("extra_code").notNull(),
    branchGroupId: integer("branch_group_id").notNull(),
    units: integer("units").notNull(),
  },
  (table) => [primaryKey({ columns: [table.extraCode, table.branchGroupId] })],
);

export const cancellationTerms = sqliteTable("cancellation_terms", {
  id: integer("id").primaryKey(),
  occasion: text("occasion", { enum: ["cancellation", "no_show"] }).notNull(),
  salesChannelCode: text("sales_channel_code"),
  hoursBefore: integer("hours_before"),
  feeType: text("fee_type", { enum: ["percentage", "days", "amount"] }).notNull(),
  feeValue: integer("fee_value").notNull(),
});

export const sellingRules = sqliteTable("selling_rules", {
  id: integer("id").primaryKey(),
  categoryCode: text("category_code"),
  branchCode: text("branch_code"),
  seasonId: integer("season_id"),
  salesChannelCode: text("sales_channel_code"),
  minimumDays: integer("minimum_days"),
  maximumDays: integer("maximum_days"),
  minimumNoticeMinutes: integer("minimum_notice_minutes"),
  horizonDays: integer("horizon_days"),
  stopSaleFrom: text("stop_sale_from"),
  stopSaleTo: text("stop_sale_to"),
  noPickupWeekdays: text("no_pickup_weekdays", { mode: "json" }).$type<readonly number[]>(),
  noReturnWeekdays: text("no_return_weekdays", { mode: "json" }).$type<readonly number[]>(),
  noPickupDates: text("no_pickup_dates", { mode: "json" }).$type<readonly string[]>(),
  noReturnDates: text("no_return_dates", { mode: "json" }).$type<readonly string[]>(),
});

export const oneWayFees = sqliteTable("one_way_fees", {
  id: integer("id").primaryKey(),
  pickupPlaceId: integer("pickup_place_id"),
  returnPlaceId: integer("return_place_id"),
  branchCode: text("branch_code"),
  returnBranchCode: text("return_branch_code"),
  branchGroupId: integer("branch_group_id"),
  returnBranchGroupId: integer("return_branch_group_id"),
  priceCents: integer("price_cents").notNull(),
});
