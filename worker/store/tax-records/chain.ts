import { eq, SQL, sql } from "drizzle-orm";
import type { TaxRecordContent } from "#domain/tax-records/records.ts";
import type { Database } from "#worker/store/database.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { documents, numberSeries } from "#worker/store/schema/documents.ts";
import { branches } from "#worker/store/schema/organization.ts";
import { taxChains, taxInstallation, taxRecords } from "#worker/store/schema/tax-records.ts";

/**
 * Basis of records: branches, series by company, and corrected or replaced documents. Known values, or SQL that returns
 * JSON.
 */
export interface TaxRecordDataKeys {
  readonly branchCodes: readonly string[] | SQL;
  readonly series: readonly { readonly companyId: number; readonly serie: string }[];
  readonly documentIds: readonly number[] | SQL;
}

/**
 * Returns which data the next record of an existing document depends on: its branch, and the corrected or replaced
 * documents.
 */
export function selectTaxRecordDataKeys(documentId: number): TaxRecordDataKeys {
  return {
    branchCodes: sql`(SELECT json_array(named.branch_code) FROM documents AS named WHERE named.id = ${documentId})`,
    series: [],
    documentIds: sql`(SELECT json_group_array(other.id) FROM documents AS other WHERE other.replaced_by_document_id = ${documentId}
      OR other.id = (SELECT named.corrects_document_id FROM documents AS named WHERE named.id = ${documentId}))`,
  };
}

function toJsonSql(names: readonly unknown[] | SQL): SQL {
  return names instanceof SQL ? names : sql`${JSON.stringify(names)}`;
}

/** Returns all queries that an account's next records depend on, for one batch. */
export function taxRecordDataQueries(db: Database, { branchCodes, series, documentIds }: TaxRecordDataKeys) {
  return [
    db
      .select({
        code: branches.code,
        name: branches.companyName,
        documentId: branches.documentId,
        territory: branches.taxTerritory,
        timezone: branches.timezone,
      })
      .from(branches)
      .where(sql`${branches.code} IN (SELECT value FROM json_each(${toJsonSql(branchCodes)}))`),
    db
      .select()
      .from(numberSeries)
      .where(
        sql`(${numberSeries.companyId}, ${numberSeries.serie}) IN
          (SELECT value ->> 'companyId', value ->> 'serie' FROM json_each(${JSON.stringify(series)}))`,
      ),
    db
      .select({
        id: documents.id,
        serie: documents.serie,
        number: documents.number,
        date: documents.date,
        form: documents.form,
        branchCode: documents.branchCode,
      })
      .from(documents)
      .where(sql`${documents.id} IN (SELECT value FROM json_each(${toJsonSql(documentIds)}))`),
    db
      .select({
        chain: taxChains.chain,
        position: taxRecords.position,
        issuer: taxRecords.issuer,
        number: taxRecords.number,
        date: taxRecords.date,
        hash: taxRecords.hash,
        generatedAt: taxRecords.generatedAt,
      })
      .from(taxChains)
      .innerJoin(taxRecords, eq(taxRecords.id, taxChains.lastRecordId)),
    db
      .select({
        installation: taxInstallation.number,
        taxpayers: sql<string>`(SELECT json_group_array(DISTINCT document_id) FROM branches)`.as("taxpayers"),
      })
      .from(taxInstallation),
  ] as const;
}

/** Record about to be written. `document` identifies its document in the batch. */
export interface NewTaxRecord {
  readonly chain: string;
  readonly position: number;
  readonly document: ReturnType<typeof sql>;
  readonly content: TaxRecordContent;
  readonly hashed: string;
  readonly previousHash: string;
  readonly hash: string;
  /** Time at which the record was created, epoch ms. */
  readonly generatedAt: number;
}

/**
 * Returns the statement that adds a record at the end of its chain, in the batch that issues its document
 * (`isTaxChainMoved`).
 */
export function newTaxRecordStatement(db: Database, { document, content, ...record }: NewTaxRecord) {
  const { kind, id } = content;
  return db.insert(taxRecords).select(
    selectRowToInsert(taxRecords, {
      id: sql`NULL`,
      ...record,
      kind,
      documentId: document,
      issuer: id.issuer,
      number: id.number,
      date: id.date,
      content,
    }),
  );
}
