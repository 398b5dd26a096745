import type { Settings } from "#domain/catalogue/catalogue.ts";
import type { BasisPoints } from "#domain/money.ts";
import { fromSettingsRow } from "#worker/store/catalogue/catalogue.ts";
import { toStoredRow } from "#worker/store/new-rows.ts";
import { settings } from "#worker/store/schema/organization.ts";

export interface CompanySettings extends Settings {
  readonly row: typeof settings.$inferSelect;
  /** Tax rate of everything without its own: supplements and other sales. */
  readonly vat: BasisPoints;
}

/** Creates company settings with schema defaults for missing columns. */
export function createCompanySettings(
  settingsRow: Omit<typeof settings.$inferInsert, "id">,
  vat: BasisPoints,
): CompanySettings {
  const row = toStoredRow(settings, { ...settingsRow, id: 1 });
  return { ...fromSettingsRow(row), row, vat };
}
