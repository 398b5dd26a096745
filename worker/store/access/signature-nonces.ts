import { lte } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { signatureNonces } from "#worker/store/schema/access.ts";

/** Uses a nonce until a given time (epoch ms). Returns false if it was already used. */
export async function saveNewSignatureNonce(
  db: Database,
  nonce: { readonly nonceHash: string; readonly expiresAt: number },
  now: number,
): Promise<boolean> {
  const [, item] = await db.batch([
    db.delete(signatureNonces).where(lte(signatureNonces.expiresAt, now)),
    db.insert(signatureNonces).values(nonce).onConflictDoNothing().returning({ nonceHash: signatureNonces.nonceHash }),
  ]);
  return item.length > 0;
}
