import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { CivilDate } from "#domain/dates.ts";
import { fromCivilMinute } from "#domain/dates.ts";
import { missingForRecord, type NamedInvoice, registrationOf, type ToRecord } from "#domain/tax-records/recording.ts";
import { taxRecordStates, taxRecords } from "#worker/store/schema/tax-records.ts";
import { Chains, chainOf } from "#worker/usecases/tax-records/chain-records.ts";
import { SYSTEM_VERSION } from "#worker/usecases/tax-records/record-documents.ts";
import type { Clock } from "./clock.ts";
import { branchNamed, type Company } from "./company.ts";
import { rowsOf, type TableRows } from "./insert.ts";
import type { NumberedDocument } from "./numbering.ts";

const SENT_AFTER_MILLISECONDS = 60_000;

/** Whether the company kept tax records when the document was issued: since the day on which it signed for them. */
export function isRecordDue(
  { settings, rows: { branches } }: Company,
  { planned: { isDraft, createdAt }, draft }: Pick<NumberedDocument, "planned" | "draft">,
): boolean {
  const since = settings.taxRepresentationDate;
  if (isDraft || draft.kind !== "invoice" || since === undefined) return false;
  const { taxTerritory = "iva" } = branches.find(({ code }) => code === draft.branchCode) ?? {};
  return settings.taxRecords[taxTerritory] === "verifactu" && fromCivilMinute(createdAt).date >= since;
}

/**
 * The tax records of documents, in the order in which they were issued, made as the platform makes them; the agency has
 * taken all of them.
 */
export async function taxRecordRows(
  company: Company,
  clock: Clock,
  documents: readonly NumberedDocument[],
  installation: string,
): Promise<TableRows[]> {
  const due = documents.filter((document) => isRecordDue(company, document));
  if (due.length === 0) return [];
  const byId = new Map(documents.map((document) => [document.id, document]));
  const chains = new Chains([]);
  const rows: (typeof taxRecords.$inferInsert)[] = [];
  for (const document of due) {
    const content = registrationOf({
      ...aboutDocument(company, document, byId),
      system: systemOf(company, installation),
    });
    const chain = chainOf(content.id.issuer, installation, company.settings.taxEnvironment);
    const moment = { at: clock.toEpochMs(document.planned.createdAt), timezone: company.settings.timezone };
    const { kind, id } = content;
    rows.push({ ...(await chains.add(chain, content, moment)), ...id, kind, documentId: document.id });
  }
  return [rowsOf(taxRecords, rows), acceptedRecords(rows.length)];
}

function systemOf({ rows: { branches } }: Company, installation: string): ToRecord["system"] {
  const taxpayers = new Set(branches.map(({ documentId }) => documentId));
  return { version: SYSTEM_VERSION, installation, hasSeveralTaxpayers: taxpayers.size > 1 };
}

function aboutDocument(
  company: Company,
  { planned, draft, serie, number }: NumberedDocument,
  byId: ReadonlyMap<number, NumberedDocument>,
): Omit<ToRecord, "system"> {
  const branch = branchNamed(company, draft.branchCode);
  const named = (id: number | undefined): NamedInvoice | undefined => {
    const other = byId.get(id ?? 0);
    return (
      other && {
        issuer: branch.documentId ?? "",
        ...nameOf(other),
        form: other.draft.form,
      }
    );
  };
  const about = {
    draft,
    taxpayer: {
      name: branch.companyName ?? undefined,
      documentId: branch.documentId ?? undefined,
      territory: branch.taxTerritory ?? "iva",
    },
    rateCodes: company.settings.taxRateCodes,
    id: nameOf({ planned, serie, number }),
    corrected: named(draft.correctsDocumentId),
    replaced: [],
  };
  const missing = missingForRecord(about);
  if (missing.length > 0)
    throw new Error(`${about.id.number} of the demo lacks ${missing.join(", ")} for its tax record`);
  return about;
}

function nameOf({ planned, serie, number }: Pick<NumberedDocument, "planned" | "serie" | "number">): {
  readonly number: string;
  readonly date: CivilDate;
} {
  return { number: `${serie}/${number}`, date: fromCivilMinute(planned.createdAt).date };
}

// What the agency says of them, as of the minute after; its proof names that minute.
function acceptedRecords(count: number): TableRows {
  const sentAt = sql`(SELECT generated_at + ${SENT_AFTER_MILLISECONDS} FROM tax_records WHERE id = record_id)`;
  const toInserts = (db: D1Database) => {
    const query = drizzle(db)
      .update(taxRecordStates)
      .set({
        state: "accepted",
        attempts: 1,
        sentAt,
        answeredAt: sentAt,
        csv: sql`'A-' || printf('%010X', ${sentAt} / 60000)`,
      })
      .where(eq(taxRecordStates.state, "waiting"))
      .toSQL();
    return [{ statement: db.prepare(query.sql).bind(...query.params), characters: query.sql.length }];
  };
  return { count, toInserts };
}
