import { eq, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { users } from "#worker/store/schema/people.ts";
import { webhooks } from "#worker/store/schema/webhooks.ts";

/** Returns the query for one webhook with its encrypted keys. */
export function webhookQuery(db: Database, id: number) {
  return db.select().from(webhooks).where(eq(webhooks.id, id));
}

/** Reads the administrators to notify of a disabled webhook. */
export async function readAdministratorsToNotify(db: Database) {
  const [item] = await db.batch([
    db
      .select({ email: users.email, language: users.language })
      .from(users)
      .where(sql`${users.role} = 'administrator' AND ${users.active} = 1`)
      .limit(10),
  ]);
  return item;
}
