/** In characters as people count them: of any alphabet, a pass phrase with its spaces, pictures. */
export const MIN_PASSWORD_LENGTH = 8;
export const MAX_PASSWORD_LENGTH = 128;
