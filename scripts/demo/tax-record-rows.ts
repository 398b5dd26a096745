import { eq, sql } from "drizzle-orm";
import { drizzle } from "drizzle-orm/d1";
import type { CivilDate } from "#domain/dates.ts";
import { fromCivilMinute } from "#domain/dates.ts";
import { missingForRecord, registrationOf } from "#domain/tax-records/recording.ts";
import { taxRecordStates, taxRecords } from "#worker/store/schema/tax-records.ts";
import { Chains, chainOf } from "#worker/usecases/tax-records/chain-records.ts";
import { aboutDocument, type RecordingRows, systemOf } from "#worker/usecases/tax-records/record-documents.ts";
import type { Company } from "./company.ts";
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

/** The tax records of documents as the platform makes them, in the order of issue; the agency has taken all. */
export async function taxRecordRows(
  company: Company,
  documents: readonly NumberedDocument[],
  installation: string,
): Promise<TableRows[]> {
  const due = documents.filter((document) => isRecordDue(company, document));
  if (due.length === 0) return [];
  const issued = documents.map((document) => ({ ...document, ...document.draft, date: dateOf(document) }));
  const branches = company.rows.branches.map((row) => ({ ...row, name: row.companyName, territory: row.taxTerritory }));
  const taxpayers = new Set(branches.map(({ documentId }) => documentId)).size;
  const recorded: RecordingRows = [branches, [], issued, [], [{ installation, taxpayers }]];
  const chains = new Chains([]);
  const rows: (typeof taxRecords.$inferInsert)[] = [];
  for (const document of due) {
    const { draft, serie, number } = document;
    const branch = branches.find(({ code }) => code === draft.branchCode);
    if (!branch) throw new Error(`there is no branch ${draft.branchCode}`);
    const id = { number: `${serie}/${number}`, date: dateOf(document) };
    const about = aboutDocument(company.settings, draft, { branch, rows: recorded, id });
    const missing = missingForRecord(about);
    if (missing.length > 0) throw new Error(`${id.number} of the demo lacks ${missing.join(", ")} for its tax record`);
    const content = registrationOf({ ...about, system: systemOf(recorded) });
    const chain = chainOf(content.id.issuer, installation, company.settings.taxEnvironment);
    const moment = { at: company.toEpochMs(document.planned.createdAt), timezone: branch.timezone };
    const record = await chains.add(chain, content, moment);
    rows.push({ ...record, ...content.id, kind: content.kind, documentId: document.id });
  }
  return [rowsOf(taxRecords, rows), acceptedRecords(rows.length)];
}

function dateOf({ planned }: Pick<NumberedDocument, "planned">): CivilDate {
  return fromCivilMinute(planned.createdAt).date;
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
