/** A call made before an operation's example, and the values taken from its response. */
export interface ChainStep {
  readonly operation: string;
  readonly about: string;
  readonly values?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Body used instead of the example's. */
  readonly instead?: unknown;
  /** Body as text, for a request that isn't JSON. */
  readonly text?: string;
  readonly takes: Readonly<Record<string, string>>;
}

/** Prerequisite calls of an operation's example, and the values used instead of the example's. */
export interface ExampleChain extends Pick<ChainStep, "values" | "body" | "instead" | "text"> {
  readonly first: readonly ChainStep[];
}
