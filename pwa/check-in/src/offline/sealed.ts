/**
 * The keys that waiting work is sealed with. The server gives the same ones at every sign-in, so that what is sealed
 * outlives the session; the phone has them only while the session lasts, and no script can read them.
 */
export interface KeySet {
  /** Who is signed in, and the number of their key. */
  readonly author: string;
  readonly own: number;
  /** One's own key and, for the office, those of colleagues whose work waits here; by their numbers. */
  readonly keys: ReadonlyMap<number, CryptoKey>;
}

/** What only the key of that number opens. */
export interface SealedWork {
  readonly by: number;
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly bytes: ArrayBuffer;
}
