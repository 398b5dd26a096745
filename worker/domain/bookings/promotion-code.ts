import { cleanPastedText } from "#domain/identity.ts";

/** Normalizes a typed promotion code to the account's spelling. */
export const toOwnCode = (code: string): string => cleanPastedText(code).toUpperCase();

/** Whether two spellings name the same promotion code. Empty and undefined both mean no code. */
export const isSameCode = (text: string | undefined, other: string | undefined): boolean =>
  toOwnCode(text ?? "") === toOwnCode(other ?? "");
