import type { Settings } from "#domain/catalogue/catalogue.ts";
import { TERRITORIES } from "#domain/tax-records/territories.ts";
import type { Query } from "#worker/store/database.ts";
import { documentStatements, issueStatements } from "#worker/store/documents/documents.ts";
import { isChainMoved } from "#worker/store/failures.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";
import { recordDocuments } from "./record-documents.ts";
import { type Issuer, isIssued, type ToIssue } from "./to-issue.ts";

/** What is issued by a batch: its statements, in their order, and the documents as they are written. */
export interface Issued {
  readonly statements: readonly Query[];
  readonly documents: readonly ToIssue[];
}

/** As many as come to the end of one chain at the same moment. */
const ATTEMPTS = 30;

/**
 * Saves a batch that issues documents, each with the tax record that the account's law wants of it. Where another batch
 * was the next of the chain, the records are made again of its new end; what was decided is not. One round trip more
 * where records are made, none elsewhere.
 */
export async function issueDocuments<T>(
  issuer: Issuer,
  toIssue: readonly ToIssue[],
  save: (issued: Issued) => Promise<T>,
): Promise<T> {
  const { db } = issuer.tenant;
  if (!toIssue.some((toIssue) => needsRecord(issuer.settings, toIssue)))
    return save({ documents: toIssue, statements: toIssue.flatMap((toIssue) => createIssueStatements(db, toIssue)) });
  const attempt = async () => {
    const recorded = await recordDocuments(issuer, toIssue);
    const statements = recorded.flatMap(({ document, record }) => [...createIssueStatements(db, document), ...record]);
    return { saved: await save({ documents: recorded.map(({ document }) => document), statements }) };
  };
  return (await withRetry(attempt, { attempts: ATTEMPTS, isWorthRetrying: isChainMoved })).saved;
}

function needsRecord({ taxRecords }: Settings, toIssue: ToIssue): boolean {
  return (
    isIssued(toIssue) &&
    toIssue.draft.kind === "invoice" &&
    TERRITORIES.some((name) => taxRecords[name] === "verifactu")
  );
}

function createIssueStatements(db: Issuer["tenant"]["db"], { draft, writing, id }: ToIssue): readonly Query[] {
  if (id === undefined) return documentStatements(db, draft, writing);
  return draft.missing.length > 0 ? [] : issueStatements(db, { ...draft, name: { id } }, writing);
}
