import { type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { FOLDED_NAME_SQL } from "#worker/store/folded-text.ts";
import { customers } from "#worker/store/schema/people.ts";
import { isCustomerVisibleToUserSql } from "./customer-visibility.ts";

/** Identity of a person or company, as expressions or values. */
export interface CustomerMatchInput {
  readonly documentId: SQL;
  readonly email: SQL;
  readonly fullName: SQL;
  /** Condition that the user or branch looking for a customer may see the customer in the row `known`. */
  readonly isVisible: SQL;
  /** Whether the same identity document is enough to match a visible customer, without the same name. */
  readonly isDocumentEnough?: boolean;
  /** Id of a customer to skip. */
  readonly except?: SQL;
}

// As `createFoldedNameSql`, for an expression with parameters.
const folded = (name: SQL) => sql`(SELECT ${sql.raw(FOLDED_NAME_SQL)} FROM (SELECT trim(${name}) AS name))`;

/** Returns the form in which stored document numbers are compared: capital letters without separators. */
export const selectCompactDocumentId = (text: SQLWrapper): SQL =>
  sql`upper(replace(replace(replace(replace(${text}, ' ', ''), '-', ''), '.', ''), '/', ''))`;

/** As `selectCompactDocumentId`, as text. The expression of the indexes of documents. */
export const createCompactSql = (column: string): string =>
  `upper(replace(replace(replace(replace(${column}, ' ', ''), '-', ''), '.', ''), '/', ''))`;

/** Existing customer that may be the same person or company as a new one. */
export interface PossibleDuplicate {
  readonly id: number;
  readonly fullName: string | null;
  readonly documentId: string | null;
  readonly email: string | null;
  readonly phoneNumber: string | null;
}

const MAX_DUPLICATES = 10;
/** Number of last digits by which phone numbers are compared, as in the indexes. This ignores country codes. */
const PHONE_DIGITS = 9;
/** Shorter numbers are too short to identify a person. Denmark and Norway have numbers of eight digits. */
const MIN_PHONE_DIGITS = 8;

/** Data of a new customer that is compared with existing customers to find duplicates. */
export interface DuplicateCriteria {
  readonly documentId?: string | null | undefined;
  readonly email?: string | null | undefined;
  readonly phones: readonly (string | null | undefined)[];
}

/**
 * Returns the query for visible customers with the same document, e-mail or telephone. Each part uses its own index.
 */
export function possibleDuplicatesQuery(
  db: Database,
  { documentId, email, phones }: DuplicateCriteria,
  userId: number,
) {
  const phoneKeysQuery = sql`SELECT ${sql.raw(createPhoneKeySql("value"))} AS phone_key FROM json_each(${JSON.stringify(phones.filter(Boolean))})
    WHERE length(phone_key) >= ${sql.raw(String(MIN_PHONE_DIGITS))}`;
  const current = sql`known.merged_into_id IS NULL`;
  const selectByPhone = (column: string) =>
    sql`SELECT known.id FROM customers AS known WHERE known.${sql.raw(column)} IS NOT NULL AND ${current}
      AND ${sql.raw(createPhoneKeySql(`known.${column}`))} IN (${phoneKeysQuery})`;
  return db
    .select({
      id: customers.id,
      fullName: customers.fullName,
      documentId: customers.documentId,
      email: customers.email,
      phoneNumber: customers.phoneNumber,
    })
    .from(customers)
    .where(
      sql`customers.id IN (
        SELECT known.id FROM customers AS known WHERE known.document_id IS NOT NULL AND ${current}
          AND ${selectCompactDocumentId(sql`known.document_id`)} = ${selectCompactDocumentId(sql`${documentId ?? ""}`)} AND ${documentId ?? ""} <> ''
        UNION SELECT known.id FROM customers AS known WHERE known.email IS NOT NULL AND ${current}
          AND lower(known.email) = lower(${email ?? ""})
        UNION ${selectByPhone("phone_number")} UNION ${selectByPhone("mobile_phone")})
        AND ${isCustomerVisibleToUserSql(userId)}`,
    )
    .limit(MAX_DUPLICATES);
}

/**
 * Returns SQL for the form in which telephones are compared, which ignores separators and the extension. The expression
 * of the indexes customers_by_phone and customers_by_mobile_phone.
 */
export function createPhoneKeySql(column: string): string {
  const digits = [" ", "-", ".", "/", "(", ")"].reduce((text, sign) => `replace(${text}, '${sign}', '')`, column);
  const marked = `replace(replace(lower(${digits}), 'ext', 'x'), '#', 'x')`;
  return `substr(substr(${marked}, 1, instr(${marked} || 'x', 'x') - 1), ${-PHONE_DIGITS})`;
}

/**
 * Returns an expression for an existing customer's id: by tax id or document regardless of spacing, otherwise by e-mail
 * and name unless their documents differ. A customer that may not be seen must have the same document and name, because
 * a document alone would give access to a person's data at other branches.
 */
export function selectMatchingCustomerId({
  documentId,
  email,
  fullName,
  isVisible,
  isDocumentEnough = true,
  except,
}: CustomerMatchInput): SQL<number | null> {
  const document = selectCompactDocumentId(sql`known.document_id`);
  const isOther = except === undefined ? sql`` : sql`AND known.id IS NOT ${except}`;
  return sql<number | null>`coalesce(
    (SELECT min(known.id) FROM customers AS known WHERE known.document_id IS NOT NULL AND known.merged_into_id IS NULL
      AND ${document} = ${selectCompactDocumentId(documentId)} AND trim(${documentId}) <> '' ${isOther}
      AND (${folded(sql`known.full_name`)} = ${folded(fullName)} OR ${isDocumentEnough ? isVisible : sql`0`})),
    (SELECT min(known.id) FROM customers AS known WHERE known.email IS NOT NULL AND known.merged_into_id IS NULL
      AND lower(known.email) = lower(trim(${email})) ${isOther} AND ${folded(sql`known.full_name`)} = ${folded(fullName)}
      AND (known.document_id IS NULL OR coalesce(trim(${documentId}), '') = '' OR ${document} = ${selectCompactDocumentId(documentId)}) AND ${isVisible}))`;
}
