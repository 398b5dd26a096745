import type { BookingStatus } from "./bookings.ts";

/** What customers and branches are told of a booking's life (docs/interfaces/rules.md#mails). */
export type BookingMailKind =
  | "request_received"
  | "confirmed"
  | "changed"
  | "cancelled"
  | "payment_received"
  | "reminder"
  | "hold_ending";

/** An entry of a booking's history, with what it says. */
export interface ToldEntry {
  readonly event: string;
  readonly status: BookingStatus;
  readonly detail: Readonly<Record<string, unknown>>;
}

const CHANGES: ReadonlySet<string> = new Set(["extended", "early_return", "exchanged"]);
const CANCELLATIONS: ReadonlySet<string> = new Set(["cancelled", "no_show", "expired"]);

/** The mail that an entry of the history is told by; undefined where it is nobody's business. */
export function mailOfEntry({ event, status, detail }: ToldEntry): BookingMailKind | undefined {
  if (event === "created") return status === "pending_confirmation" ? "request_received" : mailOfBirth(status);
  if (event === "confirmed" || event === "revived") return "confirmed";
  if (CANCELLATIONS.has(event)) return "cancelled";
  if (event === "paid") return "payment_received";
  if (CHANGES.has(event)) return "changed";
  if (event !== "changed") return undefined;
  if (detail["charge"] === "charge") return "payment_received";
  const { before } = detail;
  return typeof before === "object" && before !== null && Object.keys(before).length > 0 ? "changed" : undefined;
}

// What was cancelled or driven before anybody could be told, is told by that.
function mailOfBirth(status: BookingStatus): BookingMailKind | undefined {
  return status === "confirmed" ? "confirmed" : undefined;
}

/** Whether a mail is sent once in a booking's life, however often its history says so. */
export function isToldOnce(kind: BookingMailKind): boolean {
  return kind === "request_received" || kind === "confirmed" || kind === "reminder" || kind === "hold_ending";
}

const LONGEST_NAME = 60;

/**
 * A name that somebody typed as it may stand in a mail: letters, spaces, hyphens and apostrophes alone, so that it can
 * carry no link; empty where it has others.
 */
export function nameForMail(name: string): string {
  return /^[\p{L}\p{M}' ’-]+$/u.test(name) && name.length <= LONGEST_NAME ? name.trim() : "";
}
