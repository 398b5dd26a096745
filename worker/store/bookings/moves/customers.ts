import { sql } from "drizzle-orm";
import { isCustomerVisibleTo } from "#worker/store/access/customers.ts";
import type { Database } from "#worker/store/database.ts";
import { customers } from "#worker/store/schema/people.ts";

/**
 * A customer of the branches of a user, by the id: whoever was merged is whom they were merged into. No row where there
 * is none, nor of somebody who was erased: ids can be counted through, and what is sold to one tells who it is.
 */
export function customerQuery(db: Database, id: number, userId: number) {
  const currentCustomerId = sql`coalesce((SELECT merged_into_id FROM customers WHERE id = ${id}), ${id})`;
  return db
    .select()
    .from(customers)
    .where(
      sql`${customers.id} = ${currentCustomerId} AND ${customers.erasedAt} IS NULL AND ${isCustomerVisibleTo(userId)}`,
    );
}

export type CustomerRow = typeof customers.$inferSelect;
