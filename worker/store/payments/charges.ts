import { type SQL, sql } from "drizzle-orm";
import { getMoneyDirection, isDepositHeldOrReturned, type NewCharge } from "#domain/payments/charges.ts";
import type { Database } from "#worker/store/database.ts";
import { allocateMoneyStatements } from "#worker/store/documents/allocation.ts";
import { selectDocumentId } from "#worker/store/documents/document-names.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { charges } from "#worker/store/schema/documents.ts";
import { endSecondPaymentTasksStatement } from "./payment-statements.ts";

/**
 * Returns the statements that add charges of every kind, then update the paid amounts of bookings and
 * documents, for a caller's batch. Virtual deposits don't count as paid. For a retained deposit, a second
 * charge takes the amount out of the deposit.
 */
export function newChargesStatements(db: Database, newCharges: readonly NewCharge[]) {
  const bookingIds = new Set(newCharges.flatMap(({ bookingId }) => bookingId ?? []));
  const refunds = newCharges.filter(({ kind }) => kind === "payment");
  const refundedIds = new Set(refunds.flatMap(({ bookingId }) => bookingId ?? []));
  return [
    ...newCharges.flatMap((charge) => [insertCharge(db, charge), ...leaveDeposit(db, charge)]),
    ...[...bookingIds].flatMap((id) => updatePaidAmountStatements(db, id, Math.max(...newCharges.map(({ at }) => at)))),
    ...[...refundedIds].map((id) => endSecondPaymentTasksStatement(db, id)),
  ];
}

function leaveDeposit(db: Database, charge: NewCharge) {
  if (charge.kind !== "deposit_kept") return [];
  const { uid, document: _, ...held } = charge;
  return [insertCharge(db, { ...held, uid: uid && `${uid}:left`, kind: "deposit_returned", leavesAsKept: true })];
}

function insertCharge(db: Database, charge: NewCharge & { readonly leavesAsKept?: boolean }) {
  const { kind, at } = charge;
  const document = charge.document ? selectDocumentId(charge.document) : sql`NULL`;
  return db.insert(charges).select(
    selectRowToInsert(charges, {
      uid: charge.uid ?? null,
      bookingId: charge.bookingId ?? null,
      documentId: document,
      sourceDoc: getChargeSource(charge, document),
      paymentType: getMoneyDirection(kind),
      paymentMethodId: charge.method,
      date: at,
      amountCents: charge.amountCents,
      currency: charge.currency,
      branchCode: charge.branchCode,
      salesChannelCode: charge.salesChannelCode ?? null,
      externalOperationNumber: charge.externalOperationNumber ?? null,
      origin: charge.origin,
      depositKept: kind === "deposit_kept" || charge.leavesAsKept === true,
      offlinePhysicalDeviceId: charge.offlinePhysicalDeviceId ?? null,
      exceptional: charge.isExceptional === true,
      createdAt: at,
      lastUpdate: at,
    }),
  );
}

function getChargeSource({ kind, document, bookingId }: NewCharge, id: SQL): SQL {
  if (isDepositHeldOrReturned(kind)) return sql`${kind}`;
  if (document) return getDocumentSource(id);
  return sql`iif((SELECT kind FROM bookings WHERE id = ${bookingId ?? null}) = 'transfer', 'order', 'booking')`;
}

// Returns the source of a document's payment or refund.
function getDocumentSource(id: SQL): SQL {
  return sql`(SELECT CASE WHEN kind = 'internal_bond' THEN 'internal_bond_invoice' WHEN order_reference IS NOT NULL THEN 'order'
    WHEN form = 'simplified' THEN 'customer_simplified_invoice' ELSE 'customer_invoice' END FROM documents WHERE id = ${id})`;
}

// SQL sum of payments less refunds.
const signed = sql.raw("sum(CASE payment_type WHEN 'charge' THEN amount_cents ELSE -amount_cents END)");

/** Returns the statements that update a booking's paid amount from its charges and allocate them to its documents. */
export function updatePaidAmountStatements(db: Database, bookingId: number, at: number) {
  const paid = sql`(SELECT coalesce(${signed}, 0) FROM charges WHERE booking_id = ${bookingId} AND virtual = 0)`;
  const hasMoved = sql`EXISTS (SELECT 1 FROM charges WHERE booking_id = ${bookingId} AND virtual = 0)`;
  return [
    db
      .update(bookings)
      .set({
        totalPaidCents: paid,
        paymentStatus: sql`CASE WHEN ${paid} <= 0 AND ${hasMoved} THEN 'refunded' WHEN ${paid} <= 0 THEN 'none'
          WHEN ${paid} + agent_commission_prepaid_cents >= total_cents - credited_cents THEN 'total' ELSE 'deposit' END`,
        lastUpdate: sql`max(last_update, ${at})`,
      })
      .where(sql`id = ${bookingId}`),
    ...allocateMoneyStatements(db, { bookingId }, at),
  ] as const;
}
