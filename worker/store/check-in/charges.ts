import { sql } from "drizzle-orm";
import type { DeskCharge, RecordedCharge } from "#domain/check-in/operations.ts";
import type { Database } from "#worker/store/database.ts";
import { charges } from "#worker/store/schema/documents.ts";

/** Returns the query for the stored payments and deposit movements with an operation's charge ids. */
export function recordedChargesQuery(db: Database, chargeIds: readonly string[]) {
  const ids = JSON.stringify(chargeIds);
  return db
    .select({
      uid: charges.uid,
      bookingId: charges.bookingId,
      sourceDoc: charges.sourceDoc,
      isKept: charges.depositKept,
      amountCents: charges.amountCents,
      method: sql<DeskCharge["method"]>`${charges.paymentMethodId}`.as("method"),
      externalOperationNumber: charges.externalOperationNumber,
      terminal: charges.offlinePhysicalDeviceId,
    })
    .from(charges)
    .where(sql`uid IN (SELECT value FROM json_each(${ids}))`);
}

type Row = Awaited<ReturnType<typeof recordedChargesQuery>>[number];

export function toRecordedCharge(row: Row): RecordedCharge {
  return {
    ...row,
    chargeId: row.uid ?? "",
    kind: getChargeKind(row),
    externalOperationNumber: row.externalOperationNumber ?? undefined,
    terminal: row.terminal ?? undefined,
  };
}

function getChargeKind({ sourceDoc, isKept }: Row): DeskCharge["kind"] {
  if (isKept) return "deposit_kept";
  if (sourceDoc === "deposit_received") return "deposit_taken";
  return sourceDoc === "deposit_returned" ? "deposit_returned" : "payment";
}
