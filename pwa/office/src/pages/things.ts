/** A record in the office API. */
export type ResourceRecord = Readonly<Record<string, unknown>> & {
  readonly id: string | number;
  readonly version: number;
};

/** Choices of a field. */
export type Options = Readonly<Record<string, readonly { readonly id: string | number; readonly name: string }[]>>;
