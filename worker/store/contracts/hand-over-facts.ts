import { type SQL, sql } from "drizzle-orm";
import type { ContractData } from "#domain/bookings/bookings.ts";
import type { HandOverCheck } from "#domain/catalogue/hand-over-checks.ts";
import { getCustomerIdentityColumns, selectDoNotRentReason } from "#worker/store/bookings/do-not-rent.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { parseStoredJson } from "#worker/store/parse-stored-json.ts";
import { selectAuthorisedCardHoldCents } from "#worker/store/payments/card-holds.ts";
import { bookingHistory, bookings } from "#worker/store/schema/bookings.ts";

const isNamed = (name: number | { readonly freeAccessId: string }): SQL =>
  typeof name === "number" ? sql`bookings.id = ${name}` : sql`bookings.free_access_id = ${name.freeAccessId}`;

/** Whether the customer signed at a delivery or return. */
export const isContractSignedSql =
  sql<number>`EXISTS (SELECT 1 FROM check_in_operations AS work WHERE work.booking_id = bookings.id
    AND work.state = 'applied' AND work.operation ->> '$.signature' IS NOT NULL)`.mapWith(Boolean);

/**
 * Returns the query that reads what the office needs to know of a contract before the delivery, in addition to its
 * agreed data.
 */
export function handOverCheckInputQuery(db: Database, identifier: number | { readonly freeAccessId: string }) {
  return db
    .select({
      dueCents: sql<number>`bookings.total_cents - bookings.credited_cents - bookings.agent_commission_prepaid_cents
        - bookings.total_paid_cents`.as("desk_due_cents"),
      totalDepositCents: bookings.totalDepositCents,
      // An authorised card hold satisfies the deposit until it expires.
      depositHeldCents: sql<number>`${bookings.depositHeldCents} + ${selectAuthorisedCardHoldCents("bookings")}`.as(
        "desk_deposit_held_cents",
      ),
      documentId: bookings.customerDocumentId,
      contractData: sql`bookings.contract_data`.mapWith(parseStoredJson<ContractData>).as("desk_contract_data"),
      doNotRent: selectDoNotRentReason(getCustomerIdentityColumns("bookings")).as("desk_do_not_rent"),
      dateTo: bookings.dateTo,
      isSigned: isContractSignedSql.as("desk_is_signed"),
    })
    .from(bookings)
    .where(isNamed(identifier));
}

/**
 * Returns the statement that adds a manager's reason for delivering a contract despite missing requirements to its
 * history.
 */
export function addHandOverOverrideStatement(
  db: Database,
  bookingId: number,
  override: {
    readonly at: number;
    readonly actor: string;
    readonly reason: string;
    readonly missing: readonly HandOverCheck[];
  },
): Query {
  const { at, actor, reason, missing } = override;
  const detail = JSON.stringify({ reason, after: { handover_override: missing.join(", ") } });
  return db
    .insert(bookingHistory)
    .select(selectRowToInsert(bookingHistory, { bookingId, at, actor, event: "changed", detail }));
}
