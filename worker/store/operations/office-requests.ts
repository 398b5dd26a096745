import { eq, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { isDuplicate } from "#worker/store/failures.ts";
import { newRow } from "#worker/store/new-rows.ts";
import { officeRequests } from "#worker/store/schema/bookings.ts";

/** What somebody of the office asks for under a key of their own: the same key is done once. */
export interface OfficeRequest {
  /** Whose key it is, and the key. */
  readonly key: string;
  /** Of what is asked for. */
  readonly fingerprint: string;
}

/** The request of that key, where it was done before. */
export function officeRequestQuery(db: Database, key: string) {
  return db.select().from(officeRequests).where(eq(officeRequests.requestKey, key));
}

/** Keeps a request in the batch that does it, which is refused where it was done before (`isOfficeRequestRepeated`). */
export function officeRequestStatement(
  db: Database,
  { key, fingerprint }: OfficeRequest,
  { resource, at }: { readonly resource: string; readonly at: number },
) {
  return db.insert(officeRequests).values({ requestKey: key, fingerprint, resource, at });
}

/** The same for a reservation that the batch makes, which has no id yet. */
export function newReservationStatement(
  db: Database,
  { key, fingerprint }: OfficeRequest,
  { freeAccessId, at }: { readonly freeAccessId: string; readonly at: number },
) {
  const resource = sql`(SELECT CAST(id AS TEXT) FROM bookings WHERE free_access_id = ${freeAccessId})`;
  return db.insert(officeRequests).select(newRow(officeRequests, { requestKey: key, fingerprint, resource, at }));
}

export function isOfficeRequestRepeated(error: unknown): boolean {
  return isDuplicate(error, "office_requests.request_key");
}
