import { BREACHED } from "./breached-passwords.ts";
import { isInFilter } from "./password-filter.ts";
import { LONGEST_PASSWORD, SHORTEST_PASSWORD } from "./password-length.ts";

export { LONGEST_PASSWORD, SHORTEST_PASSWORD };

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
  if (length < SHORTEST_PASSWORD) return ["passwordTooShort"];
  if (length > LONGEST_PASSWORD) return ["passwordTooLong"];
  return isInFilter(BREACHED, password) || isOneLetter(password) ? ["passwordBreached"] : [];
}

function isOneLetter(password: string): boolean {
  return new Set(password).size === 1;
}
