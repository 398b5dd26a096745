/** A caller with an account's credentials. */
export interface Caller {
  readonly account: string;
  /** Partner key by API family. */
  readonly keys: Readonly<Record<string, { readonly apiKey: string; readonly secret: string }>>;
  readonly engineKey: string;
  readonly token: string;
}
