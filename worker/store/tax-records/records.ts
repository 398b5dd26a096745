import { and, asc, desc, eq, lte, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { RecordState } from "#domain/tax-records/states.ts";
import type { Database } from "#worker/store/database.ts";
import { prepared } from "#worker/store/prepared.ts";
import { catalogueVersion } from "#worker/store/schema/catalogue-version.ts";
import { documents } from "#worker/store/schema/documents.ts";
import { taxChains, taxRecordStates, taxRecords } from "#worker/store/schema/tax-records.ts";

const before = alias(taxRecords, "previous");

// What became of a record at the agency.
const SENDING = {
  state: taxRecordStates.state,
  code: taxRecordStates.code,
  description: taxRecordStates.description,
  csv: taxRecordStates.csv,
  attempts: taxRecordStates.attempts,
  sentAt: taxRecordStates.sentAt,
  answeredAt: taxRecordStates.answeredAt,
};

/** A record with the one before it in its chain, and what the agency said of it. */
const storedRecordColumns = {
  id: taxRecords.id,
  chain: taxRecords.chain,
  position: taxRecords.position,
  documentId: taxRecords.documentId,
  hashed: taxRecords.hashed,
  previousHash: taxRecords.previousHash,
  hash: taxRecords.hash,
  content: taxRecords.content,
  generatedAt: taxRecords.generatedAt,
  previousIssuer: before.issuer,
  previousNumber: before.number,
  previousDate: before.date,
  ...SENDING,
};

const selected = (db: Database) =>
  db
    .select(storedRecordColumns)
    .from(taxRecords)
    .innerJoin(taxRecordStates, eq(taxRecordStates.recordId, taxRecords.id))
    .leftJoin(before, and(eq(before.chain, taxRecords.chain), eq(before.position, sql`${taxRecords.position} - 1`)));

export type TaxRecordRow = Awaited<ReturnType<typeof selected>>[number];

/** The records of a document, in their order. */
export const documentRecordsQuery = prepared((db) =>
  selected(db)
    .where(eq(taxRecords.documentId, sql.placeholder("documentId")))
    .orderBy(asc(taxRecords.id)),
);

/** How many records of one submission the agency takes. */
export const MAX_RECORDS = 1000;

/**
 * The records in a state that few have: by its own index, never by looking through all. SQLite knows that an index of
 * some states has these only where a statement says so as the index does.
 */
function selectRecordIds(state: Exclude<RecordState, "accepted">): SQL {
  if (state === "waiting") return sql`SELECT record_id FROM tax_record_states WHERE state = 'waiting'`;
  return sql`SELECT record_id FROM tax_record_states WHERE state IN ('refused', 'accepted_with_errors') AND state = ${state}`;
}

/** The records of a chain that wait for the agency, in their order: as many as go at once. */
export function recordsToSendQuery(db: Database, chain: string) {
  return selected(db)
    .where(sql`${taxRecords.id} IN (${selectRecordIds("waiting")}) AND +${taxRecords.chain} = ${chain}`)
    .orderBy(asc(taxRecords.position))
    .limit(MAX_RECORDS);
}

const hasPendingRecords = sql`tax_chains.chain IN (SELECT chain FROM tax_records WHERE id IN (${selectRecordIds("waiting")}))`;

/** Takes the chains whose records may be sent now, so that nobody else does until a moment (epoch ms). */
export function leaseChainsStatement(db: Database, now: number, until: number) {
  return db
    .update(taxChains)
    .set({ leasedUntil: until })
    .where(and(lte(taxChains.nextAt, now), lte(taxChains.leasedUntil, now), hasPendingRecords))
    .returning();
}

export type ChainRow = typeof taxChains.$inferSelect;

/** What the agency said of a record. */
export interface Verdict {
  readonly recordId: number;
  readonly state: RecordState;
  readonly code: string | undefined;
  readonly description: string | undefined;
  readonly csv: string | undefined;
}

/** Keeps what the agency said of records, once: what it said first of a record stays. */
export function verdictStatement(db: Database, verdicts: readonly Verdict[], sentAt: number, at: number) {
  const getVerdictValue = (name: string): SQL => sql`${sql.raw(`said.value ->> '${name}'`)}`;
  return db
    .update(taxRecordStates)
    .set({
      state: getVerdictValue("state"),
      code: getVerdictValue("code"),
      description: getVerdictValue("description"),
      csv: getVerdictValue("csv"),
      attempts: sql`attempts + 1`,
      sentAt,
      answeredAt: at,
    })
    .from(sql`json_each(${JSON.stringify(verdicts)}) AS said`)
    .where(
      and(sql`tax_record_states.record_id = ${getVerdictValue("recordId")}`, sql`tax_record_states.state = 'waiting'`),
    );
}

/** Counts that records were sent and not answered. */
export function attemptStatement(db: Database, recordIds: readonly number[], at: number) {
  return db
    .update(taxRecordStates)
    .set({ attempts: sql`attempts + 1`, sentAt: at })
    .where(sql`record_id IN (SELECT value FROM json_each(${JSON.stringify(recordIds)}))`);
}

/** When a chain's records may be sent again, and what kept them. */
export function chainStatement(
  db: Database,
  chain: string,
  change: Partial<Pick<ChainRow, "nextAt" | "waitSeconds" | "problem">> & { readonly failedSince: number | SQL | null },
) {
  return db
    .update(taxChains)
    .set({ ...change, leasedUntil: 0 })
    .where(eq(taxChains.chain, chain));
}

/** Lets what could not be sent be tried again now. */
export function retryChainsStatement(db: Database) {
  return db.update(taxChains).set({ nextAt: 0 }).where(sql`failed_since IS NOT NULL`);
}

/** The first failure of a chain since it last went well. */
export const failedSince = (now: number) => sql<number>`coalesce(failed_since, ${now})`;

// A later record of the document that the agency took says what this one did not.
const IS_CORRECTED = sql<number>`EXISTS (SELECT 1 FROM tax_records AS later JOIN tax_record_states AS state ON state.record_id = later.id
  WHERE later.document_id = tax_records.document_id AND later.id > tax_records.id AND state.state = 'accepted')`;

export interface TaxRecordSearch {
  readonly state: RecordState | undefined;
  readonly after: number | undefined;
  readonly pageSize: number;
}

const countRecords = (state: Parameters<typeof selectRecordIds>[0]) =>
  sql<number>`(SELECT count(*) FROM (${selectRecordIds(state)}))`;

/** A page of records, the latest first, and how many there are in each state. */
export function taxRecordListQueries(db: Database, { state, after, pageSize }: TaxRecordSearch) {
  return [
    db
      .select({
        id: taxRecords.id,
        kind: taxRecords.kind,
        documentId: taxRecords.documentId,
        issuer: taxRecords.issuer,
        number: taxRecords.number,
        date: taxRecords.date,
        position: taxRecords.position,
        hash: taxRecords.hash,
        generatedAt: taxRecords.generatedAt,
        totalCents: documents.totalCents,
        branchCode: documents.branchCode,
        bookingId: documents.bookingId,
        form: documents.form,
        customer: documents.customerFullName,
        isMended: IS_CORRECTED.as("is_mended"),
        ...SENDING,
      })
      .from(taxRecords)
      .innerJoin(taxRecordStates, eq(taxRecordStates.recordId, taxRecords.id))
      .innerJoin(documents, eq(documents.id, taxRecords.documentId))
      .where(
        and(
          // Most are accepted: the latest of them are found from the end.
          state === "accepted" ? sql`+${taxRecordStates.state} = 'accepted'` : undefined,
          state === undefined || state === "accepted"
            ? undefined
            : sql`${taxRecords.id} IN (${selectRecordIds(state)})`,
          after === undefined ? undefined : sql`${taxRecords.id} < ${after}`,
        ),
      )
      .orderBy(desc(taxRecords.id))
      .limit(pageSize + 1),
    // A chain has no gap: its last position is how many it has.
    db
      .select({
        all: sql<number>`(SELECT coalesce(sum(last.position), 0) FROM tax_chains JOIN tax_records AS last ON last.id = last_record_id)`.as(
          "all",
        ),
        waiting: countRecords("waiting").as("waiting"),
        refused: countRecords("refused").as("refused"),
        acceptedWithErrors: countRecords("accepted_with_errors").as("accepted_with_errors"),
      })
      .from(catalogueVersion),
    db.select().from(taxChains).orderBy(asc(taxChains.chain)),
  ] as const;
}
