import type { Context } from "hono";
import { getSignUpProblemCode, type SignUpField, type SignUpProblem } from "#domain/access/sign-up.ts";
import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { createTooManyAttemptsFailure, type Failure } from "#worker/api/failure.ts";
import { answerFailure, type ErrorResponse } from "#worker/api/interface.ts";
import type { TooManyAttempts } from "#worker/usecases/access/limit-attempts.ts";
import type { SignUpRequest } from "./messages.ts";
import { getTooManyAttemptsText, getUserExistsText, translateSignUpProblem } from "./texts.ts";

/**
 * Converts a customer access error. `detail` contains sentences (docs/interfaces/conventions.md#errors), `problems` the
 * codes of the same fields.
 */
export function toAccessErrorResponse(c: Context<AppEnvironment>, failure: Failure): ErrorResponse {
  const { code, message, detail } = failure;
  const sentences = detail?.map((item) => (item.field ? `${item.field}: ${item.message}` : item.message));
  const problems = detail?.flatMap(({ field, code: reason }) => (reason ? [{ field, code: reason }] : []));
  const codes = failure.problems ?? (problems?.length === detail?.length ? problems : undefined);
  const body = { error: message, code, ...(sentences && { detail: sentences }), ...(codes && { problems: codes }) };
  return answerFailure(c, body, failure);
}

type AccessRefusal =
  | TooManyAttempts
  | { readonly kind: "wrong" | "weak"; readonly problems: readonly SignUpProblem[] }
  | { readonly kind: "taken" };

/** Members of a registration by field. */
const FIELDS: Readonly<Record<SignUpField, keyof SignUpRequest>> = {
  username: "username",
  email: "email",
  name: "name",
  surname: "surname",
  phonePrefix: "phone_number_prefix",
  phone: "phone_number",
  documentId: "document_id",
};

/** Converts a rejection to an error in the user's language. */
export function toAccessFailure(refusal: AccessRefusal, language: PlatformLanguage): Failure {
  switch (refusal.kind) {
    case "tooManyAttempts":
      return createTooManyAttemptsFailure(refusal.waitSeconds, getTooManyAttemptsText(language));
    case "taken":
      return withSentences({ status: 409, code: "taken" }, [getUserExistsText(language)]);
    case "wrong":
    case "weak": {
      const code = refusal.kind === "weak" ? "weak_password" : "invalid_input";
      const problems = refusal.problems.map((problem) => ({
        field: typeof problem === "string" ? "password" : FIELDS[problem.field],
        code: getSignUpProblemCode(problem),
      }));
      return withSentences(
        { status: 400, code, problems },
        refusal.problems.map((problem) => translateSignUpProblem(problem, language)),
      );
    }
  }
}

function withSentences(failure: Pick<Failure, "status" | "code" | "problems">, sentences: readonly string[]): Failure {
  const detail = sentences.map((message) => ({ field: "", message }));
  return { ...failure, message: sentences.join(" "), detail };
}
