import { type SQL, sql } from "drizzle-orm";
import type { DocumentName } from "#domain/payments/charges.ts";

/** Returns an SQL expression for a document's id, for an existing one or one written earlier in the batch. */
export function documentNamed(name: DocumentName): SQL {
  return "id" in name ? sql`${name.id}` : sql`(SELECT id FROM documents WHERE uid = ${name.uid})`;
}
