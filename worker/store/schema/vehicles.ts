import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

// Columns of migrations/0001_catalogue.sql, which defines the constraints and indexes. A test compares them.

export const families = sqliteTable("families", {
  id: integer("id").primaryKey(),
  parentId: integer("parent_id"),
  code: text("code").notNull(),
  name: text("name").notNull(),
});

export const categories = sqliteTable("categories", {
  code: text("code").primaryKey(),
  name: text("name").notNull(),
  shortDescription: text("short_description").notNull().default(""),
  description: text("description").notNull().default(""),
  familyId: integer("family_id"),
  active: integer("active", { mode: "boolean" }).notNull().default(true),
  webPublic: integer("web_public", { mode: "boolean" }).notNull().default(true),
  position: integer("position").notNull().default(0),
  vatBasisPoints: integer("vat_basis_points").notNull(),
  depositCents: integer("deposit_cents").notNull().default(0),
  guaranteeCents: integer("guarantee_cents").notNull().default(0),
  supplement1Cents: integer("supplement_1_cents").notNull().default(0),
  supplement2Cents: integer("supplement_2_cents").notNull().default(0),
  supplement3Cents: integer("supplement_3_cents").notNull().default(0),
  doors: integer("doors"),
  seats: integer("seats"),
  suitcases: integer("suitcases"),
  transmission: text("transmission", { enum: ["manual", "automatic"] }),
  fuel: text("fuel", { enum: ["none", "petrol", "diesel", "electric", "hybrid"] }),
  airConditioner: integer("air_conditioner", { mode: "boolean" }).notNull().default(false),
  createdAt: integer("created_at").notNull(),
  lastUpdate: integer("last_update").notNull(),
  fuelEighthCents: integer("fuel_eighth_cents").notNull().default(0),
  kilometresPerDay: integer("kilometres_per_day"),
  extraKilometreCents: integer("extra_kilometre_cents").notNull().default(0),
  acrissCode: text("acriss_code"),
});

export const categoryPhotos = sqliteTable(
  "category_photos",
  {
    categoryCode: text("category_code").notNull(),
    position: integer("position").notNull(),
    photoPath: text("photo_path").notNull(),
    fullPhotoPath: text("full_photo_path").notNull(),
  },
  (table) => [primaryKey({ columns: [table.categoryCode, table.position] })],
);

export const cataloguePhotos = sqliteTable("catalogue_photos", {
  hash: text("hash").primaryKey(),
  contentType: text("content_type", { enum: ["image/jpeg", "image/png"] }).notNull(),
  sizeBytes: integer("bytes").notNull(),
  createdBy: text("created_by").notNull(),
  createdAt: integer("created_at").notNull(),
});

export const vehicles = sqliteTable("vehicles", {
  id: integer("id").primaryKey(),
  reference: text("reference").notNull(),
  name: text("name").notNull(),
  categoryCode: text("category_code").notNull(),
  branchGroupId: integer("branch_group_id").notNull(),
  ownerBranchGroupId: integer("owner_branch_group_id").notNull(),
  branchCode: text("branch_code").notNull(),
  brand: text("brand"),
  model: text("model"),
  plate: text("plate"),
  alias: text("alias"),
  color: text("color"),
  vin: text("vin"),
  characteristic1: text("characteristic_1"),
  characteristic2: text("characteristic_2"),
  characteristic3: text("characteristic_3"),
  characteristic4: text("characteristic_4"),
  ownProperty: integer("own_property", { mode: "boolean" }).notNull().default(true),
  acquisitionMode: text("acquisition_mode", {
    enum: ["purchase", "renting", "rented", "supplier", "virtual"],
  })
    .notNull()
    .default("purchase"),
  acquisitionDate: text("acquisition_date"),
  soldReleaseDate: text("sold_release_date"),
  purchasePriceCents: integer("purchase_price_cents"),
  purchaseUnits: integer("purchase_units"),
  salePriceCents: integer("sale_price_cents"),
  rentingMonthlyFeeCents: integer("renting_monthly_fee_cents"),
  insuranceMonthlyFeeCents: integer("insurance_monthly_fee_cents"),
  rentingDuration: integer("renting_duration"),
  usageUnits: integer("usage_units").notNull().default(0),
  usageAvailableFuel: text("usage_available_fuel"),
  fuel: text("fuel", { enum: ["none", "petrol", "diesel", "electric", "hybrid"] })
    .notNull()
    .default("none"),
  tankCapacityHundredths: integer("tank_capacity_hundredths"),
  active: integer("active", { mode: "boolean" }).notNull().default(true),
  assignable: integer("assignable", { mode: "boolean" }).notNull().default(true),
  version: integer("version").notNull().default(1),
  createdAt: integer("created_at").notNull(),
  lastUpdate: integer("last_update").notNull(),
  stateAt: integer("as_of"),
  readAt: integer("read_at"),
  parkingPlace: text("parking_place"),
  keyNumber: text("key_number"),
  needsCleaning: integer("needs_cleaning", { mode: "boolean" }).notNull().default(false),
  needsFuel: integer("needs_fuel", { mode: "boolean" }).notNull().default(false),
  inspectionDue: text("inspection_due"),
  insuredUntil: text("insured_until"),
  serviceDue: text("service_due"),
  serviceDueUnits: integer("service_due_units"),
});

export const vehicleBlocks = sqliteTable("vehicle_blocks", {
  id: integer("id").primaryKey(),
  vehicleReference: text("vehicle_reference").notNull(),
  kind: text("kind", { enum: ["workshop", "transfer", "other", "away"] }).notNull(),
  startsAt: integer("starts_at").notNull(),
  endsAt: integer("ends_at").notNull(),
  reason: text("reason").notNull().default(""),
  version: integer("version").notNull().default(1),
});

/**
 * Version of a vehicle or block on which a batch was decided. A trigger aborts the batch if it changed. Stores no rows.
 */
export const fleetVersionGuards = sqliteTable("fleet_version_guards", {
  vehicleReference: text("vehicle_reference"),
  blockId: integer("block_id"),
  version: integer("version").notNull(),
});

export const vehicleHistory = sqliteTable("vehicle_history", {
  id: integer("id").primaryKey(),
  vehicleReference: text("vehicle_reference").notNull(),
  at: integer("at").notNull(),
  actor: text("actor").notNull(),
  event: text("event", {
    enum: ["created", "changed", "blocked", "block_changed", "unblocked", "moved", "retired", "repaired"],
  }).notNull(),
  detail: text("detail").notNull().default("{}"),
});

/** Plan to service vehicles after a number of kilometres or months. */
export const servicePlans = sqliteTable("service_plans", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
  categoryCode: text("category_code"),
  vehicleReference: text("vehicle_reference"),
  everyUnits: integer("every_units"),
  everyMonths: integer("every_months"),
  active: integer("active", { mode: "boolean" }).notNull().default(true),
});

/** Maintenance of a vehicle. */
export const vehicleServices = sqliteTable("vehicle_services", {
  id: integer("id").primaryKey(),
  vehicleReference: text("vehicle_reference").notNull(),
  servicePlanId: integer("service_plan_id"),
  date: text("date").notNull(),
  usageUnits: integer("usage_units").notNull(),
  work: text("work").notNull(),
  costCents: integer("cost_cents").notNull().default(0),
  inExpenses: integer("in_expenses", { mode: "boolean" }).notNull().default(false),
  note: text("note").notNull().default(""),
  /** Expense recorded for this maintenance. */
  expenseId: integer("expense_id"),
});
