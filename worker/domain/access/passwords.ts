export const SHORTEST_PASSWORD = 8;
export const LONGEST_PASSWORD = 128;

/** A rule that a new password breaks. */
export type PasswordProblem =
  | "passwordMissing"
  | "passwordTooShort"
  | "passwordTooLong"
  | "passwordOtherCharacters"
  | "passwordWithoutLowerCase"
  | "passwordWithoutUpperCase"
  | "passwordWithoutDigit"
  | "passwordWithoutSymbol";

const RULES: readonly (readonly [PasswordProblem, (password: string) => boolean])[] = [
  ["passwordTooShort", (password) => password.length >= SHORTEST_PASSWORD],
  ["passwordTooLong", (password) => password.length <= LONGEST_PASSWORD],
  ["passwordOtherCharacters", (password) => /^[A-Za-z0-9=!\-@._*&]*$/.test(password)],
  ["passwordWithoutLowerCase", (password) => /[a-z]/.test(password)],
  ["passwordWithoutUpperCase", (password) => /[A-Z]/.test(password)],
  ["passwordWithoutDigit", (password) => /[0-9]/.test(password)],
  ["passwordWithoutSymbol", (password) => /[=!\-@._*&]/.test(password)],
];

/**
 * Every rule that a new password breaks (docs/interfaces/customer-access.md#passwords): existing clients check the same
 * before they send.
 */
export function findPasswordProblems(password: string): readonly PasswordProblem[] {
  if (password === "") return ["passwordMissing"];
  return RULES.filter(([, holds]) => !holds(password)).map(([problem]) => problem);
}
