/** Who calls: what an account lets in. */
export interface Caller {
  readonly account: string;
  /** A key that has the scope of a family, by the family. */
  readonly keys: Readonly<Record<string, { readonly apiKey: string; readonly secret: string }>>;
  readonly engineKey: string;
  readonly token: string;
}
