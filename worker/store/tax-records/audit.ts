import { and, asc, eq, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { documents } from "#worker/store/schema/documents.ts";
import { taxChains, taxRecords } from "#worker/store/schema/tax-records.ts";

const NUMBER = sql<string | null>`documents.serie || '/' || documents.number`;
const PAGE = 1000;
/** Maximum number of reported documents without a record. Users wouldn't read a longer list. */
const MAX_UNRECORDED = 200;

/** Returns the query for a page of records in chain order after a position, each with its document. */
export function taxRecordsToAuditQuery(db: Database, after: { readonly chain: string; readonly position: number }) {
  return db
    .select({
      chain: taxRecords.chain,
      position: taxRecords.position,
      kind: taxRecords.kind,
      issuer: taxRecords.issuer,
      number: taxRecords.number,
      date: taxRecords.date,
      hashed: taxRecords.hashed,
      previousHash: taxRecords.previousHash,
      hash: taxRecords.hash,
      content: taxRecords.content,
      generatedAt: taxRecords.generatedAt,
      document: {
        number: NUMBER.as("document_number"),
        date: sql<string | null>`documents.date`.as("document_date"),
        totalCents: documents.totalCents,
        taxesCents: documents.taxesCents,
      },
    })
    .from(taxRecords)
    .innerJoin(documents, eq(documents.id, taxRecords.documentId))
    .where(sql`(${taxRecords.chain}, ${taxRecords.position}) > (${after.chain}, ${after.position})`)
    .orderBy(asc(taxRecords.chain), asc(taxRecords.position))
    .limit(PAGE);
}

/** Returns the queries for the ends of the chains, and documents that lack a required record. */
export function taxChainEndsQueries(db: Database) {
  return [
    db
      .select({ chain: taxChains.chain, position: taxRecords.position })
      .from(taxChains)
      .leftJoin(taxRecords, eq(taxRecords.id, taxChains.lastRecordId)),
    db
      .select({
        documentId: documents.id,
        number: sql<string>`documents.serie || '/' || documents.number`.as("number"),
      })
      .from(documents)
      .where(
        and(
          eq(documents.taxRecordDue, true),
          sql`NOT EXISTS (SELECT 1 FROM tax_records WHERE tax_records.document_id = documents.id AND kind = 'registration')`,
        ),
      )
      .orderBy(asc(documents.id))
      .limit(MAX_UNRECORDED),
  ] as const;
}
