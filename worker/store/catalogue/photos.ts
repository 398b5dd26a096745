import { eq, sql } from "drizzle-orm";
import type { Database, Query } from "#worker/store/database.ts";
import { catalogueVersion } from "#worker/store/schema/catalogue-version.ts";
import { cataloguePhotos } from "#worker/store/schema/vehicles.ts";

export type PhotoRow = typeof cataloguePhotos.$inferSelect;

/** Returns the query for the number of uploaded photos. */
export function photoCountQuery(db: Database) {
  return db
    .select({ photos: sql<number>`(SELECT count(*) FROM catalogue_photos)`.as("photo_count") })
    .from(catalogueVersion);
}

/** Returns the query for an uploaded photo. */
export function photoQuery(db: Database, hash: string) {
  return db.select().from(cataloguePhotos).where(eq(cataloguePhotos.hash, hash));
}

/** Returns the statement that records a photo, unless it is known. */
export function newPhotoStatement(db: Database, photo: PhotoRow): Query {
  return db.insert(cataloguePhotos).values(photo).onConflictDoNothing();
}

/** Returns the object path of a photo. */
export const getPhotoPath = (hash: string) => `photos/${hash}`;
