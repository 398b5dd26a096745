import type { CivilDate } from "#domain/dates.ts";

/** Type of API key: a partner's, which signs, or a booking website's, which is public. */
export type CallerKind = "partner" | "website";

/** Rejection as it's counted (docs/interfaces/office.md#rejected-requests). */
export interface RejectionReason {
  readonly code: string;
  /** Invalid field or parameter, without its position in a list. Empty if there was none. */
  readonly field: string;
  /** Response text, limited to texts of the platform. */
  readonly message: string;
  /** Message without its numbers. Groups messages about different ids, but not messages with different reasons. */
  readonly kindOfMessage: string;
}

interface RejectedAnswer {
  readonly code: string;
  readonly message: string;
  readonly detail?: readonly { readonly field: string; readonly message: string }[] | undefined;
}

const MAX_MESSAGE_LENGTH = 300;
/** Unknown and duplicate fields have names chosen by the client, so they're counted without a name. */
const CALLER_FIELD_MESSAGES = new Set(["is no field of it", "is given more than once"]);
const NAME = /^[A-Za-z_][\w-]{0,39}(?:[.[][\w-]{1,40}\]?){0,6}$/;
const UNNAMED = "…";

/**
 * Extracts the stored part of an error response: its reason, the platform's text, and a field name only if it's
 * plausible.
 */
export function toRejectionReason({ code, message, detail = [] }: RejectedAnswer): RejectionReason {
  const [first] = detail;
  const field = first && !CALLER_FIELD_MESSAGES.has(first.message) ? withoutPositions(anonymizeField(first.field)) : "";
  const names = detail.map((item) => item.field).filter((name) => name !== "" && !NAME.test(name));
  const anonymizedMessage = names.reduce((text, name) => text.replaceAll(name, UNNAMED), message);
  const storedMessage = anonymizedMessage.slice(0, MAX_MESSAGE_LENGTH);
  return { code, field, message: storedMessage, kindOfMessage: storedMessage.replaceAll(/\d+/g, "#") };
}

const anonymizeField = (field: string) => (field === "" || NAME.test(field) ? field : UNNAMED);
const withoutPositions = (field: string) => field.replaceAll(/[.[]\d+\]?/g, "");

/** Rejected requests by key, operation, reason and day on the account's clock. Times in epoch ms. */
export interface RejectedRequestCount extends Omit<RejectionReason, "kindOfMessage"> {
  readonly id: number;
  readonly day: CivilDate;
  readonly kind: CallerKind;
  readonly keyHash: string;
  readonly keyName: string;
  readonly agencyId: number | null;
  readonly agencyName: string | null;
  readonly operation: string;
  readonly count: number;
  readonly firstAt: number;
  readonly lastAt: number;
  readonly requestId: string;
}

/** Filters. Days are on the account's clock, the last included. */
export interface RejectedRequestFilter {
  readonly partner?: string | undefined;
  readonly agencyId?: number | undefined;
  readonly operation?: string | undefined;
  readonly code?: string | undefined;
  readonly dateFrom?: CivilDate | undefined;
  readonly dateTo?: CivilDate | undefined;
  /** Last id of the previous page. */
  readonly after?: number | undefined;
  readonly pageSize: number;
}

/** One page of rejected requests. */
export interface RejectedRequestPage {
  readonly rows: readonly RejectedRequestCount[];
  readonly total: number;
  /** Last id of this page. Undefined on the last page. */
  readonly next: number | undefined;
  /** Total number of calls on all pages. */
  readonly calls: number;
  /** Filter options: callers and operations with rejected requests in the retained days. */
  readonly partners: readonly Pick<RejectedRequestCount, "kind" | "keyHash" | "keyName">[];
  readonly operations: readonly string[];
}
