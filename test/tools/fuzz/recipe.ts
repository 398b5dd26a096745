/** The parts of a request that must be right together, so that an operation finds what it is about. */
export interface Recipe {
  /** Of the path and the query, by name. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Whose token is sent instead of the caller's. */
  readonly token?: string;
}
