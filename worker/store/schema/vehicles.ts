import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

// The columns of migrations/0002_fleet.sql, where constraints and indexes live; a test compares the two.

export const families = sqliteTable("families", {
  id: integer("id").primaryKey(),
  parentId: integer("parent_id"),
  code: text("code").notNull(),
  name: text("name").notNull(),
});

export const bookingCategories = sqliteTable("booking_categories", {
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
  // Added by migrations/0012_check_in.sql.
  fuelEighthCents: integer("fuel_eighth_cents").notNull().default(0),
  kilometresPerDay: integer("kilometres_per_day"),
  extraKilometreCents: integer("extra_kilometre_cents").notNull().default(0),
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

export const bookingItems = sqliteTable("booking_items", {
  id: integer("id").primaryKey(),
  reference: text("reference").notNull(),
  name: text("name").notNull(),
  categoryCode: text("category_code").notNull(),
  rentalStorageId: integer("rental_storage_id").notNull(),
  ownerRentalStorageId: integer("owner_rental_storage_id").notNull(),
  rentalLocationCode: text("rental_location_code").notNull(),
  stockBrand: text("stock_brand"),
  stockModel: text("stock_model"),
  stockPlate: text("stock_plate"),
  stockReference: text("stock_reference"),
  stockColor: text("stock_color"),
  characteristic1: text("characteristic_1"),
  characteristic2: text("characteristic_2"),
  characteristic3: text("characteristic_3"),
  characteristic4: text("characteristic_4"),
  ownProperty: integer("own_property", { mode: "boolean" }).notNull().default(true),
  purchasableAcquisitionMode: text("purchasable_acquisition_mode", {
    enum: ["purchase", "renting", "rented", "supplier", "virtual"],
  })
    .notNull()
    .default("purchase"),
  purchasableAdquisitionDate: text("purchasable_adquisition_date"),
  purchasableSoldReleaseDate: text("purchasable_sold_release_date"),
  purchasablePurchasePriceCents: integer("purchasable_purchase_price_cents"),
  purchasablePurchaseUnits: integer("purchasable_purchase_units"),
  purchasableSalePriceCents: integer("purchasable_sale_price_cents"),
  purchasableRentingMonthlyFeeCents: integer("purchasable_renting_monthly_fee_cents"),
  purchasableInsuranceMonthlyFeeCents: integer("purchasable_insurance_monthly_fee_cents"),
  purchasableRentingDuration: integer("purchasable_renting_duration"),
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
});

export const itemBlocks = sqliteTable("item_blocks", {
  id: integer("id").primaryKey(),
  bookingItemReference: text("booking_item_reference").notNull(),
  kind: text("kind", { enum: ["workshop", "transfer", "other"] }).notNull(),
  startsAt: integer("starts_at").notNull(),
  endsAt: integer("ends_at").notNull(),
  reason: text("reason").notNull().default(""),
});
