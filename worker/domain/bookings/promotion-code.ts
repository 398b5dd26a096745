import { cleanPastedText } from "#domain/identity.ts";

/** Normalizes a typed promotion code to the account's spelling. */
export const cleanPromotionCode = (code: string): string => cleanPastedText(code).toUpperCase();

/** Whether two spellings name the same promotion code. Empty and undefined both mean no code. */
export const isSamePromotionCode = (text: string | undefined, other: string | undefined): boolean =>
  cleanPromotionCode(text ?? "") === cleanPromotionCode(other ?? "");
