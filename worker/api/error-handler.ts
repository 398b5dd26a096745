import type { Context, ErrorHandler } from "hono";
import { HTTPException } from "hono/http-exception";
import { classifyError, type ErrorClass } from "#worker/usecases/shared/classify-error.ts";
import type { AppEnvironment } from "./environment.ts";
import { createInternalErrorFailure, type Failure, failures } from "./failure.ts";
import { logDefect } from "./request-logger.ts";

const TEMPORARY: Readonly<Record<Exclude<ErrorClass, "defect">, Failure>> = {
  overloaded: failures.overloaded,
  files_unavailable: failures.overloaded,
  storage_full: failures.full,
  migrating: failures.migrating,
  moving: failures.accountMoving,
  unavailable: failures.accountUnavailable,
};

/**
 * Creates the handler of thrown errors of an interface: 503 for temporary ones, otherwise 500 with the request ID. The
 * answer has the interface's own error format. Errors that need attention are logged.
 */
export function createErrorHandler(
  toErrorResponse: (c: Context<AppEnvironment>, failure: Failure) => Response | Promise<Response>,
): ErrorHandler<AppEnvironment> {
  return (error, c) => {
    if (error instanceof HTTPException && error.status === 400) return toErrorResponse(c, failures.unreadable);
    const kind = classifyError(error);
    if (kind !== "overloaded" && kind !== "moving") logDefect(c, error);
    return toErrorResponse(c, kind === "defect" ? createInternalErrorFailure(c.get("requestId")) : TEMPORARY[kind]);
  };
}
