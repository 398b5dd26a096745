/** A call that goes before an operation's example, and what of its answer is taken. */
export interface Step {
  readonly operation: string;
  readonly about: string;
  readonly values?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Another body than the example's. */
  readonly instead?: unknown;
  /** The body where it is no JSON. */
  readonly text?: string;
  readonly takes: Readonly<Record<string, string>>;
}

/** What goes before an operation's example so that it works, and what the example says instead. */
export interface Chain extends Pick<Step, "values" | "body" | "instead" | "text"> {
  readonly first: readonly Step[];
}
