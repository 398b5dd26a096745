import { eq } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { customers } from "#worker/store/schema/people.ts";

/** A customer of the company, by the id; no row where there is none. */
export function customerQuery(db: Database, id: number) {
  return db.select().from(customers).where(eq(customers.id, id));
}

export type CustomerRow = typeof customers.$inferSelect;
