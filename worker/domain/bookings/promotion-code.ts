/** A promotion code as the account writes it, however it was typed. */
export const toOwnCode = (code: string): string => code.toUpperCase();

/** Whether two ways of writing a promotion code name the same one; an empty one, and none, are no code. */
export const isSameCode = (text: string | undefined, other: string | undefined): boolean =>
  toOwnCode(text ?? "") === toOwnCode(other ?? "");
