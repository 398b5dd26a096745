import { eq } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { accountSecrets } from "#worker/store/schema/access.ts";

/** A sealed secret of the account by its name; undefined where there is none. */
export async function findAccountSecret(db: Database, name: "turnstile"): Promise<string | undefined> {
  const [rows] = await db.batch([db.select().from(accountSecrets).where(eq(accountSecrets.name, name))]);
  return rows[0]?.sealed;
}
