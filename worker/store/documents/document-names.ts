import { type SQL, sql } from "drizzle-orm";
import type { DocumentReference } from "#domain/payments/charges.ts";

/** Returns an SQL expression for a document's id, for an existing one or one written earlier in the batch. */
export function selectDocumentId(name: DocumentReference): SQL {
  return "id" in name ? sql`${name.id}` : sql`(SELECT id FROM documents WHERE uid = ${name.uid})`;
}
