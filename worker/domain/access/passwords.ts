import { BREACHED } from "./breached-passwords.ts";
import { isInFilter } from "./password-filter.ts";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "./password-length.ts";

export { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH };

/** A rule that a new password breaks. */
export type PasswordProblem = "passwordMissing" | "passwordTooShort" | "passwordTooLong" | "passwordBreached";

/**
 * Every rule that a new password breaks (docs/interfaces/customer-access.md#passwords). Length counts, not what it is
 * made of: any letter of any alphabet is good, and none is asked for. What is known from breaches is what attackers try
 * first.
 */
export function findPasswordProblems(password: string): readonly PasswordProblem[] {
  if (password === "") return ["passwordMissing"];
  const length = [...password].length;
  if (length < MIN_PASSWORD_LENGTH) return ["passwordTooShort"];
  if (length > MAX_PASSWORD_LENGTH) return ["passwordTooLong"];
  return isInFilter(BREACHED, password) || isOneLetter(password) ? ["passwordBreached"] : [];
}

function isOneLetter(password: string): boolean {
  return new Set(password).size === 1;
}
