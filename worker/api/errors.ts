import type { Context } from "hono";
import type { AppEnvironment } from "./environment.ts";
import type { Failure } from "./failure.ts";
import { answerFailure, type ErrorResponse } from "./interface.ts";

/** The envelope of every failure outside the agency interface (docs/interfaces/conventions.md#errors). */
export function toErrorResponse(c: Context<AppEnvironment>, failure: Failure): ErrorResponse {
  const { code, message, detail } = failure;
  return answerFailure(c, { error: message, code, ...(detail && { detail }) }, failure);
}
