import type { CivilDate } from "#domain/dates.ts";

/** Whose key it is: a partner's, which signs, or a booking website's, which anybody can read. */
export type CallerKind = "partner" | "website";

/** A refusal as it is counted (docs/interfaces/office.md#refused-calls). */
export interface RefusalReason {
  readonly code: string;
  /** The member or parameter that was wrong, without its position in a list; empty where none was. */
  readonly field: string;
  /** What was answered, as far as it is ours. */
  readonly message: string;
  /** The same without its numbers: a date in the past and one that is closed are two, two places that are none one. */
  readonly kindOfMessage: string;
}

interface RejectedAnswer {
  readonly code: string;
  readonly message: string;
  readonly detail?: readonly { readonly field: string; readonly message: string }[] | undefined;
}

const MAX_MESSAGE_LENGTH = 300;
/** Who calls has made up the name of what is no field, or is there twice: it is counted under no name. */
const CALLER_FIELD_MESSAGES = new Set(["is no field of it", "is given more than once"]);
const NAME = /^[A-Za-z_][\w-]{0,39}(?:[.[][\w-]{1,40}\]?){0,6}$/;
const UNNAMED = "…";

/** What is kept of an answer that refused: its reason and our own words, and of a name only what looks like one. */
export function toReason({ code, message, detail = [] }: RejectedAnswer): RefusalReason {
  const [first] = detail;
  const field = first && !CALLER_FIELD_MESSAGES.has(first.message) ? withoutPositions(anonymizeField(first.field)) : "";
  const names = detail.map((item) => item.field).filter((name) => name !== "" && !NAME.test(name));
  const anonymizedMessage = names.reduce((text, name) => text.replaceAll(name, UNNAMED), message);
  const storedMessage = anonymizedMessage.slice(0, MAX_MESSAGE_LENGTH);
  return { code, field, message: storedMessage, kindOfMessage: storedMessage.replaceAll(/\d+/g, "#") };
}

const anonymizeField = (field: string) => (field === "" || NAME.test(field) ? field : UNNAMED);
const withoutPositions = (field: string) => field.replaceAll(/[.[]\d+\]?/g, "");

/** Refused calls of a key, an operation and a reason on a day of the account's clock. Moments in epoch ms. */
export interface RefusedCalls extends Omit<RefusalReason, "kindOfMessage"> {
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

/** Which are asked for; days are those of the account's clock, the last included. */
export interface RefusedCallsQuestion {
  readonly partner?: string | undefined;
  readonly agencyId?: number | undefined;
  readonly operation?: string | undefined;
  readonly code?: string | undefined;
  readonly dateFrom?: CivilDate | undefined;
  readonly dateTo?: CivilDate | undefined;
  /** The id of the last of the page before. */
  readonly after?: number | undefined;
  readonly pageSize: number;
}

/** A page of them. */
export interface RefusedCallsPage {
  readonly rows: readonly RefusedCalls[];
  readonly total: number;
  /** The id to go on after; undefined on the last page. */
  readonly next: number | undefined;
  /** How many calls they are together, on all pages. */
  readonly calls: number;
  /** Whose calls were refused in the days that are kept, and what they asked: to choose of. */
  readonly partners: readonly Pick<RefusedCalls, "kind" | "keyHash" | "keyName">[];
  readonly operations: readonly string[];
}
