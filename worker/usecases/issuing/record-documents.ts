import type { CivilDate } from "#domain/dates.ts";
import {
  createRegistration,
  missingForRecord,
  type NamedInvoice,
  type ToRecord,
} from "#domain/tax-records/recording.ts";
import { parseSpanishTaxId } from "#domain/tax-records/tax-id.ts";
import type { Answers, Query } from "#worker/store/database.ts";
import { documentNamed } from "#worker/store/documents/document-names.ts";
import { getDocumentSeries } from "#worker/store/documents/documents.ts";
import { recordingQueries, recordStatement } from "#worker/store/tax-records/chain.ts";
import { Chains, getChainName } from "./chain-records.ts";
import { type Issuer, isIssued, NextNumbers, type ToIssue } from "./to-issue.ts";

/** Software version as stated in the records (docs/interfaces/verifactu.md#declaration). */
export const SYSTEM_VERSION = "1.0";

/** Document with the statements of its record, or with its missing data if no record can be created. */
export interface RecordedDocument {
  readonly document: ToIssue;
  readonly record: readonly Query[];
}

export type RecordingRows = Readonly<Answers<ReturnType<typeof recordingQueries>>>;
type BranchRow = RecordingRows[0][number];

/** Creates the records of documents about to be issued, at the current ends of the chains. */
export async function recordDocuments(issuer: Issuer, toIssue: readonly ToIssue[]): Promise<RecordedDocument[]> {
  const { tenant, settings } = issuer;
  const rows: RecordingRows = await tenant.db.batch(recordingQueries(tenant.db, getRecordingNames(toIssue)));
  const [branchRows, seriesRows, , chainRows] = rows;
  const numbers = new NextNumbers(seriesRows);
  const chains = new Chains(chainRows);
  const recorded: RecordedDocument[] = [];
  for (const document of toIssue) {
    const branch = branchRows.find(({ code }) => code === document.draft.branchCode);
    const needsRecord =
      document.draft.kind === "invoice" && branch && settings.taxRecords[branch.territory] === "verifactu";
    const recordedDocument =
      isIssued(document) && needsRecord
        ? await createRecord(issuer, document, { branch, rows, numbers, chains })
        : { document, record: [] };
    if (isIssued(recordedDocument.document)) numbers.take(recordedDocument.document);
    recorded.push(recordedDocument);
  }
  return recorded;
}

interface Recording {
  readonly branch: BranchRow;
  readonly rows: RecordingRows;
  readonly numbers: NextNumbers;
  readonly chains: Chains;
}

async function createRecord(
  { tenant, settings }: Issuer,
  document: ToIssue,
  { branch, rows, numbers, chains }: Recording,
): Promise<RecordedDocument> {
  const { draft, writing } = document;
  const about = aboutDocument(settings, draft, { branch, rows, id: numbers.peek(document) });
  const missing = missingForRecord(about);
  if (missing.length > 0) return { document: { ...document, draft: { ...draft, missing } }, record: [] };
  const content = createRegistration({ ...about, system: getRecordingSystem(rows) });
  const chain = getChainName(content.id.issuer, content.system.installation, settings.taxEnvironment);
  const record = await chains.add(chain, content, { at: writing.at, timezone: branch.timezone });
  const name = documentNamed(document.id === undefined ? { uid: writing.uid } : { id: document.id });
  return { document, record: [recordStatement(tenant.db, { ...record, document: name })] };
}

/** Returns all document data that its record contains. */
export function aboutDocument(
  { taxRateCodes: rateCodes }: Pick<Issuer["settings"], "taxRateCodes">,
  draft: ToIssue["draft"],
  { branch, rows, id }: Pick<Recording, "branch" | "rows"> & Pick<ToRecord, "id">,
): Omit<ToRecord, "system"> {
  const find = (named: number | undefined) => namedInvoice(named, branch, rows);
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

function getRecordingNames(toIssue: readonly ToIssue[]): Parameters<typeof recordingQueries>[1] {
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
function namedInvoice(id: number | undefined, branch: BranchRow, [, , named]: RecordingRows): NamedInvoice | undefined {
  const row = named.find((item) => item.id === id);
  if (row?.serie == null || row.number === null || row.date === null) return undefined;
  return {
    issuer: parseSpanishTaxId(branch.documentId ?? "") ?? "",
    number: `${row.serie}/${row.number}`,
    date: row.date as CivilDate,
    form: row.form ?? "full",
  };
}

export function getRecordingSystem([, , , , [system]]: RecordingRows): ToRecord["system"] {
  return {
    version: SYSTEM_VERSION,
    installation: system?.installation ?? "",
    hasSeveralTaxpayers: (system?.taxpayers ?? 1) > 1,
  };
}
