import type { PaymentMethod } from "#domain/payments/charges.ts";

/** Kinds of payment in the ministry's list (manual 3.1.3), by payment method. */
export const PAYMENT_CODES: Readonly<Record<PaymentMethod, "EFECT" | "TARJT" | "PLATF" | "TRANS" | "OTRO">> = {
  cash: "EFECT",
  credit_card: "TARJT",
  tpvA_256: "TARJT",
  tpvB: "TARJT",
  tpvC: "TARJT",
  tpvD: "TARJT",
  tpv_online: "TARJT",
  wallet_standard: "PLATF",
  booking_portal: "PLATF",
  bank_transfer: "TRANS",
  check: "OTRO",
  promissory_note: "OTRO",
};
