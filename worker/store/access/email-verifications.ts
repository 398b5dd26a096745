import { and, eq, gt, inArray, lt, lte, type SQLWrapper, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { insertMailIfStatement, type OutgoingMail } from "#worker/store/mails/outgoing-mails.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { bookingHistory, bookings } from "#worker/store/schema/bookings.ts";
import { emailVerifications, users } from "#worker/store/schema/people.ts";

const HOUR = 3_600_000;

/**
 * Saves a link's hash and its mail, for a user with this unverified e-mail and no such mail in the last hour. Returns
 * the mail's id.
 */
export async function saveEmailVerification(
  db: Database,
  { tokenHash, email, expiresAt }: { readonly tokenHash: string; readonly email: string; readonly expiresAt: number },
  mail: OutgoingMail,
  now: number,
): Promise<number | undefined> {
  const life = expiresAt - now;
  const open = sql`FROM users WHERE email = ${email} AND unverified_since IS NOT NULL AND active = 1 AND NOT EXISTS (SELECT 1
    FROM email_verifications WHERE user_id = users.id AND expires_at > ${now + life - HOUR} AND token_hash <> ${tokenHash})`;
  const [, , item] = await db.batch([
    db.delete(emailVerifications).where(lte(emailVerifications.expiresAt, now)),
    db
      .insert(emailVerifications)
      .select(selectRowToInsert(emailVerifications, { tokenHash, userId: sql`users.id`, expiresAt }, open)),
    insertMailIfStatement(db, mail, sql`EXISTS (SELECT 1 FROM email_verifications WHERE token_hash = ${tokenHash})`),
  ]);
  return item[0]?.id;
}

/**
 * Returns the statement that records in the reservations of users, before their address is verified, that it is. Mails
 * then report the reservations' current state, because no earlier mail was sent.
 */
export function recordVerificationStatement(db: Database, userIds: SQLWrapper, now: number) {
  const { id, customerId, madeByCustomerId, createdAt, status } = bookings;
  const isOwnOpen = and(
    inArray(users.id, userIds),
    eq(users.active, true),
    lt(users.unverifiedSince, createdAt),
    eq(madeByCustomerId, users.customerId),
    inArray(status, ["pending_confirmation", "confirmed"]),
  );
  const entry = {
    bookingId: sql`${id}`,
    at: now,
    actor: sql`'customer:' || ${customerId}`,
    event: "changed",
    detail: JSON.stringify({ emailVerified: true }),
  } as const;
  const source = sql`FROM ${users} JOIN ${bookings} ON ${customerId} = ${users.customerId} WHERE ${isOwnOpen}`;
  return db.insert(bookingHistory).select(selectRowToInsert(bookingHistory, entry, source));
}

/** Uses a link by its hashes and verifies its user's address. Returns false for an unknown or expired link. */
export async function consumeEmailVerification(
  db: Database,
  tokenHashes: readonly string[],
  now: number,
): Promise<boolean> {
  const owner = db
    .select({ userId: emailVerifications.userId })
    .from(emailVerifications)
    .where(and(inArray(emailVerifications.tokenHash, [...tokenHashes]), gt(emailVerifications.expiresAt, now)));
  const [, proved] = await db.batch([
    recordVerificationStatement(db, owner, now),
    db
      .update(users)
      .set({ unverifiedSince: null, lastUpdate: now })
      .where(and(inArray(users.id, owner), eq(users.active, true)))
      .returning({ id: users.id }),
  ]);
  return proved.length > 0;
}
