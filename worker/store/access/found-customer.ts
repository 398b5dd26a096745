import { type SQL, sql } from "drizzle-orm";
import { foldedName } from "#worker/store/folded-text.ts";

/** Identity of a person or company, as expressions or values. */
export interface NamedCustomer {
  readonly documentId: SQL;
  readonly email: SQL;
  readonly fullName: SQL;
  /** Whether the customer `known` may be seen where it is looked for. */
  readonly isVisible: SQL;
}

// Names are compared in any spelling. lower() of SQLite knows ASCII only.
const folded = (text: SQL) => sql`(SELECT ${sql.raw(foldedName("name"))} FROM (SELECT trim(${text}) AS name))`;
const squeezed = (text: SQL) => sql`upper(replace(replace(replace(${text}, ' ', ''), '-', ''), '.', ''))`;

/**
 * Returns an expression for an existing customer's id: by tax id or document regardless of spacing, otherwise by e-mail
 * and name unless their documents differ. A customer that may not be seen must have the same document and name, because
 * a document alone would give access to a person's data at other branches.
 */
export function matchKnownCustomer({ documentId, email, fullName, isVisible }: NamedCustomer): SQL<number | null> {
  const document = squeezed(sql`known.document_id`);
  return sql<number | null>`coalesce(
    (SELECT min(known.id) FROM customers AS known WHERE known.document_id IS NOT NULL AND known.merged_into_id IS NULL
      AND ${document} = ${squeezed(documentId)} AND trim(${documentId}) <> ''
      AND (${folded(sql`known.full_name`)} = ${folded(fullName)} OR ${isVisible})),
    (SELECT min(known.id) FROM customers AS known WHERE known.email IS NOT NULL AND known.merged_into_id IS NULL
      AND lower(known.email) = lower(trim(${email})) AND ${folded(sql`known.full_name`)} = ${folded(fullName)}
      AND (known.document_id IS NULL OR coalesce(trim(${documentId}), '') = '' OR ${document} = ${squeezed(documentId)}) AND ${isVisible}))`;
}
