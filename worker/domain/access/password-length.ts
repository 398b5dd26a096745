/** In characters as people count them: of any alphabet, a pass phrase with its spaces, pictures. */
export const SHORTEST_PASSWORD = 8;
export const LONGEST_PASSWORD = 128;
