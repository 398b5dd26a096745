import { eq, sql } from "drizzle-orm";
import type { CustomerType } from "#domain/bookings/bookings.ts";
import type { Database } from "#worker/store/database.ts";
import { customers } from "#worker/store/schema/people.ts";

/** A customer of the company, by the id; no row where there is none. */
export function customerQuery(db: Database, id: number) {
  return db.select().from(customers).where(eq(customers.id, id));
}

export type CustomerRow = typeof customers.$inferSelect;

/** What the record of a customer says that they are. */
export const typeOfCustomer = (id: number) =>
  sql<CustomerType>`coalesce((SELECT customer_type FROM customers WHERE id = ${id}), bookings.customer_type)`;
