import type { Settings } from "#domain/catalogue/catalogue.ts";
import { TERRITORIES } from "#domain/catalogue/tax-territories.ts";
import type { Query } from "#worker/store/database.ts";
import { documentStatements, issueStatements } from "#worker/store/documents/documents.ts";
import { isChainMoved } from "#worker/store/failures.ts";
import { withRetry } from "#worker/usecases/shared/with-retry.ts";
import { recordDocuments } from "./record-documents.ts";
import { type Issuer, isIssued, type ToIssue } from "./to-issue.ts";

/** Statements of a batch in order, and the documents that it issues. */
export interface Issued {
  readonly statements: readonly Query[];
  readonly documents: readonly ToIssue[];
}

/** Maximum number of concurrent batches that extend one chain. */
const ATTEMPTS = 30;

/**
 * Saves a batch that issues documents, with the tax records required by law. If another batch extended the chain first,
 * the records are recreated, but the decisions stay. Takes one extra round trip if records are created.
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
