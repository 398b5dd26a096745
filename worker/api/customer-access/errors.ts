import type { Context } from "hono";
import type { SignUpProblem } from "#domain/access/sign-up.ts";
import type { SpokenLanguage } from "#domain/catalogue/languages.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { type Failure, tooManyAttempts } from "#worker/api/failure.ts";
import type { TooMany } from "#worker/usecases/access/limit-attempts.ts";
import { nameTaken, sayProblem, sayTooMany } from "./texts.ts";

/** The envelope of every failure of customer access: `detail` holds sentences (client contract, section 5). */
export function toAccessError(c: Context<AppEnvironment>, failure: Failure) {
  const { status, code, message, detail, headers } = failure;
  const sentences = detail?.map((one) => (one.field ? `${one.field}: ${one.message}` : one.message));
  return c.json(
    { error: message, code, ...(sentences && { detail: sentences }) },
    status,
    headers ? { ...headers } : undefined,
  );
}

type Refusal =
  | TooMany
  | { readonly kind: "wrong" | "weak"; readonly problems: readonly SignUpProblem[] }
  | { readonly kind: "taken" };

/** What a use case of customer access refused, in the person's language. */
export function toAccessFailure(refusal: Refusal, language: SpokenLanguage): Failure {
  switch (refusal.kind) {
    case "tooManyAttempts":
      return tooManyAttempts(refusal.waitSeconds, sayTooMany(language));
    case "taken":
      return withSentences({ status: 409, code: "taken" }, [nameTaken(language)]);
    case "wrong":
    case "weak": {
      const code = refusal.kind === "weak" ? "weak_password" : "invalid_input";
      return withSentences(
        { status: 400, code },
        refusal.problems.map((problem) => sayProblem(problem, language)),
      );
    }
  }
}

function withSentences(failure: Pick<Failure, "status" | "code">, sentences: readonly string[]): Failure {
  const detail = sentences.map((message) => ({ field: "", message }));
  return { ...failure, message: sentences.join(" "), detail };
}
