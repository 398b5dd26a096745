import { findWait } from "#domain/access/attempts.ts";
import { findSignUpProblems, type SignUp, type SignUpProblem, tidySignUp } from "#domain/access/sign-up.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { hashPassword } from "#worker/auth/passwords.ts";
import { countSignUp, registerCustomer } from "#worker/store/access/users.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { type TooMany, toAttemptSource, tooManyAttempts } from "./limit-attempts.ts";

export type SignUpRefusal =
  | TooMany
  | { readonly kind: "wrong"; readonly problems: readonly SignUpProblem[] }
  | { readonly kind: "taken" };

/** Registers a customer. A name that is taken costs the same work as one that is free. */
export async function signUp(
  tenant: Tenant,
  typed: SignUp,
  { now, address }: { readonly now: number; readonly address: string | undefined },
): Promise<Result<true, SignUpRefusal>> {
  const registration = tidySignUp(typed);
  const problems = findSignUpProblems(registration);
  if (problems.length > 0) return refuse({ kind: "wrong", problems });
  const wait = findWait("sign_up", await countSignUp(tenant.db, await toAttemptSource(tenant, address), now), now);
  if (wait !== undefined) return refuse(tooManyAttempts(wait));
  const passwordHash = await hashPassword(registration.password);
  const registered = await registerCustomer(tenant.db, registration, { passwordHash, now });
  return registered === "registered" ? ok(true) : refuse({ kind: "taken" });
}
