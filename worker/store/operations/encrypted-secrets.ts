import { and, eq, isNotNull, sql } from "drizzle-orm";
import type { SQLiteColumn, SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Database } from "#worker/store/database.ts";
import { accountSecrets, secondFactors } from "#worker/store/schema/access.ts";
import { settings } from "#worker/store/schema/organization.ts";
import { outgoingMails } from "#worker/store/schema/outgoing-mails.ts";
import { paymentGateways } from "#worker/store/schema/payments.ts";
import { partnerKeys } from "#worker/store/schema/people.ts";
import { webhooks } from "#worker/store/schema/webhooks.ts";

interface SealedColumn {
  readonly table: SQLiteTable;
  readonly key: SQLiteColumn;
  readonly column: SQLiteColumn;
  /** Name of the column in the rows of the table, as used in the code. */
  readonly property: string;
}

/** All columns with encrypted values. */
const sealedColumns: readonly SealedColumn[] = [
  { table: partnerKeys, key: partnerKeys.apiKey, column: partnerKeys.secretSealed, property: "secretSealed" },
  {
    table: partnerKeys,
    key: partnerKeys.apiKey,
    column: partnerKeys.previousSecretSealed,
    property: "previousSecretSealed",
  },
  {
    table: paymentGateways,
    key: paymentGateways.method,
    column: paymentGateways.secretSealed,
    property: "secretSealed",
  },
  {
    table: paymentGateways,
    key: paymentGateways.method,
    column: paymentGateways.previousSecretSealed,
    property: "previousSecretSealed",
  },
  {
    table: paymentGateways,
    key: paymentGateways.method,
    column: paymentGateways.webhookSecretSealed,
    property: "webhookSecretSealed",
  },
  { table: settings, key: settings.id, column: settings.sesPasswordSealed, property: "sesPasswordSealed" },
  { table: accountSecrets, key: accountSecrets.name, column: accountSecrets.sealed, property: "sealed" },
  { table: secondFactors, key: secondFactors.userId, column: secondFactors.sealed, property: "sealed" },
  { table: webhooks, key: webhooks.id, column: webhooks.secretSealed, property: "secretSealed" },
  { table: webhooks, key: webhooks.id, column: webhooks.previousSecretSealed, property: "previousSecretSealed" },
  { table: outgoingMails, key: outgoingMails.id, column: outgoingMails.sealed, property: "sealed" },
];

/** Encrypted secret and its location. */
export interface EncryptedSecret {
  /** Index of its column in the list of all columns with encrypted values. */
  readonly columnIndex: number;
  readonly key: string | number;
  readonly sealed: string;
}

/** Reads all encrypted secrets of an account. */
export async function readEncryptedSecrets(db: Database): Promise<readonly EncryptedSecret[]> {
  const [first, ...others] = sealedColumns.map(({ table, key, column }) =>
    db
      .select({ key: sql<string | number>`${key}`.as("key"), sealed: sql<string>`${column}`.as("sealed") })
      .from(table)
      .where(isNotNull(column)),
  );
  if (!first) return [];
  const answers = await db.batch([first, ...others]);
  return answers.flatMap((rows, columnIndex) => rows.map(({ key, sealed }) => ({ columnIndex, key, sealed })));
}

/** Replaces the secrets, unless they have changed in the meantime. */
export async function replaceEncryptedSecrets(
  db: Database,
  changes: readonly (EncryptedSecret & { readonly reencrypted: string })[],
): Promise<void> {
  const [first, ...others] = changes.flatMap(({ columnIndex, key, sealed, reencrypted }) => {
    const encryptedColumn = sealedColumns[columnIndex];
    return encryptedColumn
      ? [
          db
            .update(encryptedColumn.table)
            .set({ [encryptedColumn.property]: reencrypted })
            .where(and(eq(encryptedColumn.key, key), eq(encryptedColumn.column, sealed))),
        ]
      : [];
  });
  if (first) await db.batch([first, ...others]);
}
