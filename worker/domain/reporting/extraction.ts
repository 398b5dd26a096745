/** Filters of a list, as named in the interface. Absent filters don't apply. Times in epoch ms. */
export interface ExtractionFilters {
  readonly updatedFrom?: number | undefined;
  readonly dateFrom?: string | number | undefined;
  readonly dateTo?: string | number | undefined;
  readonly status?: string | undefined;
  readonly accountingProcessed?: number | undefined;
  readonly chargeAccountingProcessed?: number | undefined;
  readonly branchCode?: string | undefined;
  readonly branchGroupId?: number | undefined;
}

/** Requested part of a list: a page number, or the part after an entity. */
export interface ExtractionPageRequest {
  readonly pageSize: number;
  /** Page number, starting at 0. */
  readonly page: number;
  /** Id of the last entity seen, as in the API. */
  readonly after: string | number | undefined;
  readonly filters: ExtractionFilters;
}

/** Page of a list, and the total number. */
export interface ExtractionPage<Entity> {
  readonly rows: readonly Entity[];
  readonly total: number;
}
