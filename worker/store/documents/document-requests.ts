import { eq, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { isDuplicate } from "#worker/store/failures.ts";
import { bookingHistory, bookings } from "#worker/store/schema/bookings.ts";
import { documentRequests } from "#worker/store/schema/documents.ts";

/** What somebody at the desk asked for, under an id of their own: the same id is done once. */
export interface DocumentRequest {
  readonly id: string;
  /** Of its content. */
  readonly fingerprint: string;
}

/**
 * Keeps a request in the batch that does it; the batch is refused as a whole where it was done before
 * (`isRequestRepeated`).
 */
export function requestStatement(db: Database, { id, fingerprint }: DocumentRequest, at: number) {
  return db.insert(documentRequests).values({ requestId: id, fingerprint, at });
}

/** The request of that id, where it was done before. */
export function requestQuery(db: Database, id: string) {
  return db.select().from(documentRequests).where(eq(documentRequests.requestId, id));
}

export function isRequestRepeated(error: unknown): boolean {
  return isDuplicate(error, "document_requests.request_id");
}

/** Statements that move a booking's version and tell its history who did what. */
export function changeStatements(
  db: Database,
  bookingId: number,
  {
    at,
    actor,
    detail,
  }: { readonly at: number; readonly actor: string; readonly detail: Readonly<Record<string, unknown>> },
) {
  return [
    db.update(bookings).set({ version: sql`version + 1`, lastUpdate: at }).where(eq(bookings.id, bookingId)),
    db.insert(bookingHistory).values({ bookingId, at, actor, event: "changed", detail: JSON.stringify(detail) }),
  ] as const;
}
