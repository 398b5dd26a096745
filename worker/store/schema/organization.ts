import { integer, primaryKey, real, sqliteTable, text } from "drizzle-orm/sqlite-core";
import { AUTHORITY_REGISTERS } from "#domain/catalogue/authority-registers.ts";
import type { HandOverCheckModes } from "#domain/catalogue/hand-over-checks.ts";
import type { SeriesLetters } from "#domain/catalogue/series.ts";
import { TAX_RECORD_MODES, TAX_TERRITORIES } from "#domain/catalogue/tax-territories.ts";
import { EINVOICE_FORMATS } from "#domain/e-invoices/formats.ts";

// Columns of migrations/0001_catalogue.sql, which defines the constraints and indexes. A test compares them.

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
  transferWayMinutes: integer("default_trip_minutes").notNull().default(60),
  agentLimitCents: integer("agent_limit_cents").notNull().default(10000),
  handOverChecks: text("handover_checks", { mode: "json" }).$type<HandOverCheckModes>().notNull().default({}),
  agentDiscountBasisPoints: integer("agent_discount_basis_points").notNull().default(1000),
  earlyReturnRefund: text("early_return_refund", { enum: ["none", "unused_days"] })
    .notNull()
    .default("none"),
  noShowMinutes: integer("no_show_minutes").notNull().default(120),
  mailsOff: text("disabled_mails", { mode: "json" }).$type<readonly string[]>().notNull().default([]),
  reminderHours: integer("reminder_hours").notNull().default(24),
  holdReminderMinutes: integer("hold_reminder_minutes").notNull().default(60),
  customerChangesAllowed: integer("customer_changes_allowed", { mode: "boolean" }).notNull().default(false),
  kilometresADay: integer("max_km_per_day").notNull().default(1500),
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
  einvoiceFormat: text("einvoice_format", { enum: ["none", ...EINVOICE_FORMATS] })
    .notNull()
    .default("none"),
  accounts: text("accounts", { mode: "json" }).$type<Readonly<Record<string, string>>>().notNull().default({}),
  simplifiedExchange: text("simplified_exchange", { enum: ["credit_note", "replacement"] })
    .notNull()
    .default("credit_note"),
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
  engineCustomerAccess: integer("engine_customer_access", { mode: "boolean" }).notNull().default(false),
  frontendDateFormat: text("frontend_date_format", { enum: ["DD/MM/YYYY", "MM/DD/YYYY", "YYYY-MM-DD", "DD.MM.YYYY"] })
    .notNull()
    .default("DD/MM/YYYY"),
  defaultTimeStart: text("default_time_start").notNull().default("10:00"),
  defaultTimeEnd: text("default_time_end").notNull().default("10:00"),
  samePickupReturnTime: integer("same_pickup_return_time", { mode: "boolean" }).notNull().default(false),
  prefillSelector: integer("prefill_selector", { mode: "boolean" }).notNull().default(true),
  selectorDateToDays: integer("selector_date_to_days").notNull().default(7),
  pickupReturnPlacesSameRentalLocation: integer("pickup_return_places_same_rental_location", { mode: "boolean" })
    .notNull()
    .default(false),
  rentDatesSelector: text("rent_dates_selector", { enum: ["date_from_date_to", "date_from_duration"] })
    .notNull()
    .default("date_from_date_to"),
  multipleProductsSelection: integer("multiple_products_selection", { mode: "boolean" }).notNull().default(false),
  selectFamily: integer("select_family", { mode: "boolean" }).notNull().default(false),
  selectorRentalLocation: integer("selector_rental_location", { mode: "boolean" }).notNull().default(false),
  calendarShowAvailabilityNotSelectable: integer("calendar_show_availability_not_selectable", { mode: "boolean" })
    .notNull()
    .default(true),
  rentingFormFillDataAddress: integer("renting_form_fill_data_address", { mode: "boolean" }).notNull().default(true),
  rentingFormFillDataDriverDetail: integer("renting_form_fill_data_driver_detail", { mode: "boolean" })
    .notNull()
    .default(true),
  rentingFormFillDataFlight: integer("renting_form_fill_data_flight", { mode: "boolean" }).notNull().default(true),
  rentingFormFillDataAdditionalDriver1: integer("renting_form_fill_data_additional_driver_1", { mode: "boolean" })
    .notNull()
    .default(true),
  rentingFormFillDataAdditionalDriver2: integer("renting_form_fill_data_additional_driver_2", { mode: "boolean" })
    .notNull()
    .default(true),
  hidePriceIfZero: integer("hide_price_if_zero", { mode: "boolean" }).notNull().default(false),
  hidePriceIfNotAvailable: integer("hide_price_if_not_available", { mode: "boolean" }).notNull().default(false),
  literalDepositFranchise: text("literal_deposit_franchise", { enum: ["deposit", "franchise"] })
    .notNull()
    .default("deposit"),
  depositLiteral: text("deposit_literal"),
  depositReductionLiteral: text("deposit_reduction_literal"),
  guaranteeLiteral: text("guarantee_literal"),
  guaranteeReductionLiteral: text("guarantee_reduction_literal"),
  driverDepositLiteral: text("driver_deposit_literal"),
  depositTotalLiteral: text("deposit_total_literal"),
  transferAllowSelectReturnOriginDestination: integer("transfer_allow_select_return_origin_destination", {
    mode: "boolean",
  })
    .notNull()
    .default(true),
  transferOriginDestinationDetailedInfoMode: text("transfer_origin_destination_detailed_info_mode", {
    enum: ["trip", "only_address", "flight_address"],
  })
    .notNull()
    .default("trip"),
  transferFormFillBillingAddress: integer("transfer_form_fill_billing_address", { mode: "boolean" })
    .notNull()
    .default(false),
  secondFactorFrom: text("second_factor_from", { enum: ["operator", "agent", "manager", "administrator"] }),
});

/** Names by which the company classifies branch groups, branches and pickup places. */
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
  rentalRegister: text("rental_register", { enum: AUTHORITY_REGISTERS }).notNull().default("ses_hospedajes"),
  taxTerritory: text("tax_territory", { enum: TAX_TERRITORIES }).notNull().default("iva"),
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

/** Repatriation days between two branch groups, instead of the account's setting. */
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

/** Terms and privacy notice that customers read before they book. */
export const legalTexts = sqliteTable("legal_texts", {
  id: integer("id").primaryKey(),
  document: text("document", { enum: ["terms", "privacy"] }).notNull(),
  language: text("language").notNull(),
  url: text("url"),
  text: text("text"),
});

export const specialDates = sqliteTable("special_dates", {
  id: integer("id").primaryKey(),
  branchCode: text("branch_code"),
  date: text("date").notNull(),
  reason: text("reason").notNull().default(""),
});

export const specialDateHours = sqliteTable(
  "special_date_hours",
  {
    specialDateId: integer("special_date_id").notNull(),
    opens: text("opens").notNull(),
    closes: text("closes").notNull(),
  },
  (table) => [primaryKey({ columns: [table.specialDateId, table.opens] })],
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

/** Texts of catalogue entities in the account's other languages. The entity itself has the default language. */
export const translations = sqliteTable(
  "translations",
  {
    entity: text("entity", {
      enum: [
        "branch",
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
