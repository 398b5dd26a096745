const KNOWN_LETTERS = /^[MNEHCDIJSRFGPULWOX][BCDWVLSTFJXPQZEMRHYNGK][MNCABDE][RNDQHIECLSABMFVZUX]$/;

/**
 * Whether each letter of an ACRISS code is in the standard's matrix. Other codes are only a warning, because the matrix
 * changes.
 */
export function isKnownAcrissCode(code: string): boolean {
  return KNOWN_LETTERS.test(code);
}
