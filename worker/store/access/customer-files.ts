import { eq, getTableColumns, sql } from "drizzle-orm";
import { isCustomerVisibleToUserSql } from "#worker/store/access/customer-visibility.ts";
import { selectStaffName } from "#worker/store/access/staff-name.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { catalogueVersion } from "#worker/store/schema/catalogue-version.ts";
import { erasureFiles } from "#worker/store/schema/ministry-reports.ts";
import { customerFiles, customerHistory } from "#worker/store/schema/people.ts";

const file = {
  ...getTableColumns(customerFiles),
  author: selectStaffName(sql`customer_files.created_by`).as("file_author"),
};

// Includes files of customers that were merged into this one.
const isForCustomer = (id: number) =>
  sql`customer_files.customer_id IN (SELECT id FROM customers WHERE id = ${id} OR merged_into_id = ${id})`;

/** Returns the object path of a file. */
export function getCustomerFilePath({ customerId, key }: Pick<CustomerFileRow, "customerId" | "key">): string {
  return `customers/${customerId}/${key}`;
}

/** Returns the query that reads whether the user may access a customer, and the number of its files. */
export function customerFileAccessQuery(db: Database, customerId: number, userId: number) {
  return db
    .select({
      isAccessible: sql<number>`EXISTS (SELECT 1 FROM customers WHERE customers.id = ${customerId}
        AND customers.erased_at IS NULL AND ${isCustomerVisibleToUserSql(userId)})`.as("is_accessible"),
      files: sql<number>`(SELECT count(*) FROM customer_files WHERE ${isForCustomer(customerId)})`.as("file_count"),
    })
    .from(catalogueVersion);
}

/** Returns the query for a customer's files, newest first. */
export function customerFilesQuery(db: Database, customerId: number) {
  return db
    .select(file)
    .from(customerFiles)
    .where(isForCustomer(customerId))
    .orderBy(sql`customer_files.created_at DESC, customer_files.file_key`);
}
export type CustomerFileRow = Awaited<ReturnType<typeof customerFilesQuery>>[number];

/** Returns the query for a file of a customer. */
export function customerFileQuery(db: Database, customerId: number, key: string) {
  return db
    .select(file)
    .from(customerFiles)
    .where(sql`customer_files.file_key = ${key} AND ${isForCustomer(customerId)}`);
}

interface Author {
  readonly actor: string;
  readonly at: number;
}

/** Returns the statements that add a file, unless the customer was erased in the meantime, and its history entry. */
export function newCustomerFileStatements(
  db: Database,
  added: Pick<CustomerFileRow, "key" | "customerId" | "name" | "contentType" | "sizeBytes">,
  { actor, at }: Author,
): readonly Query[] {
  const source = sql`FROM customers WHERE customers.id = ${added.customerId} AND customers.erased_at IS NULL`;
  const entry = { customerId: added.customerId, at, actor, event: "changed" } as const;
  const detail = JSON.stringify({ after: { file: added.name } });
  return [
    db
      .insert(customerFiles)
      .select(selectRowToInsert(customerFiles, { ...added, createdBy: actor, createdAt: at }, source)),
    db.insert(customerHistory).select(selectRowToInsert(customerHistory, { ...entry, detail }, source)),
  ];
}

/** Returns the statements that delete a file's row, record its object for deletion and add the history entry. */
export function deleteCustomerFileStatements(
  db: Database,
  row: CustomerFileRow,
  { actor, at }: Author,
): readonly Query[] {
  const detail = JSON.stringify({ before: { file: row.name } });
  return [
    db
      .insert(erasureFiles)
      .values({ path: getCustomerFilePath(row) })
      .onConflictDoNothing(),
    db.delete(customerFiles).where(eq(customerFiles.key, row.key)),
    db.insert(customerHistory).values({ customerId: row.customerId, at, actor, event: "changed", detail }),
  ];
}
