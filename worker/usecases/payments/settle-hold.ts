import {
  saveCardHold,
  saveCardHoldCapture,
  saveCardHoldRefusal,
  saveCardHoldRelease,
} from "#worker/store/payments/card-holds.ts";
import type { OnlineSettlement } from "#worker/store/payments/settlement.ts";
import { saveIneffectiveNotice } from "#worker/store/payments/settlement.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { createRetainedFeeDocuments } from "#worker/usecases/issuing/cancellation-documents.ts";
import { issueDocuments } from "#worker/usecases/issuing/issue-documents.ts";
import { readBookingAmountsAndDocuments } from "./record-notice.ts";

/** Applies a gateway's message about a card hold. Safe to repeat and in any order. */
export async function applyCardHoldNotice(
  tenant: Tenant,
  settlement: OnlineSettlement,
  effect: "hold" | "failHold" | "capture" | "release",
): Promise<void> {
  const { hold } = settlement.intent;
  if (!hold) return;
  if (effect === "hold") return saveCardHold(tenant.db, settlement, hold.id);
  if (effect === "failHold") return saveCardHoldRefusal(tenant.db, settlement, hold.id);
  if (effect === "release") return saveCardHoldRelease(tenant.db, settlement, hold.id);
  return capture(tenant, settlement, hold);
}

// A captured hold is invoiced like a deposit that is kept: it pays the contract's documents, or a cancellation fee.
async function capture(
  tenant: Tenant,
  settlement: OnlineSettlement,
  hold: NonNullable<OnlineSettlement["intent"]["hold"]>,
): Promise<void> {
  const { intent, notice, method, chargeMethod, at } = settlement;
  if (hold.status === "captured") {
    // A capture of another amount isn't a copy, so staff must check whether the bank took money twice.
    const isCopy = (notice.amountCents ?? intent.amountCents) === hold.capturedCents;
    return saveIneffectiveNotice(tenant.db, method, notice, isCopy ? "noted" : "mismatch", intent.id, at);
  }
  const { booking, rows, settings } = await readBookingAmountsAndDocuments(tenant, intent.bookingId);
  if (!booking) return;
  const { date } = toCivilNow(settings.timezone, at);
  const isOver = booking.status === "cancelled" && booking.cancellationReason !== "expired";
  const paidCents = booking.totalPaidCents + (notice.amountCents ?? intent.amountCents);
  const fee = { feeCents: booking.cancellationFeeCents, paidCents };
  const writing = { at, date, bookingId: booking.id, uid: `hold:${hold.id}`, issued: true, series: settings };
  const unpaid = rows[3].find(
    (document) =>
      document.invoiceStatus === "invoice" &&
      document.invoiceType === "invoice" &&
      document.totalCents > document.totalPaidCents + document.agentCommissionPrepaidCents,
  );
  const charge = {
    bookingId: booking.id,
    document: unpaid,
    currency: settings.currency,
    method: chargeMethod,
    at,
    branchCode: booking.branchCode,
    salesChannelCode: booking.salesChannelCode ?? undefined,
    externalOperationNumber: notice.authCode || notice.order,
    origin: "web",
  } as const;
  const documents = isOver ? createRetainedFeeDocuments(rows, fee, writing) : [];
  await issueDocuments({ tenant, settings }, documents, ({ statements }) =>
    saveCardHoldCapture(tenant.db, settlement, hold.id, { booking, statements, charge }),
  );
}
