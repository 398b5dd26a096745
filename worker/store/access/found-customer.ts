import { type SQL, sql } from "drizzle-orm";

/** Identity of a person or company, as expressions or values. */
export interface NamedCustomer {
  readonly documentId: SQL;
  readonly email: SQL;
  readonly fullName: SQL;
}

const squeezed = (text: SQL) => sql`upper(replace(replace(replace(${text}, ' ', ''), '-', ''), '.', ''))`;

/**
 * Returns an expression for an existing customer's id: by tax id or document regardless of spacing, otherwise by e-mail
 * and name unless their documents differ.
 */
export function matchKnownCustomer({ documentId, email, fullName }: NamedCustomer): SQL<number | null> {
  const document = squeezed(sql`known.document_id`);
  return sql<number | null>`coalesce(
    (SELECT min(known.id) FROM customers AS known WHERE known.document_id IS NOT NULL AND known.merged_into_id IS NULL
      AND ${document} = ${squeezed(documentId)} AND trim(${documentId}) <> ''),
    (SELECT min(known.id) FROM customers AS known WHERE known.email IS NOT NULL AND known.merged_into_id IS NULL
      AND lower(known.email) = lower(trim(${email})) AND lower(known.full_name) = lower(trim(${fullName}))
      AND (known.document_id IS NULL OR coalesce(trim(${documentId}), '') = '' OR ${document} = ${squeezed(documentId)})))`;
}
