import { type SQL, sql } from "drizzle-orm";
import type { DocumentReference } from "#domain/payments/charges.ts";

/** Returns an SQL expression for a document's id, for an existing one or one written earlier in the batch. */
export function selectDocumentId(document: DocumentReference): SQL {
  return "id" in document ? sql`${document.id}` : sql`(SELECT id FROM documents WHERE uid = ${document.uid})`;
}
