import { and, asc, eq, gt, lte, sql } from "drizzle-orm";
import type { Database } from "./database.ts";
import { outgoingMails } from "./schema/outgoing-mails.ts";

/** A mail that could not be handed over; times in epoch ms. */
export interface UnsentMail {
  readonly sealed: string;
  readonly subject: string;
  readonly nextAt: number;
  readonly uselessAt: number;
  readonly lastError: string;
  readonly createdAt: number;
}

export async function keepUnsent(db: Database, mail: UnsentMail): Promise<void> {
  await db.batch([db.insert(outgoingMails).values(mail)]);
}

/** Of a mail: its turn has come. */
export const mailDue = (now: number) => lte(outgoingMails.nextAt, now);

/** The mails whose turn it is again, the oldest first; those of no more use are forgotten. */
export async function takeDue(db: Database, now: number, most: number) {
  const [, due] = await db.batch([
    db.delete(outgoingMails).where(lte(outgoingMails.uselessAt, now)),
    db
      .select()
      .from(outgoingMails)
      .where(and(mailDue(now), gt(outgoingMails.uselessAt, now)))
      .orderBy(asc(outgoingMails.nextAt))
      .limit(most),
  ]);
  return due;
}

export async function forgetSent(db: Database, id: number): Promise<void> {
  await db.batch([db.delete(outgoingMails).where(eq(outgoingMails.id, id))]);
}

export async function postpone(db: Database, id: number, nextAt: number, lastError: string): Promise<void> {
  await db.batch([
    db.update(outgoingMails).set({ nextAt, lastError, attempts: sql`attempts + 1` }).where(eq(outgoingMails.id, id)),
  ]);
}
