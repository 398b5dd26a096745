import { and, asc, desc, eq, lte, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/sqlite-core";
import type { TaxRecordState } from "#domain/tax-records/states.ts";
import type { Database } from "#worker/store/database.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { catalogueVersion } from "#worker/store/schema/catalogue-version.ts";
import { documents } from "#worker/store/schema/documents.ts";
import { taxChains, taxRecordStates, taxRecords } from "#worker/store/schema/tax-records.ts";

const before = alias(taxRecords, "previous");

// Submission state of a record.
const SENDING = {
  state: taxRecordStates.state,
  code: taxRecordStates.code,
  description: taxRecordStates.description,
  csv: taxRecordStates.csv,
  attempts: taxRecordStates.attempts,
  sentAt: taxRecordStates.sentAt,
  answeredAt: taxRecordStates.answeredAt,
};

/** Record with the previous one of its chain, and the agency's answer. */
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

/** Returns the query for the records of a document, in order. */
export const documentTaxRecordsQuery = prepareQuery((db) =>
  selected(db)
    .where(eq(taxRecords.documentId, sql.placeholder("documentId")))
    .orderBy(asc(taxRecords.id)),
);

/** Time of the next attempt of a chain that isn't sent before a user's request: the last time that JavaScript has. */
export const UNSCHEDULED_AT = 8_640_000_000_000_000;

/** Maximum records per submission to the agency. */
export const MAX_SUBMITTED_TAX_RECORDS = 1000;

/**
 * Selects records in a rare state through its partial index, never with a full scan. SQLite only uses a partial index
 * if the statement repeats its condition.
 */
function selectRecordIds(state: Exclude<TaxRecordState, "accepted">): SQL {
  if (state === "waiting") return sql`SELECT record_id FROM tax_record_states WHERE state = 'waiting'`;
  return sql`SELECT record_id FROM tax_record_states WHERE state IN ('refused', 'accepted_with_errors') AND state = ${state}`;
}

// Whether a record's tax is subject to VERI*FACTU now. An annulment has the tax of its document's registration.
const IS_UNDER_VERIFACTU = sql`(SELECT CASE coalesce(tax_records.content ->> '$.lines[0].tax', (
      SELECT registration.content ->> '$.lines[0].tax' FROM tax_records AS registration
      WHERE registration.document_id = tax_records.document_id AND registration.kind = 'registration' LIMIT 1))
    WHEN '02' THEN tax_records_ipsi WHEN '03' THEN tax_records_igic ELSE tax_records_iva END
  FROM settings WHERE id = 1) = 'verifactu'`;

/**
 * Returns the query for a chain's pending records in order, limited to one submission. A company that enters the SII
 * with a tax must stop sending that tax's records.
 */
export function taxRecordsToSendQuery(db: Database, chain: string) {
  return selected(db)
    .where(
      sql`${taxRecords.id} IN (${selectRecordIds("waiting")}) AND +${taxRecords.chain} = ${chain} AND ${IS_UNDER_VERIFACTU}`,
    )
    .orderBy(asc(taxRecords.position))
    .limit(MAX_SUBMITTED_TAX_RECORDS);
}

const hasPendingRecords = sql`tax_chains.chain IN (SELECT chain FROM tax_records WHERE id IN (${selectRecordIds("waiting")}) AND ${IS_UNDER_VERIFACTU})`;

/** Returns the statement that claims the chains that may be sent now, until a given time (epoch ms). */
export function leaseTaxChainsStatement(db: Database, now: number, until: number) {
  return db
    .update(taxChains)
    .set({ leasedUntil: until })
    .where(and(lte(taxChains.nextAt, now), lte(taxChains.leasedUntil, now), hasPendingRecords))
    .returning();
}

export type TaxChainRow = typeof taxChains.$inferSelect;

/** The agency's answer for a record. */
export interface TaxRecordVerdict {
  readonly recordId: number;
  readonly state: TaxRecordState;
  readonly code: string | undefined;
  readonly description: string | undefined;
  readonly csv: string | undefined;
}

/** Returns the statement that saves the agency's answers once. The first answer for a record is kept. */
export function saveTaxVerdictsStatement(
  db: Database,
  verdicts: readonly TaxRecordVerdict[],
  sentAt: number,
  at: number,
) {
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

/** Returns the statement that counts an unanswered submission of records. */
export function addSubmissionAttemptStatement(db: Database, recordIds: readonly number[], at: number) {
  return db
    .update(taxRecordStates)
    .set({ attempts: sql`attempts + 1`, sentAt: at })
    .where(sql`record_id IN (SELECT value FROM json_each(${JSON.stringify(recordIds)}))`);
}

/** Returns the statement that saves when a chain may be sent again, and its problem. */
export function updateTaxChainStatement(
  db: Database,
  chain: string,
  change: Partial<Pick<TaxChainRow, "nextAt" | "waitSeconds" | "problem">> & {
    readonly failedSince: number | SQL | null;
  },
) {
  return db
    .update(taxChains)
    .set({ ...change, leasedUntil: 0 })
    .where(eq(taxChains.chain, chain));
}

/** Returns the statement that allows failed chains to be retried now. */
export function retryTaxChainsStatement(db: Database) {
  return db.update(taxChains).set({ nextAt: 0 }).where(sql`failed_since IS NOT NULL`);
}

/** First failure of a chain since its last success. */
export const selectTaxFailureStart = (now: number) => sql<number>`coalesce(failed_since, ${now})`;

// Whether a later accepted record of the document contains the corrected data.
const IS_CORRECTED = sql<number>`EXISTS (SELECT 1 FROM tax_records AS later JOIN tax_record_states AS state ON state.record_id = later.id
  WHERE later.document_id = tax_records.document_id AND later.id > tax_records.id AND state.state = 'accepted')`;

export interface TaxRecordSearch {
  readonly state: TaxRecordState | undefined;
  readonly after: number | undefined;
  readonly pageSize: number;
}

const countRecords = (state: Parameters<typeof selectRecordIds>[0]) =>
  sql<number>`(SELECT count(*) FROM (${selectRecordIds(state)}))`;

/** Returns the queries for a page of records, newest first, and the counts by state. */
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
          // Most records are accepted, so the newest are found by scanning from the end.
          state === "accepted" ? sql`+${taxRecordStates.state} = 'accepted'` : undefined,
          state === undefined || state === "accepted"
            ? undefined
            : sql`${taxRecords.id} IN (${selectRecordIds(state)})`,
          after === undefined ? undefined : sql`${taxRecords.id} < ${after}`,
        ),
      )
      .orderBy(desc(taxRecords.id))
      .limit(pageSize + 1),
    // A chain has no gaps. Its last position is its number of records.
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
