/** A thing as the office tells it. */
export type ResourceRecord = Readonly<Record<string, unknown>> & {
  readonly id: string | number;
  readonly version: number;
};

/** What can be chosen for a field. */
export type Options = Readonly<Record<string, readonly { readonly id: string | number; readonly name: string }[]>>;
