/** Where the fonts lie that the printer is served. */
export const FONTS: string;
/** Lays out the fonts that are not there yet or are of another version. */
export function layOutFonts(): void;
