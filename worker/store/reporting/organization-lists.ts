import { eq, getTableColumns, sql } from "drizzle-orm";
import { classifiers, pickupPlaces, rentalLocations, rentalStorages } from "#worker/store/schema/organization.ts";
import { customers } from "#worker/store/schema/people.ts";
import { bookingCategories, families } from "#worker/store/schema/vehicles.ts";
import { LIMIT, type ListDefinition, listQueries, partOf } from "./list.ts";

const classifierName = sql<string | null>`${classifiers.name}`.as("classifier_name");

const updated = (table: string) =>
  ({ updatedFrom: (at) => sql`${sql.raw(table)}.last_update >= ${at}` }) satisfies ListDefinition<never>["filters"];

export const rentalStoragesQueries = listQueries({
  table: "rental_storages",
  key: "id",
  counter: "rental_storages",
  filters: updated("rental_storages"),
  rows: (db, { from, where, order, offset }) =>
    db
      .select({ ...getTableColumns(rentalStorages), classifierName })
      .from(partOf(rentalStorages, from))
      .leftJoin(classifiers, eq(classifiers.id, rentalStorages.classifierId))
      .where(where)
      .orderBy(...order)
      .limit(LIMIT)
      .offset(offset),
});

export const rentalLocationsQueries = listQueries({
  table: "rental_locations",
  key: "code",
  counter: "rental_locations",
  filters: {
    ...updated("rental_locations"),
    rentalStorageId: (id) => sql`rental_locations.rental_storage_id = ${id}`,
    rentalLocationCode: (code) => sql`rental_locations.code = ${code}`,
  },
  rows: (db, { from, where, order, offset }) =>
    db
      .select({ ...getTableColumns(rentalLocations), classifierName })
      .from(partOf(rentalLocations, from))
      .leftJoin(classifiers, eq(classifiers.id, rentalLocations.classifierId))
      .where(where)
      .orderBy(...order)
      .limit(LIMIT)
      .offset(offset),
});

export const pickupPlacesQueries = listQueries({
  table: "pickup_places",
  key: "id",
  counter: "pickup_places",
  filters: {
    ...updated("pickup_places"),
    rentalLocationCode: (code) => sql`pickup_places.rental_location_code = ${code}`,
  },
  rows: (db, { from, where, order, offset }) =>
    db
      .select({ ...getTableColumns(pickupPlaces), classifierName })
      .from(partOf(pickupPlaces, from))
      .leftJoin(classifiers, eq(classifiers.id, pickupPlaces.classifierId))
      .where(where)
      .orderBy(...order)
      .limit(LIMIT)
      .offset(offset),
});

export const bookingCategoriesQueries = listQueries({
  table: "booking_categories",
  key: "code",
  counter: "booking_categories",
  filters: updated("booking_categories"),
  rows: (db, { from, where, order, offset }) =>
    db
      .select({
        code: bookingCategories.code,
        name: bookingCategories.name,
        familyId: bookingCategories.familyId,
        familyName: sql<string | null>`${families.name}`.as("family_name"),
        active: bookingCategories.active,
        webPublic: bookingCategories.webPublic,
        createdAt: bookingCategories.createdAt,
        lastUpdate: bookingCategories.lastUpdate,
      })
      .from(partOf(bookingCategories, from))
      .leftJoin(families, eq(families.id, bookingCategories.familyId))
      .where(where)
      .orderBy(...order)
      .limit(LIMIT)
      .offset(offset),
});

export const customersQueries = listQueries({
  table: "customers",
  key: "id",
  counter: "customers",
  filters: { ...updated("customers"), rentalLocationCode: (code) => sql`customers.rental_location_code = ${code}` },
  rows: (db, { from, where, order, offset }) =>
    db
      .select(getTableColumns(customers))
      .from(partOf(customers, from))
      .where(where)
      .orderBy(...order)
      .limit(LIMIT)
      .offset(offset),
});
