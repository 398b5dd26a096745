import { type SQL, sql } from "drizzle-orm";

/** A person or a company as somebody names it; each an expression or a value. */
export interface NamedCustomer {
  readonly documentId: SQL;
  readonly email: SQL;
  readonly fullName: SQL;
}

const squeezed = (text: SQL) => sql`upper(replace(replace(replace(${text}, ' ', ''), '-', ''), '.', ''))`;

/**
 * The id of the customer that the company knows already, an expression: by tax id or document, however it is spaced,
 * else by e-mail and name, where no other document stands against it.
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
