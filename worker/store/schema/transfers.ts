import { integer, primaryKey, sqliteTable, text } from "drizzle-orm/sqlite-core";

// Columns of migrations/0004_transfers.sql, which defines the constraints and indexes. A test compares them.

export const transferZones = sqliteTable("transfer_zones", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
});

export const transferPoints = sqliteTable("transfer_points", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
  pointType: text("point_type", { enum: ["location", "airport", "harbor", "bus_station", "train_station"] }).notNull(),
  zoneId: integer("zone_id"),
  position: integer("position").notNull().default(0),
  active: integer("active", { mode: "boolean" }).notNull().default(true),
});

export const transferVehicles = sqliteTable("transfer_vehicles", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
  shortDescription: text("short_description").notNull().default(""),
  description: text("description").notNull().default(""),
  branchCode: text("branch_code").notNull(),
  seats: integer("seats").notNull(),
  infantPlaces: integer("infant_places").notNull().default(0),
  luggage: integer("luggage").notNull().default(0),
  units: integer("units").notNull(),
  preparationMinutes: integer("preparation_minutes").notNull().default(30),
  vatBasisPoints: integer("vat_basis_points").notNull(),
  photoPath: text("photo_path"),
  photoFullPath: text("photo_full_path"),
  position: integer("position").notNull().default(0),
  active: integer("active", { mode: "boolean" }).notNull().default(true),
});

export const transferPrices = sqliteTable("transfer_prices", {
  id: integer("id").primaryKey(),
  transferVehicleId: integer("transfer_vehicle_id").notNull(),
  fromPointId: integer("from_point_id"),
  fromZoneId: integer("from_zone_id"),
  toPointId: integer("to_point_id"),
  toZoneId: integer("to_zone_id"),
  bothWays: integer("both_ways", { mode: "boolean" }).notNull().default(true),
  minutes: integer("minutes").notNull(),
  priceCents: integer("price_cents").notNull(),
});

export const transferExtras = sqliteTable("transfer_extras", {
  id: integer("id").primaryKey(),
  code: text("code").notNull(),
  name: text("name").notNull(),
  description: text("description").notNull().default(""),
  pricePer: text("price_per", { enum: ["trip", "reservation"] }).notNull(),
  priceCents: integer("price_cents").notNull(),
  maxQuantity: integer("max_quantity").notNull().default(1),
  vatBasisPoints: integer("vat_basis_points").notNull(),
  photoPath: text("photo_path"),
  photoFullPath: text("photo_full_path"),
  position: integer("position").notNull().default(0),
  active: integer("active", { mode: "boolean" }).notNull().default(true),
});

export const transferSupplements = sqliteTable("transfer_supplements", {
  id: integer("id").primaryKey(),
  name: text("name").notNull(),
  timeFrom: text("time_from"),
  timeTo: text("time_to"),
  dateFrom: text("date_from"),
  dateTo: text("date_to"),
  transferPointId: integer("transfer_point_id"),
  valueType: text("value_type", { enum: ["percentage", "amount"] }).notNull(),
  value: integer("value").notNull(),
  position: integer("position").notNull().default(0),
  active: integer("active", { mode: "boolean" }).notNull().default(true),
});

export const transferBookings = sqliteTable("transfer_bookings", {
  bookingId: integer("booking_id").primaryKey(),
  transferVehicleId: integer("transfer_vehicle_id").notNull(),
  vehicleName: text("vehicle_name").notNull(),
  adults: integer("adults").notNull(),
  children: integer("children").notNull(),
  infants: integer("infants").notNull(),
  vatBasisPoints: integer("vat_basis_points").notNull(),
});

export const transferTrips = sqliteTable(
  "transfer_trips",
  {
    bookingId: integer("booking_id").notNull(),
    position: integer("position").notNull(),
    date: text("date").notNull(),
    time: text("time").notNull(),
    originPointId: integer("origin_point_id").notNull(),
    destinationPointId: integer("destination_point_id").notNull(),
    originName: text("origin_name").notNull(),
    destinationName: text("destination_name").notNull(),
    minutes: integer("minutes").notNull(),
    priceCents: integer("price_cents").notNull(),
  },
  (table) => [primaryKey({ columns: [table.bookingId, table.position] })],
);

export const transferBookingExtras = sqliteTable(
  "transfer_booking_extras",
  {
    bookingId: integer("booking_id").notNull(),
    transferExtraId: integer("transfer_extra_id").notNull(),
    name: text("name").notNull(),
    quantity: integer("quantity").notNull(),
    unitCents: integer("unit_cents").notNull(),
    discountCents: integer("discount_cents").notNull().default(0),
    extraCents: integer("extra_cents").notNull(),
    vatBasisPoints: integer("vat_basis_points").notNull(),
  },
  (table) => [primaryKey({ columns: [table.bookingId, table.transferExtraId] })],
);

export const transferBookingSupplements = sqliteTable(
  "transfer_booking_supplements",
  {
    bookingId: integer("booking_id").notNull(),
    transferSupplementId: integer("transfer_supplement_id").notNull(),
    name: text("name").notNull(),
    supplementCents: integer("supplement_cents").notNull(),
  },
  (table) => [primaryKey({ columns: [table.bookingId, table.transferSupplementId] })],
);
