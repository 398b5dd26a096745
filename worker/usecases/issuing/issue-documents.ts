import type { Settings } from "#domain/catalogue/catalogue.ts";
import { TAX_TERRITORIES } from "#domain/catalogue/tax-territories.ts";
import type { Query } from "#worker/store/database.ts";
import { issueDraftStatements, newDocumentStatements } from "#worker/store/documents/documents.ts";
import { isTaxChainMoved } from "#worker/store/failures.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";
import { type DocumentToWrite, type IssuingAccount, isDocumentToIssue } from "./documents-to-write.ts";
import { createTaxRecords } from "./record-documents.ts";

/** Statements of a batch in order, and the documents that it issues. */
export interface IssueBatch {
  readonly statements: readonly Query[];
  readonly documents: readonly DocumentToWrite[];
}

/** Maximum number of concurrent batches that extend one chain. */
const ATTEMPTS = 30;

/**
 * Saves a batch that issues documents, with the tax records required by law. If another batch extended the chain first,
 * the records are recreated, but the decisions stay. Takes one extra round trip if records are created.
 */
export async function issueDocuments<T>(
  issuer: IssuingAccount,
  toIssue: readonly DocumentToWrite[],
  save: (issued: IssueBatch) => Promise<T>,
): Promise<T> {
  const { db } = issuer.tenant;
  if (!toIssue.some((toIssue) => needsRecord(issuer.settings, toIssue)))
    return save({ documents: toIssue, statements: toIssue.flatMap((toIssue) => createIssueStatements(db, toIssue)) });
  const attempt = async () => {
    const recorded = await createTaxRecords(issuer, toIssue);
    const statements = recorded.flatMap(({ document, record }) => [...createIssueStatements(db, document), ...record]);
    return { saved: await save({ documents: recorded.map(({ document }) => document), statements }) };
  };
  return (await withRetry(attempt, { attempts: ATTEMPTS, isWorthRetrying: isTaxChainMoved })).saved;
}

function needsRecord({ taxRecords }: Settings, toIssue: DocumentToWrite): boolean {
  return (
    isDocumentToIssue(toIssue) &&
    toIssue.draft.kind === "invoice" &&
    TAX_TERRITORIES.some((name) => taxRecords[name] === "verifactu")
  );
}

function createIssueStatements(
  db: IssuingAccount["tenant"]["db"],
  { draft, writing, id }: DocumentToWrite,
): readonly Query[] {
  if (id === undefined) return newDocumentStatements(db, draft, writing);
  return draft.missing.length > 0 ? [] : issueDraftStatements(db, { ...draft, name: { id } }, writing);
}
