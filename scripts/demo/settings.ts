import { getTableColumns } from "drizzle-orm";
import type { Settings } from "#domain/catalogue/catalogue.ts";
import type { BasisPoints } from "#domain/money.ts";
import { fromSettingsRow } from "#worker/store/catalogue/catalogue.ts";
import { settings } from "#worker/store/schema/organization.ts";

type Row = Omit<typeof settings.$inferInsert, "id">;

export interface CompanySettings extends Settings {
  readonly row: Row;
  /** The tax of what has no rate of its own: supplements, other sales. */
  readonly vat: BasisPoints;
}

/** A company's settings: the schema's own where the row says nothing. */
export function settingsOf(row: Row, vat: BasisPoints): CompanySettings {
  const defaults = Object.entries(getTableColumns(settings)).map(([name, column]) => [name, column.default ?? null]);
  return { ...fromSettingsRow({ ...Object.fromEntries(defaults), ...row, id: 1 }), row, vat };
}
