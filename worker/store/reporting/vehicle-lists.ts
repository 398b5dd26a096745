import { eq, getTableColumns, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import { rentalLocations, rentalStorages } from "#worker/store/schema/organization.ts";
import { bookingCategories, bookingItems } from "#worker/store/schema/vehicles.ts";
import { LIMIT, type ListDefinition, listQueries, partOf } from "./list.ts";

// A vehicle is known by its reference; those that come later come last.
const fleet = {
  table: "booking_items",
  key: "id",
  cursor: (reference) => sql`(SELECT id FROM booking_items WHERE reference = ${reference})`,
  counter: "booking_items",
  filters: {
    updatedFrom: (at) => sql`booking_items.last_update >= ${at}`,
    rentalLocationCode: (code) => sql`booking_items.rental_location_code = ${code}`,
    rentalStorageId: (id) => sql`booking_items.rental_storage_id = ${id}`,
  },
} satisfies Omit<ListDefinition<never>, "rows">;

export const bookingItemsQueries = listQueries({
  ...fleet,
  rows: (db, { from, where, order, offset }) =>
    db
      .select(getTableColumns(bookingItems))
      .from(partOf(bookingItems, from))
      .where(where)
      .orderBy(...order)
      .limit(LIMIT)
      .offset(offset),
});

const owners = alias(rentalStorages, "owners");

/** The fleet with the names that a screen shows beside it. */
export const namedBookingItemsQueries = listQueries({
  ...fleet,
  rows: (db, { from, where, order, offset }) =>
    db
      .select({
        ...getTableColumns(bookingItems),
        categoryName: sql<string>`${bookingCategories.name}`.as("category_name"),
        rentalStorageName: sql<string>`${rentalStorages.name}`.as("storage_name"),
        ownerRentalStorageName: sql<string>`${owners.name}`.as("owner_name"),
        rentalLocationName: sql<string>`${rentalLocations.name}`.as("location_name"),
      })
      .from(partOf(bookingItems, from))
      .leftJoin(bookingCategories, eq(bookingCategories.code, bookingItems.categoryCode))
      .leftJoin(rentalStorages, eq(rentalStorages.id, bookingItems.rentalStorageId))
      .leftJoin(owners, eq(owners.id, bookingItems.ownerRentalStorageId))
      .leftJoin(rentalLocations, eq(rentalLocations.code, bookingItems.rentalLocationCode))
      .where(where)
      .orderBy(...order)
      .limit(LIMIT)
      .offset(offset),
});
