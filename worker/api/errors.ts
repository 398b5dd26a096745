import type { Context } from "hono";
import type { AppEnvironment } from "./environment.ts";
import type { Failure } from "./failure.ts";
import { answerFailure, type ErrorResponse } from "./interface.ts";

/** Converts an error to a response of all APIs except the agency's (docs/interfaces/conventions.md#errors). */
export function toErrorResponse(c: Context<AppEnvironment>, failure: Failure): ErrorResponse {
  const { code, message, params, detail, candidates, missing } = failure;
  const more = {
    ...(params && { params }),
    ...(detail && { detail }),
    ...(candidates && { candidates }),
    ...(missing && { missing }),
  };
  return answerFailure(c, { error: message, code, ...more }, failure);
}
