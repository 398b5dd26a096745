/** Parts of a request that must match for an operation to find its target. */
export interface RequestRecipe {
  /** Path and query parameters by name. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Token used instead of the caller's. */
  readonly token?: string;
}
