/**
 * Keys for pending work. The server returns the same ones at each sign-in, so that encrypted work outlives the session.
 * The device has them only during the session, and scripts can't read them.
 */
export interface WorkKeySet {
  /** The signed-in user, and the number of their key. */
  readonly author: string;
  readonly own: number;
  /** The user's own key and, for the office, the keys of other users with pending work here, by number. */
  readonly keys: ReadonlyMap<number, CryptoKey>;
}

/** Data that only the key with this number can decrypt. */
export interface SealedWork {
  readonly by: number;
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly bytes: ArrayBuffer;
}
