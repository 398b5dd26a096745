/** A caller with an account's credentials. */
export interface Caller {
  readonly account: string;
  /** Partner key by API family. */
  readonly keys: Readonly<Record<string, { readonly apiKey: string; readonly secret: string }>>;
  readonly engineKey: string;
  readonly token: string;
}

/** Parts of a request that must match for an operation to find its target. */
export interface RequestRecipe {
  /** Path and query parameters by name. */
  readonly parameters?: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
  /** Token used instead of the caller's. */
  readonly token?: string;
}
