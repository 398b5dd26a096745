import type { PriceTable } from "#domain/catalogue/resources/price-table.ts";

/** Key of a price table: season and channel, both optional. */
export interface PriceTableKey {
  readonly seasonId: number | null;
  readonly channel: string | null;
}

/** Price table with a version that changes with every price. */
export interface StoredPriceTable extends PriceTableKey, PriceTable {
  readonly version: number;
  /** Names by category. */
  readonly names: Readonly<Record<string, string>>;
}

/** Time in which a branch is open on a weekday. Monday = 1. */
export interface WeekdayOpeningTime {
  readonly weekday: number;
  readonly opens: string;
  readonly closes: string;
}

/** A branch's opening hours of all weekdays, with a version that changes with each of them. */
export interface OpeningWeek {
  readonly branchCode: string;
  readonly times: readonly WeekdayOpeningTime[];
  readonly version: number;
}
