/** What a list may be narrowed by, in the words of the interface; absent: not narrowed. Moments in epoch ms. */
export interface Filters {
  readonly updatedFrom?: number | undefined;
  readonly dateFrom?: string | number | undefined;
  readonly dateTo?: string | number | undefined;
  readonly status?: string | undefined;
  readonly accountingProcessed?: number | undefined;
  readonly chargeAccountingProcessed?: number | undefined;
  readonly branchCode?: string | undefined;
  readonly branchGroupId?: number | undefined;
}

/** Which part of a list is asked for: by its number, or what comes after an entity that was seen. */
export interface PageRequest {
  readonly pageSize: number;
  /** From 0. */
  readonly page: number;
  /** The id of the last entity seen, as the wire shows it. */
  readonly after: string | number | undefined;
  readonly filters: Filters;
}

/** A page of a list, and how many there are in all. */
export interface Page<Entity> {
  readonly rows: readonly Entity[];
  readonly total: number;
}
