import { createRegistrationRecord, listFieldsPreventingRecord } from "#domain/tax-records/recording.ts";
import { createTaxChainName, TaxRecordChains } from "#worker/usecases/issuing/chain-records.ts";
import {
  collectTaxRecordData,
  getTaxRecordSystem,
  type TaxRecordDataRows,
} from "#worker/usecases/issuing/record-documents.ts";
import type { DemoCompany } from "./describe-company.ts";
import type { NumberedDocument } from "./documents.ts";
import type { DemoTables } from "./tables.ts";

/** Marks pending records as accepted by the agency one minute later. The confirmation code encodes that minute. */
export const ACCEPT_PENDING_TAX_RECORDS = `UPDATE tax_record_states SET state = 'accepted', attempts = 1,
  (sent_at, answered_at, csv) = (SELECT at, at, 'A-' || printf('%010X', at / 60000)
    FROM (SELECT generated_at + 60000 AS at FROM tax_records WHERE id = record_id))
  WHERE state = 'waiting'`;

/** Creates the tax records of documents in issue order, as the platform does. */
export async function createTaxRecordRows(
  company: DemoCompany,
  documents: readonly NumberedDocument[],
  installation: string,
) {
  const issued = documents.map(({ id, serie, number, date, draft }) => ({ ...draft, id, serie, number, date }));
  const branches = company.rows.branches.map((row) => ({ ...row, name: row.companyName, territory: row.taxTerritory }));
  const taxpayers = JSON.stringify(branches.map(({ documentId }) => documentId));
  const recorded: TaxRecordDataRows = [branches, [], issued, [], [{ installation, taxpayers }]];
  const chains = new TaxRecordChains([]);
  const rows: DemoTables["taxRecords"]["$inferInsert"][] = [];
  for (const document of documents.filter(({ marks }) => marks.taxRecordDue)) {
    const { draft, serie, number, date } = document;
    const branch = branches.find(({ code }) => code === draft.branchCode);
    if (!branch) throw new Error(`there is no branch ${draft.branchCode}`);
    const id = { number: `${serie}/${number}`, date };
    const about = collectTaxRecordData(company.settings, draft, { branch, rows: recorded, id });
    const missing = listFieldsPreventingRecord(about);
    if (missing.length > 0) throw new Error(`${id.number} of the demo lacks ${missing.join()} for its tax record`);
    const content = createRegistrationRecord({ ...about, system: getTaxRecordSystem(recorded) });
    const chain = createTaxChainName(content.id.issuer, installation, company.settings.taxEnvironment);
    const moment = { at: company.toEpochMs(document.createdAt), timezone: branch.timezone };
    const record = await chains.add(chain, content, moment);
    rows.push({ ...record, ...content.id, kind: content.kind, documentId: document.id });
  }
  return rows;
}
