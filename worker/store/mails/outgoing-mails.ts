import { asc, eq, inArray, lte, type SQL, sql } from "drizzle-orm";
import type { Database, Query } from "#worker/store/database.ts";
import { selectRowsToInsert } from "#worker/store/new-rows.ts";
import type { QueryInstant } from "#worker/store/prepared-queries.ts";
import { outgoingMails } from "#worker/store/schema/outgoing-mails.ts";

/** Mail that hasn't been sent. Times in epoch ms. */
export interface OutgoingMail {
  readonly sealed: string;
  readonly subject: string;
  readonly nextAt: number;
  readonly uselessAt: number;
  readonly createdAt: number;
}

/** Error text of a mail whose first attempt is in progress: none yet. */
const UNDER_WAY = "";

/** Returns the query that saves a mail under a condition. Returns its id. */
export function insertMailIfStatement(db: Database, mail: OutgoingMail, where: SQL) {
  const row = selectRowsToInsert(outgoingMails, [{ ...mail, id: null, attempts: 1, lastError: UNDER_WAY }]);
  return db.insert(outgoingMails).select(sql`${row} WHERE ${where}`).returning({ id: outgoingMails.id });
}

/** Returns the statement that saves a mail in the batch of its cause. */
export function enqueueMailStatement(db: Database, mail: OutgoingMail): Query {
  return insertMailIfStatement(db, mail, sql`true`);
}

/** Returns the id of a saved mail by its encrypted content, which is unique. */
export async function findMailId(db: Database, sealed: string): Promise<number | undefined> {
  const [[row]] = await db.batch([
    db.select({ id: outgoingMails.id }).from(outgoingMails).where(eq(outgoingMails.sealed, sealed)),
  ]);
  return row?.id;
}

/** Saves a mail. Returns its id. */
export async function enqueueMail(db: Database, mail: OutgoingMail): Promise<number | undefined> {
  const [item] = await db.batch([insertMailIfStatement(db, mail, sql`true`)]);
  return item[0]?.id;
}

/** Saves the last error of a mail without changing its next attempt. */
export async function saveMailProblem(db: Database, id: number, lastError: string): Promise<void> {
  await db.batch([db.update(outgoingMails).set({ lastError }).where(eq(outgoingMails.id, id))]);
}

/** Condition for an unsent mail whose next attempt is due. */
export const isMailDueSql = (now: QueryInstant) => lte(outgoingMails.nextAt, now);

/** Lease of claimed mails, so that two cron runs don't send the same mail. */
const LEASE_MILLISECONDS = 10 * 60_000;

/** Claims the due mails, oldest first. Deletes expired ones. */
export async function claimDueMails(db: Database, now: number, limit: number) {
  const due = db
    .select({ id: outgoingMails.id })
    .from(outgoingMails)
    .where(isMailDueSql(now))
    .orderBy(asc(outgoingMails.nextAt))
    .limit(limit);
  const [, item] = await db.batch([
    db.delete(outgoingMails).where(lte(outgoingMails.uselessAt, now)),
    db
      .update(outgoingMails)
      .set({ nextAt: now + LEASE_MILLISECONDS })
      .where(inArray(outgoingMails.id, due))
      .returning(),
  ]);
  return item;
}

/** Deletes a sent mail. `relatedQueries` run in the same batch. */
export async function deleteSentMail(db: Database, id: number, relatedQueries: readonly Query[] = []): Promise<void> {
  await db.batch([db.delete(outgoingMails).where(eq(outgoingMails.id, id)), ...relatedQueries]);
}

/** Schedules a mail's retry. The queries of `beside` run in the same batch. */
export async function postponeMail(
  db: Database,
  id: number,
  {
    nextAt,
    lastError,
    relatedQueries,
  }: { readonly nextAt: number; readonly lastError: string; readonly relatedQueries: readonly Query[] },
): Promise<void> {
  await db.batch([
    db.update(outgoingMails).set({ nextAt, lastError, attempts: sql`attempts + 1` }).where(eq(outgoingMails.id, id)),
    ...relatedQueries,
  ]);
}
