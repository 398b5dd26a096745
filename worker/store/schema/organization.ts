import { integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import type { SeriesLetters } from "#domain/documents/series.ts";
import { TAX_RECORD_MODES, TERRITORIES } from "#domain/tax-records/territories.ts";

// The columns of migrations/0001_catalogue.sql and 0011_stock.sql, where constraints and indexes live; a test compares the two.

export const settings = sqliteTable("settings", {
  id: integer("id").primaryKey(),
  accountName: text("account_name").notNull(),
  productType: text("product_type").notNull().default("car"),
  countryCode: text("country_code").notNull(),
  currency: text("currency").notNull(),
  currencyDecimals: integer("currency_decimals").notNull().default(2),
  timezone: text("timezone").notNull(),
  languages: text("languages", { mode: "json" }).$type<readonly string[]>().notNull(),
  defaultLanguage: text("default_language").notNull(),
  baseUrl: text("base_url"),
  graceMinutes: integer("grace_minutes").notNull().default(120),
  preparationMinutes: integer("preparation_minutes").notNull().default(60),
  holdMinutes: integer("hold_minutes").notNull().default(1440),
  cartIdleMinutes: integer("cart_idle_minutes").notNull().default(1440),
  minimumDays: integer("minimum_days").notNull().default(1),
  maximumDays: integer("maximum_days").notNull().default(365),
  outOfHoursAllowed: integer("out_of_hours_allowed", { mode: "boolean" }).notNull().default(false),
  outOfHoursPickupCents: integer("out_of_hours_pickup_cents").notNull().default(0),
  outOfHoursReturnCents: integer("out_of_hours_return_cents").notNull().default(0),
  depositBasisPoints: integer("deposit_basis_points").notNull().default(10000),
  automaticConfirmation: integer("automatic_confirmation", { mode: "boolean" }).notNull().default(false),
  requestAllowed: integer("request_allowed", { mode: "boolean" }).notNull().default(true),
  engineRequiresApiKey: integer("engine_requires_api_key", { mode: "boolean" }).notNull().default(false),
  engineOrigins: text("engine_origins", { mode: "json" }).$type<readonly string[]>().notNull().default([]),
  paymentOptions: text("payment_options", { mode: "json" }).$type<readonly string[]>().notNull().default([]),
  paymentMethods: text("payment_methods", { mode: "json" }).$type<readonly string[]>().notNull().default([]),
  overdueMinutes: integer("overdue_minutes").notNull().default(240),
  oneWayMode: text("one_way_mode", { enum: ["returns_home", "stays"] })
    .notNull()
    .default("returns_home"),
  repatriationDays: integer("repatriation_days").notNull().default(3),
  transferStopOverMinutes: integer("transfer_stop_over_minutes").notNull().default(15),
  transferWayMinutes: integer("transfer_way_minutes").notNull().default(60),
  agentLimitCents: integer("agent_limit_cents").notNull().default(10000),
  earlyReturnRefund: text("early_return_refund", { enum: ["none", "unused_days"] })
    .notNull()
    .default("none"),
  noShowMinutes: integer("no_show_minutes").notNull().default(120),
  mailsOff: text("mails_off", { mode: "json" }).$type<readonly string[]>().notNull().default([]),
  reminderHours: integer("reminder_hours").notNull().default(24),
  holdReminderMinutes: integer("hold_reminder_minutes").notNull().default(60),
  customerChangesAllowed: integer("customer_changes_allowed", { mode: "boolean" }).notNull().default(false),
  kilometresADay: integer("kilometres_a_day").notNull().default(1500),
  closingChargeLimitCents: integer("closing_charge_limit_cents").notNull().default(30000),
  paymentHoldMinutes: integer("payment_hold_minutes").notNull().default(30),
  minimumNoticeMinutes: integer("minimum_notice_minutes").notNull().default(60),
  horizonDays: integer("horizon_days").notNull().default(730),
  seriesPattern: text("series_pattern").notNull().default("{kind}-{branch}-{yy}"),
  seriesLetters: text("series_letters", { mode: "json" })
    .$type<SeriesLetters>()
    .notNull()
    .default({ full: "A", advance: "A", simplified: "T", credit_note: "R", internal_bond: "B" }),
  simplifiedLimitCents: integer("simplified_limit_cents").notNull().default(40000),
  refundApprovalCents: integer("refund_approval_cents").notNull().default(50000),
  taxRecordsIva: text("tax_records_iva", { enum: TAX_RECORD_MODES }).notNull().default("none"),
  taxRecordsIgic: text("tax_records_igic", { enum: TAX_RECORD_MODES }).notNull().default("none"),
  taxRecordsIpsi: text("tax_records_ipsi", { enum: TAX_RECORD_MODES }).notNull().default("none"),
  taxEnvironment: text("tax_environment", { enum: ["test", "production"] })
    .notNull()
    .default("test"),
  taxRateCodes: text("tax_rate_codes", { mode: "json" })
    .$type<Readonly<Record<string, string>>>()
    .notNull()
    .default({}),
  taxRepresentationDate: text("tax_representation_date"),
  sesMode: text("ses_mode", { enum: ["none", "dry_run", "ses"] })
    .notNull()
    .default("none"),
  sesEnvironment: text("ses_environment", { enum: ["test", "production"] })
    .notNull()
    .default("test"),
  sesLessorCode: text("ses_lessor_code"),
  sesUser: text("ses_user"),
  sesPasswordSealed: text("ses_password_sealed"),
  sesCodes: text("ses_codes", { mode: "json" }).$type<Readonly<Record<string, string>>>().notNull().default({}),
  visitorUnits: integer("visitor_units").notNull().default(3),
  visitorHolds: integer("visitor_holds").notNull().default(3),
  turnstileSiteKey: text("turnstile_site_key"),
  secondFactorFrom: text("second_factor_from", { enum: ["operator", "agent", "manager", "administrator"] }),
});

export const classifiers = sqliteTable("classifiers", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
});

export const salesChannels = sqliteTable("sales_channels", {
  code: text("code").primaryKey(),
  name: text("name").notNull(),
  isPublic: integer("is_public", { mode: "boolean" }).notNull().default(false),
});

export const branchGroups = sqliteTable("branch_groups", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
  classifierId: integer("classifier_id"),
  externalCode: text("external_code"),
  timezone: text("timezone").notNull(),
  addressStreetAddress: text("address_street_address"),
  addressCity: text("address_city"),
  addressState: text("address_state"),
  addressZip: text("address_zip"),
  addressCountryCode: text("address_country_code"),
  addressLat: real("address_lat"),
  addressLng: real("address_lng"),
  createdAt: integer("created_at").notNull(),
  lastUpdate: integer("last_update").notNull(),
});

export const branches = sqliteTable("branches", {
  code: text("code").primaryKey(),
  branchGroupId: integer("branch_group_id").notNull(),
  name: text("name").notNull(),
  classifierId: integer("classifier_id"),
  externalCode: text("external_code"),
  placeType: text("place_type", {
    enum: ["location", "airport", "harbor", "bus_station", "train_station", "accommodation", "hotel"],
  }).notNull(),
  timezone: text("timezone").notNull(),
  currency: text("currency").notNull(),
  companyId: integer("company_id").notNull().default(1),
  companyName: text("company_name"),
  documentId: text("document_id"),
  phoneNumber: text("phone_number"),
  whatsappNumber: text("whatsapp_number"),
  email: text("email"),
  emergencyNumber: text("emergency_number"),
  commercialRegister: text("commercial_register"),
  sesEstablishmentCode: text("ses_establishment_code"),
  taxTerritory: text("tax_territory", { enum: TERRITORIES }).notNull().default("iva"),
  addressStreetAddress: text("address_street_address"),
  addressCity: text("address_city"),
  addressState: text("address_state"),
  addressZip: text("address_zip"),
  addressCountryCode: text("address_country_code"),
  addressLat: real("address_lat"),
  addressLng: real("address_lng"),
  createdAt: integer("created_at").notNull(),
  lastUpdate: integer("last_update").notNull(),
});

export const repatriations = sqliteTable(
  "repatriations",
  {
    branchGroupId: integer("branch_group_id").notNull(),
    returnBranchGroupId: integer("return_branch_group_id").notNull(),
    days: integer("days").notNull(),
  },
  (table) => [primaryKey({ columns: [table.branchGroupId, table.returnBranchGroupId] })],
);

export const openingHours = sqliteTable(
  "opening_hours",
  {
    branchCode: text("branch_code").notNull(),
    weekday: integer("weekday").notNull(),
    opens: text("opens").notNull(),
    closes: text("closes").notNull(),
  },
  (table) => [primaryKey({ columns: [table.branchCode, table.weekday, table.opens] })],
);

export const closedDates = sqliteTable(
  "closed_dates",
  {
    branchCode: text("branch_code").notNull(),
    date: text("date").notNull(),
    reason: text("reason").notNull().default(""),
    outOfHours: integer("out_of_hours", { mode: "boolean" }).notNull().default(false),
  },
  (table) => [primaryKey({ columns: [table.branchCode, table.date] })],
);

export const pickupPlaces = sqliteTable("pickup_places", {
  id: integer("id").primaryKey(),
  branchCode: text("branch_code").notNull(),
  name: text("name").notNull(),
  classifierId: integer("classifier_id"),
  placeType: text("place_type", {
    enum: ["location", "airport", "harbor", "bus_station", "train_station", "accommodation", "hotel"],
  }).notNull(),
  isPickup: integer("is_pickup", { mode: "boolean" }).notNull().default(true),
  isReturn: integer("is_return", { mode: "boolean" }).notNull().default(true),
  webPublic: integer("web_public", { mode: "boolean" }).notNull().default(true),
  priceCents: integer("price_cents").notNull().default(0),
  iata: text("iata"),
  position: integer("position").notNull().default(0),
  addressStreetAddress: text("address_street_address"),
  addressCity: text("address_city"),
  addressState: text("address_state"),
  addressZip: text("address_zip"),
  addressCountryCode: text("address_country_code"),
  addressLat: real("address_lat"),
  addressLng: real("address_lng"),
  createdAt: integer("created_at").notNull(),
  lastUpdate: integer("last_update").notNull(),
});

export const returnPlaces = sqliteTable(
  "return_places",
  {
    pickupPlaceId: integer("pickup_place_id").notNull(),
    returnPlaceId: integer("return_place_id").notNull(),
  },
  (table) => [primaryKey({ columns: [table.pickupPlaceId, table.returnPlaceId] })],
);

export const translations = sqliteTable(
  "translations",
  {
    entity: text("entity", {
      enum: [
        "pickup_place",
        "booking_category",
        "extra",
        "family",
        "driver_age_rule",
        "offer",
        "transfer_point",
        "transfer_vehicle",
        "transfer_extra",
        "supplement",
      ],
    }).notNull(),
    entityId: text("entity_id").notNull(),
    field: text("field", { enum: ["name", "description", "short_description"] }).notNull(),
    language: text("language").notNull(),
    text: text("text").notNull(),
  },
  (table) => [primaryKey({ columns: [table.entity, table.entityId, table.field, table.language] })],
);
