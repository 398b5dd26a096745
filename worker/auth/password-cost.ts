/** Cost of a scrypt hash: `2 ** ln` rounds of `r` blocks, `p` times (RFC 7914). */
export interface ScryptParameters {
  readonly ln: number;
  readonly r: number;
  readonly p: number;
}

/** Current cost of hashing a password: a fifth of a second of CPU and 32 MB. */
export const CURRENT_SCRYPT_PARAMETERS: ScryptParameters = { ln: 15, r: 8, p: 3 };
