import { and, eq, or, sql } from "drizzle-orm";
import type { SortableListName } from "#domain/reporting/list-sort.ts";
import type { Database } from "#worker/store/database.ts";
import { userViews } from "#worker/store/schema/views.ts";

/** A saved view of a list. */
export interface NewSavedView {
  readonly list: SortableListName;
  readonly name: string;
  /** Filters and sort as a URL query. */
  readonly query: string;
  readonly isShared: boolean;
}

/** Returns the query for the views that a user sees: own and shared ones, by name. */
export const savedViewsQuery = (db: Database, userId: number) =>
  db
    .select()
    .from(userViews)
    .where(or(eq(userViews.userId, userId), eq(userViews.shared, 1)))
    .orderBy(userViews.name, userViews.id);

/** Returns the query for a view that the user sees. */
export const savedViewQuery = (db: Database, id: number, userId: number) =>
  db
    .select()
    .from(userViews)
    .where(and(eq(userViews.id, id), or(eq(userViews.userId, userId), eq(userViews.shared, 1))));

/** Returns the query for the id of the next view and the number of views that the user has. */
export const nextSavedViewIdQuery = (db: Database, userId: number) =>
  db
    .select({
      id: sql<number>`coalesce((SELECT seq FROM sqlite_sequence WHERE name = 'user_views'), 0) + 1`.as("next_id"),
      owned: sql<number>`(SELECT count(*) FROM user_views WHERE user_id = ${userId})`.as("owned"),
    })
    .from(sql`(SELECT 1)`);

/** Returns the statement that stores a new view. */
export const newSavedViewStatement = (
  db: Database,
  { list, name, query, isShared }: NewSavedView,
  owner: { readonly id: number; readonly userId: number; readonly at: number },
) =>
  db
    .insert(userViews)
    .values({ id: owner.id, userId: owner.userId, list, name, query, shared: isShared ? 1 : 0, createdAt: owner.at });

/** Returns the statement that deletes a view. */
export const deleteSavedViewStatement = (db: Database, id: number) => db.delete(userViews).where(eq(userViews.id, id));
