import { getTableColumns } from "drizzle-orm";
import type { SQLiteTable } from "drizzle-orm/sqlite-core";
import type { Settings } from "#domain/catalogue/catalogue.ts";
import type { BasisPoints } from "#domain/money.ts";
import { fromSettingsRow } from "#worker/store/catalogue/catalogue.ts";
import { settings } from "#worker/store/schema/organization.ts";

export interface CompanySettings extends Settings {
  readonly row: typeof settings.$inferSelect;
  /** The tax of what has no rate of its own: supplements, other sales. */
  readonly vat: BasisPoints;
}

/** A company's settings: the schema's own where the row says nothing. */
export function settingsOf(given: Omit<typeof settings.$inferInsert, "id">, vat: BasisPoints): CompanySettings {
  const row = { ...emptyRow(settings), ...given, id: 1 } as typeof settings.$inferSelect;
  return { ...fromSettingsRow(row), row, vat };
}

/** What a table's row is before anything is said of it. */
export function emptyRow(table: SQLiteTable): Readonly<Record<string, unknown>> {
  const columns = Object.entries(getTableColumns(table)).filter(([, { generated }]) => !generated);
  return Object.fromEntries(columns.map(([name, column]) => [name, column.default ?? null]));
}
