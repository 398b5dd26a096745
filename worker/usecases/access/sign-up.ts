import { findSecondsUntilRetry } from "#domain/access/attempts.ts";
import {
  findSignUpProblems,
  normalizeSignUpForm,
  type SignUpForm,
  type SignUpProblem,
} from "#domain/access/sign-up.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { hashPassword } from "#worker/auth/passwords.ts";
import { recordSignUpAttempt, registerCustomer } from "#worker/store/access/users.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { createTooManyAttemptsRefusal, type TooManyAttempts, toAttemptSource } from "./limit-attempts.ts";
import { requestEmailVerification } from "./verify-email.ts";

export type SignUpRefusal =
  | TooManyAttempts
  | { readonly kind: "wrong"; readonly problems: readonly SignUpProblem[] }
  | { readonly kind: "taken" };

/**
 * Registers a customer with an unverified address. A used name causes the same work as a free one. Returns the sending
 * of the verification mail, to run after the response.
 */
export async function signUp(
  tenant: Tenant,
  signUpForm: SignUpForm,
  { now, address }: { readonly now: number; readonly address: string | undefined },
): Promise<Result<() => Promise<void>, SignUpRefusal>> {
  const registration = normalizeSignUpForm(signUpForm);
  const problems = findSignUpProblems(registration);
  if (problems.length > 0) return err({ kind: "wrong", problems });
  const wait = findSecondsUntilRetry(
    "sign_up",
    await recordSignUpAttempt(tenant.db, await toAttemptSource(tenant, address), now),
    now,
  );
  if (wait !== undefined) return err(createTooManyAttemptsRefusal(wait));
  const passwordHash = await hashPassword(registration.password);
  const registered = await registerCustomer(tenant.db, registration, { passwordHash, now });
  if (registered !== "registered") return err({ kind: "taken" });
  return ok(await requestEmailVerification(tenant, registration.email, { now, language: registration.language }));
}
