import type { FailureCode } from "#domain/failure-codes.ts";
import { createProblem, type Problem, type ProblemCode } from "#domain/problems.ts";
import type { StaffRefusalCode } from "#domain/refusal-codes.ts";
import { isMultipart } from "./content-types.ts";
import { type FailureDetail, type FieldDetail, toFieldDetail } from "./primitives.ts";

/** Error response in a form common to all APIs. Each API writes it in its own format. */
export interface Failure {
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 503;
  readonly code: FailureCode;
  readonly message: string;
  readonly params?: Readonly<Record<string, string | number>> | undefined;
  readonly detail?: readonly FailureDetail[];
  /** Codes of the refused fields, if `detail` has sentences that already name them. */
  readonly problems?: readonly { readonly field: string; readonly code: ProblemCode }[];
  /** Customers that may be the same as a new one. */
  readonly candidates?: readonly object[];
  /** Checks that block a hand-over. */
  readonly missing?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
}

/** A failure of the interfaces of staff, whose code has a text in every language of the office. */
export type TranslatedFailure<Code extends StaffRefusalCode = StaffRefusalCode> = Failure & { readonly code: Code };

/** Failures of all interfaces without parameters, by name. */
export const failures = {
  badSignature: { status: 401, code: "bad_signature", message: "Missing or invalid API key or signature" },
  badEngineKey: { status: 403, code: "bad_api_key", message: "Missing or invalid api_key" },
  notForm: { status: 415, code: "not_form", message: "The body must be a form" },
  unknownProduct: { status: 404, code: "product_not_found", message: "Product not found" },
  unknownExtra: { status: 404, code: "extra_not_found", message: "Extra not found" },
  notSignedIn: {
    status: 401,
    code: "not_signed_in",
    message: "Missing, invalid or expired token. Sign in again",
    headers: { "WWW-Authenticate": "Bearer" },
  },
  deviceForgotten: {
    status: 401,
    code: "device_revoked",
    message: "This device has been revoked. Local data will be erased. Sign in again",
    headers: { "WWW-Authenticate": "Bearer" },
  },
  secondFactorMissing: {
    status: 403,
    code: "second_factor_missing",
    message: "Your role requires two-factor authentication. Set it up at /api/v1/second-factor",
  },
  secondFactorStale: {
    status: 403,
    code: "second_factor_stale",
    message: "Two-factor verification required: POST /api/v1/second-factor/prove",
  },
  otherRole: { status: 403, code: "role_forbidden", message: "Your role doesn't have access to this resource" },
  branchOfOthers: { status: 403, code: "branch_forbidden", message: "You don't have access to this branch" },
  keyReused: {
    status: 422,
    code: "idempotency_key_reused",
    message: "This Idempotency-Key was already used with a different request",
  },
  unknownPath: { status: 404, code: "unknown_path", message: "Not found: no such endpoint" },
  tooLarge: { status: 413, code: "too_large", message: "The request body is larger than 1 MiB" },
  tooSlow: {
    status: 408,
    code: "request_timeout",
    message: "Request body timed out. Try again",
  },
  notJson: { status: 415, code: "not_json", message: "The body must be JSON, with Content-Type: application/json" },
  notJsonOrForm: {
    status: 415,
    code: "not_json_or_form",
    message: "The body must be JSON or a form, with its Content-Type",
  },
  unreadable: { status: 400, code: "malformed_request", message: "Malformed request body or query string" },
  full: {
    status: 503,
    code: "storage_full",
    message: "Storage limit reached. The request was not saved. Try again later",
    headers: { "Retry-After": "600" },
  },
  migrating: {
    status: 503,
    code: "migrating",
    message: "The account is being updated. Try again in a few minutes",
    headers: { "Retry-After": "60" },
  },
  accountMoving: {
    status: 503,
    code: "account_moving",
    message: "The account is being moved to another database. Nothing was saved. Try again in a few minutes",
    headers: { "Retry-After": "10" },
  },
  accountPaused: {
    status: 503,
    code: "account_paused",
    message: "The account is out of service. Ask the company",
    headers: { "Retry-After": "600" },
  },
  accountUnavailable: {
    status: 503,
    code: "account_unavailable",
    message: "The account can't be reached. Try again in a moment",
    headers: { "Retry-After": "10" },
  },
  overloaded: {
    status: 503,
    code: "overloaded",
    message: "The service is busy. Try again in a moment",
    headers: { "Retry-After": "2" },
  },
} as const satisfies Record<string, TranslatedFailure>;

/** Creates the error for a key without a scope. */
export function createMissingScopeFailure(requiredScope: string): TranslatedFailure<"out_of_scope"> {
  return {
    status: 403,
    code: "out_of_scope",
    message: `This API key lacks the scope ${requiredScope}`,
    params: { scope: requiredScope },
    detail: [{ field: "scope", message: requiredScope }],
  };
}

/** Creates the error for a role without an office right. */
export function createPermissionDeniedFailure(missingRight: string): TranslatedFailure<"permission_denied"> {
  return {
    status: 403,
    code: "permission_denied",
    message: `Permission required: ${missingRight}`,
    params: { right: missingRight },
    detail: [{ field: "right", message: missingRight }],
  };
}

/** Creates the error for a discount above the role's limit. `limit` is an API amount. */
export function createDiscountLimitFailure(limit: string): TranslatedFailure<"discount_limit_exceeded"> {
  return {
    status: 403,
    code: "discount_limit_exceeded",
    message: `Discount limit exceeded: your role can discount at most ${limit} per reservation. Ask a manager`,
    params: { limit },
    detail: [{ field: "right", message: "manage" }],
  };
}

export function createMethodNotAllowedFailure(allowed: readonly string[]): TranslatedFailure<"method_not_allowed"> {
  return {
    status: 405,
    code: "method_not_allowed",
    message: `Method not allowed. Allowed: ${allowed.join(", ")}`,
    params: { methods: allowed.join(", ") },
    headers: { Allow: allowed.join(", ") },
  };
}

/** Creates the error for too many attempts. The message is in the caller's language if shown to a person. */
export function createTooManyAttemptsFailure(
  waitSeconds: number,
  message = "Too many attempts. Try again later",
): TranslatedFailure<"too_many_attempts"> {
  return {
    status: 429,
    code: "too_many_attempts",
    message,
    params: { seconds: waitSeconds },
    headers: { "Retry-After": String(waitSeconds) },
  };
}

export function createInternalErrorFailure(requestId: string): TranslatedFailure<"internal_error"> {
  return {
    status: 500,
    code: "internal_error",
    message: `Internal error. Request ID: ${requestId}`,
    params: { request_id: requestId },
  };
}

/** Returns the failure for refused fields. */
export function createInvalidFieldsFailure(problems: readonly Problem[]): TranslatedFailure<"invalid_input"> {
  return createInvalidInputFailure(problems.map(toFieldDetail));
}

/** Creates the error for invalid input, with all fields. */
export function createInvalidInputFailure(detail: readonly FieldDetail[]): TranslatedFailure<"invalid_input"> {
  const message = detail.map((item) => (item.field ? `${item.field}: ${item.message}` : item.message)).join("; ");
  return { status: 400, code: "invalid_input", message, detail };
}

// Maximum number of fields in a form or query. No API needs more.
const MAX_REPORTED_FIELDS = 100;

const tooManyFields = createInvalidFieldsFailure([createProblem("", "too_many_fields", MAX_REPORTED_FIELDS)]);

/**
 * Checks the size of a form in its text form before parsing, which takes time. Counts separators between fields of an
 * encoded form, or headers of a multipart one.
 */
export function checkFormSize(text: string, contentType: string): Failure | undefined {
  const mark = isMultipart(contentType) ? /content-disposition/gi : /&/g;
  let fields = 0;
  while (mark.test(text)) {
    if (++fields > MAX_REPORTED_FIELDS) return tooManyFields;
  }
  return undefined;
}

/** Returns the error for a query or form that repeats a name, which is ambiguous, or has too many names. */
export function checkParameterNames(names: readonly string[]): Failure | undefined {
  if (names.length > MAX_REPORTED_FIELDS) return tooManyFields;
  const known = new Set<string>();
  const repeated = names.find((name) => known.size === known.add(name).size);
  return repeated === undefined ? undefined : createInvalidFieldsFailure([createProblem(repeated, "repeated")]);
}

/** Returns the failure for a document that lacks data required by the format of an electronic invoice. */
export function createIncompleteEInvoiceFailure({
  format,
  missing,
}: {
  readonly format: string;
  readonly missing: readonly string[];
}): TranslatedFailure<"einvoice_incomplete"> {
  const fields = missing.join(", ");
  return {
    status: 409,
    code: "einvoice_incomplete",
    message: `Missing for an electronic invoice (${format}): ${fields}`,
    params: { format, fields },
    detail: missing.map((field) => ({ field, message: "is missing, or not right" })),
  };
}
