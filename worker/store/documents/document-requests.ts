import { eq, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { isDuplicateInColumns } from "#worker/store/failures.ts";
import { bookingHistory, bookings } from "#worker/store/schema/bookings.ts";
import { documentRequests } from "#worker/store/schema/documents.ts";

/** Office request for a document, with its own id. Each id is processed once. */
export interface IdempotentDocumentRequest {
  readonly id: string;
  /** Fingerprint of the content. */
  readonly fingerprint: string;
}

/**
 * Returns the statement that saves a request in the batch that performs it. The full batch is refused if the request
 * was done before (`isDocumentRequestRepeated`).
 */
export function saveDocumentRequestStatement(db: Database, { id, fingerprint }: IdempotentDocumentRequest, at: number) {
  return db.insert(documentRequests).values({ requestId: id, fingerprint, at });
}

/** Returns the query for the earlier request with this id, if any. */
export function documentRequestQuery(db: Database, id: string) {
  return db.select().from(documentRequests).where(eq(documentRequests.requestId, id));
}

export function isDocumentRequestRepeated(error: unknown): boolean {
  return isDuplicateInColumns(error, "document_requests.request_id");
}

/** Returns the statements that increase a booking's version and add the actor's change to its history. */
export function recordBookingChangeStatements(
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
