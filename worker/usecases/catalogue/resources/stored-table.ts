import type { PriceTable } from "#domain/catalogue/resources/price-table.ts";

/** Key of a price table: season and channel, both optional. */
export interface TableKey {
  readonly seasonId: number | null;
  readonly channel: string | null;
}

/** Price table with a version that changes with every price. */
export interface StoredPriceTable extends TableKey, PriceTable {
  readonly version: number;
  /** Names by category. */
  readonly names: Readonly<Record<string, string>>;
}
