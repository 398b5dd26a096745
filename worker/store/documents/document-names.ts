import { type SQL, sql } from "drizzle-orm";
import type { DocumentName } from "#domain/payments/charges.ts";

/**
 * The id of a document as an expression: of one that is there, or of one that an earlier statement of the batch writes.
 */
export function documentNamed(name: DocumentName): SQL {
  return "id" in name ? sql`${name.id}` : sql`(SELECT id FROM documents WHERE uid = ${name.uid})`;
}
