import { eq } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { accountSecrets } from "#worker/store/schema/access.ts";

type Name = (typeof accountSecrets.$inferSelect)["name"];

export const accountSecretQuery = (db: Database, name: Name) =>
  db.select().from(accountSecrets).where(eq(accountSecrets.name, name));

/** A sealed secret of the account by its name; undefined where there is none. */
export async function findAccountSecret(db: Database, name: Name): Promise<string | undefined> {
  const [rows] = await db.batch([accountSecretQuery(db, name)]);
  return rows[0]?.sealed;
}

/** Keeps a sealed secret where there is none of that name yet; the one that is kept, whoever was first. */
export async function keepFirstSecret(db: Database, name: Name, sealed: string): Promise<string> {
  const insert = db.insert(accountSecrets).values({ name, sealed }).onConflictDoNothing();
  const [, rows] = await db.batch([insert, accountSecretQuery(db, name)]);
  return rows[0]?.sealed ?? sealed;
}
