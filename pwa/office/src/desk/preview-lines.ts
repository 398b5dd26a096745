import type { Immutable } from "#shared/immutable.ts";
import type { DocumentChargePreviewMessage } from "#worker/api/office/document-messages.ts";
import type { CapturePreviewMessage } from "#worker/api/office/payment-link-messages.ts";
import { formatMoney, isZeroAmount } from "../account.ts";
import { t } from "../texts.ts";

/** Line of a preview: label and amount. */
export type PreviewLine = readonly [label: string, amount: string];

/** Returns what a capture does with the hold and the reservation's balance. */
export function listCaptureLines({ capture }: Immutable<CapturePreviewMessage>): readonly PreviewLine[] {
  const { amount, released, total_pending: pending, credit } = capture;
  return [
    [t("captureHold"), formatMoney(amount)],
    [t("holdRest"), formatMoney(released)],
    [t("pending"), formatMoney(pending)],
    ...(isZeroAmount(credit) ? [] : [[t("paidTooMuch"), formatMoney(credit)] as const]),
  ];
}

/** Returns what a payment covers: the part of each reservation, and the balance of the invoice. */
export function listPaymentLines({ payment }: Immutable<DocumentChargePreviewMessage>): readonly PreviewLine[] {
  const { contracts, total_pending: pending } = payment;
  return [
    ...contracts.map(
      ({ reservation_id: id, amount }): PreviewLine => [t("reservationNo", { id }), formatMoney(amount)],
    ),
    [t("pending"), formatMoney(pending)],
  ];
}
