import { BREACHED_PASSWORD_FILTER } from "./breached-passwords.ts";
import { isInPasswordFilter } from "./password-filter.ts";
import { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH } from "./password-length.ts";

export { MAX_PASSWORD_LENGTH, MIN_PASSWORD_LENGTH };

/** Rule that a new password breaks. */
export type PasswordProblem = "passwordMissing" | "passwordTooShort" | "passwordTooLong" | "passwordBreached";

/**
 * Returns every rule that a new password breaks (docs/interfaces/customer-access.md#passwords). Only the length counts.
 * Any characters are allowed and none are required. Passwords from known breaches are rejected because attackers try
 * them first.
 */
export function findPasswordProblems(password: string): readonly PasswordProblem[] {
  if (password === "") return ["passwordMissing"];
  const length = [...password].length;
  if (length < MIN_PASSWORD_LENGTH) return ["passwordTooShort"];
  if (length > MAX_PASSWORD_LENGTH) return ["passwordTooLong"];
  return isInPasswordFilter(BREACHED_PASSWORD_FILTER, password) || isOneLetter(password) ? ["passwordBreached"] : [];
}

function isOneLetter(password: string): boolean {
  return new Set(password).size === 1;
}
