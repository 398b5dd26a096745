import type { CivilDate } from "#domain/dates.ts";
import {
  createRegistrationRecord,
  listFieldsPreventingRecord,
  type ReferencedInvoice,
  type TaxRecordSource,
} from "#domain/tax-records/recording.ts";
import { parseSpanishTaxId } from "#domain/tax-records/tax-id.ts";
import type { Query, QueryResults } from "#worker/store/database.ts";
import { selectDocumentId } from "#worker/store/documents/document-names.ts";
import { getDocumentSeries } from "#worker/store/documents/documents.ts";
import { newTaxRecordStatement, taxRecordDataQueries } from "#worker/store/tax-records/chain.ts";
import { createTaxChainName, TaxRecordChains } from "./chain-records.ts";
import {
  type DocumentToWrite,
  type IssuingAccount,
  isDocumentToIssue,
  NextDocumentNumbers,
} from "./documents-to-write.ts";

/** Software version as stated in the records (docs/interfaces/verifactu.md#declaration). */
export const TAX_RECORD_SYSTEM_VERSION = "1.0";

/** Document with the statements of its record, or with its missing data if no record can be created. */
export interface DocumentWithTaxRecord {
  readonly document: DocumentToWrite;
  readonly record: readonly Query[];
}

export type TaxRecordDataRows = Readonly<QueryResults<ReturnType<typeof taxRecordDataQueries>>>;
type BranchRow = TaxRecordDataRows[0][number];

/** Creates the records of documents about to be issued, at the current ends of the chains. */
export async function createTaxRecords(
  issuer: IssuingAccount,
  toIssue: readonly DocumentToWrite[],
): Promise<DocumentWithTaxRecord[]> {
  const { tenant, settings } = issuer;
  const rows: TaxRecordDataRows = await tenant.db.batch(taxRecordDataQueries(tenant.db, getRecordingNames(toIssue)));
  const [branchRows, seriesRows, , chainRows] = rows;
  const numbers = new NextDocumentNumbers(seriesRows);
  const chains = new TaxRecordChains(chainRows);
  const recorded: DocumentWithTaxRecord[] = [];
  for (const document of toIssue) {
    const branch = branchRows.find(({ code }) => code === document.draft.branchCode);
    const needsRecord =
      document.draft.kind === "invoice" && branch && settings.taxRecords[branch.territory] === "verifactu";
    const recordedDocument =
      isDocumentToIssue(document) && needsRecord
        ? await createRecord(issuer, document, { branch, rows, numbers, chains })
        : { document, record: [] };
    if (isDocumentToIssue(recordedDocument.document)) numbers.take(recordedDocument.document);
    recorded.push(recordedDocument);
  }
  return recorded;
}

interface Recording {
  readonly branch: BranchRow;
  readonly rows: TaxRecordDataRows;
  readonly numbers: NextDocumentNumbers;
  readonly chains: TaxRecordChains;
}

async function createRecord(
  { tenant, settings }: IssuingAccount,
  document: DocumentToWrite,
  { branch, rows, numbers, chains }: Recording,
): Promise<DocumentWithTaxRecord> {
  const { draft, writing } = document;
  const about = collectTaxRecordData(settings, draft, { branch, rows, id: numbers.peek(document) });
  const missing = listFieldsPreventingRecord(about);
  if (missing.length > 0) return { document: { ...document, draft: { ...draft, missing } }, record: [] };
  const content = createRegistrationRecord({ ...about, system: getTaxRecordSystem(rows) });
  const chain = createTaxChainName(content.id.issuer, content.system.installation, settings.taxEnvironment);
  const record = await chains.add(chain, content, { at: writing.at, timezone: branch.timezone });
  const name = selectDocumentId(document.id === undefined ? { uid: writing.uid } : { id: document.id });
  return { document, record: [newTaxRecordStatement(tenant.db, { ...record, document: name })] };
}

/** Returns all document data that its record contains. */
export function collectTaxRecordData(
  { taxRateCodes: rateCodes }: Pick<IssuingAccount["settings"], "taxRateCodes">,
  draft: DocumentToWrite["draft"],
  { branch, rows, id }: Pick<Recording, "branch" | "rows"> & Pick<TaxRecordSource, "id">,
): Omit<TaxRecordSource, "system"> {
  const find = (invoiceId: number | undefined) => namedInvoice(invoiceId, branch, rows);
  return {
    draft,
    taxpayer: {
      name: branch.name ?? undefined,
      documentId: branch.documentId ?? undefined,
      territory: branch.territory,
    },
    rateCodes,
    id,
    corrected: find(draft.correctsDocumentId),
    replaced: (draft.replaces ?? []).flatMap((id) => find(id) ?? []),
  };
}

function getRecordingNames(toIssue: readonly DocumentToWrite[]): Parameters<typeof taxRecordDataQueries>[1] {
  return {
    branchCodes: [...new Set(toIssue.map(({ draft }) => draft.branchCode))],
    series: toIssue.map(({ draft, writing }) => ({
      companyId: draft.companyId,
      serie: getDocumentSeries(draft, writing),
    })),
    documentIds: toIssue.flatMap(({ draft: { correctsDocumentId, replaces = [] } }) =>
      [correctsDocumentId, ...replaces].filter((id) => id !== undefined),
    ),
  };
}

// Returns how a record names a corrected or replaced invoice. The issuer is the branch's company, because a company
// only corrects its own documents.
function namedInvoice(
  id: number | undefined,
  branch: BranchRow,
  [, , named]: TaxRecordDataRows,
): ReferencedInvoice | undefined {
  const row = named.find((item) => item.id === id);
  if (row?.serie == null || row.number === null || row.date === null) return undefined;
  return {
    issuer: parseSpanishTaxId(branch.documentId ?? "") ?? "",
    number: `${row.serie}/${row.number}`,
    date: row.date as CivilDate,
    form: row.form ?? "full",
  };
}

export function getTaxRecordSystem([, , , , [system]]: TaxRecordDataRows): TaxRecordSource["system"] {
  const texts = JSON.parse(system?.taxpayers ?? "[]") as readonly (string | null)[];
  // Branches may write the same number in different ways.
  const taxpayers = new Set(texts.flatMap((text) => parseSpanishTaxId(text ?? "") ?? []));
  return {
    version: TAX_RECORD_SYSTEM_VERSION,
    installation: system?.installation ?? "",
    hasSeveralTaxpayers: taxpayers.size > 1,
  };
}
