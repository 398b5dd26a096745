import { isMultipart } from "./content-types.ts";

/**
 * Why a request fails before or beside its use case, the same in every interface; each speaks it in its own envelope.
 */
export interface Failure {
  readonly status: 400 | 401 | 403 | 404 | 405 | 408 | 409 | 413 | 415 | 422 | 429 | 500 | 503;
  readonly code: string;
  readonly message: string;
  readonly detail?: readonly { readonly field: string; readonly message: string }[];
  readonly headers?: Readonly<Record<string, string>>;
}

export const failures = {
  badSignature: { status: 401, code: "bad_signature", message: "The API key or the signature is missing or wrong" },
  badEngineKey: { status: 403, code: "bad_api_key", message: "The api_key is missing or wrong" },
  notForm: { status: 415, code: "not_form", message: "The body must be a form" },
  unknownProduct: { status: 404, code: "product_not_found", message: "Product not found" },
  unknownExtra: { status: 404, code: "extra_not_found", message: "Extra not found" },
  notSignedIn: {
    status: 401,
    code: "not_signed_in",
    message: "The token is missing, wrong or no longer valid; please sign in",
    headers: { "WWW-Authenticate": "Bearer" },
  },
  deviceForgotten: {
    status: 401,
    code: "device_revoked",
    message: "This device is to forget what it keeps of the company; please sign in",
    headers: { "WWW-Authenticate": "Bearer" },
  },
  secondFactorMissing: {
    status: 403,
    code: "second_factor_missing",
    message: "The company asks your role for a second factor: set one up at /api/v1/second-factor and sign in with it",
  },
  secondFactorStale: {
    status: 403,
    code: "second_factor_stale",
    message: "Please prove your second factor first: POST /api/v1/second-factor/prove",
  },
  otherRole: { status: 403, code: "role_forbidden", message: "Your role does not allow this" },
  branchOfOthers: { status: 403, code: "branch_forbidden", message: "You do not work at that branch" },
  keyReused: {
    status: 422,
    code: "idempotency_key_reused",
    message: "Another request was made under this Idempotency-Key",
  },
  unknownPath: { status: 404, code: "unknown_path", message: "There is nothing at this address" },
  tooLarge: { status: 413, code: "too_large", message: "The body of the request is larger than 1 MiB" },
  tooSlow: {
    status: 408,
    code: "request_timeout",
    message: "The body of the request did not come to its end in time; please send it again",
  },
  notJson: { status: 415, code: "not_json", message: "The body must be JSON, with Content-Type: application/json" },
  notJsonOrForm: {
    status: 415,
    code: "not_json_or_form",
    message: "The body must be JSON or a form, with its Content-Type",
  },
  unreadable: { status: 400, code: "malformed_request", message: "The request could not be read" },
  full: {
    status: 503,
    code: "storage_full",
    message: "The company's database is full: nothing was lost and nothing was kept; please try again later",
    headers: { "Retry-After": "600" },
  },
  migrating: {
    status: 503,
    code: "migrating",
    message: "The account is being updated; please try again in some minutes",
    headers: { "Retry-After": "60" },
  },
  overloaded: {
    status: 503,
    code: "overloaded",
    message: "The service is busy; please try again in a moment",
    headers: { "Retry-After": "2" },
  },
} as const satisfies Record<string, Failure>;

/** A scope that the key lacks. */
export function scopeMissing(scope: string): Failure {
  return {
    status: 403,
    code: "out_of_scope",
    message: `This API key may not use this interface: it needs the scope ${scope}`,
    detail: [{ field: "scope", message: scope }],
  };
}

/** A right of the office that the role lacks. */
export function rightMissing(right: string): Failure {
  return {
    status: 403,
    code: "permission_denied",
    message: `This needs the right ${right}`,
    detail: [{ field: "right", message: right }],
  };
}

/** More than the role gives away by itself; `limit` as an amount of the wire. */
export function aboveLimit(limit: string): Failure {
  return {
    status: 403,
    code: "discount_limit_exceeded",
    message: `Your role gives away ${limit} of a reservation at most, all parts together: a manager may give more`,
    detail: [{ field: "right", message: "manage" }],
  };
}

export function methodNotAllowed(allowed: readonly string[]): Failure {
  return {
    status: 405,
    code: "method_not_allowed",
    message: `This address answers ${allowed.join(", ")} only`,
    headers: { Allow: allowed.join(", ") },
  };
}

/** Tried too often: the sentence is in the caller's language where a person reads it. */
export function tooManyAttempts(waitSeconds: number, message = "Too many attempts; please try again later"): Failure {
  return { status: 429, code: "too_many_attempts", message, headers: { "Retry-After": String(waitSeconds) } };
}

export function defect(requestId: string): Failure {
  return { status: 500, code: "internal_error", message: `Something went wrong on our side; request ${requestId}` };
}

/** Input that cannot be accepted: every field with what is wrong with it. */
export function invalidInput(detail: readonly { readonly field: string; readonly message: string }[]): Failure {
  const message = detail.map((item) => (item.field ? `${item.field}: ${item.message}` : item.message)).join("; ");
  return { status: 400, code: "invalid_input", message, detail };
}

// So many fields no form and no query of any interface has.
const MAX_REPORTED_FIELDS = 100;

const tooManyFields = invalidInput([{ field: "", message: `more than ${MAX_REPORTED_FIELDS} fields` }]);

/**
 * What is wrong with the size of a form, told by its text before anybody takes it apart: that takes its time. What
 * counts stands between two fields of an encoded form, and before each field of a multipart one.
 */
export function tooLongForm(text: string, contentType: string): Failure | undefined {
  const mark = isMultipart(contentType) ? /content-disposition/gi : /&/g;
  let fields = 0;
  while (mark.test(text)) {
    if (++fields > MAX_REPORTED_FIELDS) return tooManyFields;
  }
  return undefined;
}

/**
 * What is wrong with the names of a query or a form: one given more than once, of which nobody could say which value
 * counts, or more than anybody needs.
 */
export function repeatedName(names: readonly string[]): Failure | undefined {
  if (names.length > MAX_REPORTED_FIELDS) return tooManyFields;
  const known = new Set<string>();
  const repeated = names.find((name) => known.size === known.add(name).size);
  return repeated === undefined ? undefined : invalidInput([{ field: repeated, message: "is given more than once" }]);
}
