import { eq } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { accountSecrets } from "#worker/store/schema/access.ts";

type Name = (typeof accountSecrets.$inferSelect)["name"];

export const accountSecretQuery = (db: Database, name: Name) =>
  db.select().from(accountSecrets).where(eq(accountSecrets.name, name));

/** Returns an encrypted secret of the account by name. Undefined if not set. */
export async function findAccountSecret(db: Database, name: Name): Promise<string | undefined> {
  const [rows] = await db.batch([accountSecretQuery(db, name)]);
  return rows[0]?.sealed;
}

/** Stores an encrypted secret if the name is unused. Returns the stored one, which may be from a concurrent caller. */
export async function saveAccountSecretIfMissing(db: Database, name: Name, sealed: string): Promise<string> {
  const insert = db.insert(accountSecrets).values({ name, sealed }).onConflictDoNothing();
  const [, rows] = await db.batch([insert, accountSecretQuery(db, name)]);
  return rows[0]?.sealed ?? sealed;
}

/** Returns the statement that stores an encrypted secret, or replaces it. `expiresAt` is in epoch ms. */
export const replaceAccountSecretStatement = (db: Database, name: Name, sealed: string, expiresAt: number) =>
  db
    .insert(accountSecrets)
    .values({ name, sealed, expiresAt })
    .onConflictDoUpdate({ target: accountSecrets.name, set: { sealed, expiresAt } });

/** Returns the statement that deletes a secret. */
export const deleteAccountSecretStatement = (db: Database, name: Name) =>
  db.delete(accountSecrets).where(eq(accountSecrets.name, name));
