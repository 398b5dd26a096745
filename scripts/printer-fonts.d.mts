/** Folder of the printer's fonts. */
export const FONTS: string;
/** Copies fonts that are missing or have another version. */
export function layOutFonts(): void;
