import { eq, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { isDuplicateInColumns } from "#worker/store/failures.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { officeRequests } from "#worker/store/schema/bookings.ts";

/** Office request with an idempotency key. A key is processed once. */
export interface OfficeRequest {
  /** User id and key. */
  readonly key: string;
  /** Fingerprint of the content. */
  readonly fingerprint: string;
}

/** Returns the query for the earlier request with this key, if any. */
export function officeRequestQuery(db: Database, key: string) {
  return db.select().from(officeRequests).where(eq(officeRequests.requestKey, key));
}

/**
 * Returns the statement that saves a request in the batch that performs it. The batch is refused if the request was
 * done before (`isOfficeRequestRepeated`).
 */
export function saveOfficeRequestStatement(
  db: Database,
  { key, fingerprint }: OfficeRequest,
  { resource, at }: { readonly resource: string; readonly at: number },
) {
  return db.insert(officeRequests).values({ requestKey: key, fingerprint, resource, at });
}

/** Returns the statement that saves the request for a reservation created in the batch, which has no id yet. */
export function saveReservationRequestStatement(
  db: Database,
  { key, fingerprint }: OfficeRequest,
  { freeAccessId, at }: { readonly freeAccessId: string; readonly at: number },
) {
  const resource = sql`(SELECT CAST(id AS TEXT) FROM bookings WHERE free_access_id = ${freeAccessId})`;
  return db
    .insert(officeRequests)
    .select(selectRowToInsert(officeRequests, { requestKey: key, fingerprint, resource, at }));
}

export function isOfficeRequestRepeated(error: unknown): boolean {
  return isDuplicateInColumns(error, "office_requests.request_key");
}
