import { t, tOr } from "../texts.ts";
import type { Charge } from "./reservation.ts";

type ChargeFields = Pick<Charge, "virtual" | "deposit_kept" | "source_doc" | "payment_type">;

/** Returns the text for a payment, refund or deposit movement. A retained deposit isn't a refund. */
export function formatChargeKind({ virtual, deposit_kept, source_doc, payment_type }: ChargeFields): string {
  if (deposit_kept) return t(virtual ? "moneyKind.deposit_kept" : "paidByDeposit");
  if (virtual) return tOr(`source.${source_doc}`, source_doc);
  return t(payment_type === "charge" ? "paidIn" : "paidOut");
}
