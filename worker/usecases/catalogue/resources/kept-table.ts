import type { PriceTable } from "#domain/catalogue/resources/price-table.ts";

/** Which table: of a season or of none, of a channel or of none. */
export interface TableKey {
  readonly seasonId: number | null;
  readonly channel: string | null;
}

/** A table of prices with its version, which every change of any price moves. */
export interface StoredPriceTable extends TableKey, PriceTable {
  readonly version: number;
  /** By category. */
  readonly names: Readonly<Record<string, string>>;
}
