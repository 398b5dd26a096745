import { plainAmount } from "../../desk/typed-amount.ts";
import { t } from "../../texts.ts";

/** A document in a list. Amounts are decimal strings. */
export interface MoneyDocument {
  readonly id: number;
  readonly document_kind: "full" | "simplified" | "credit_note" | "internal_bond";
  readonly invoice_status: "draft" | "invoice";
  readonly payment_status: "paid" | "pending";
  readonly serie: string | null;
  readonly number: string | null;
  readonly date: string | null;
  readonly concept: string;
  readonly customer_full_name: string;
  readonly reference_source: "booking" | "order" | null;
  readonly reference: string | null;
  readonly total: string;
  readonly total_pending: string;
  readonly total_settled_by_credit: string;
  readonly replaced_by_invoice_serie: string | null;
  readonly replaced_by_invoice_number: string | null;
}

/** Returns the document number. */
export const formatDocumentNumber = ({ id, serie, number }: Pick<MoneyDocument, "id" | "serie" | "number">) =>
  number ? [serie, number].filter(Boolean).join("/") : `${t("draft")} ${id}`;

/** A payment or refund. */
export interface MoneyCharge {
  readonly id: number;
  readonly amount: string;
  readonly date: string;
  readonly payment_type: "charge" | "payment";
  readonly payment_method_id: string;
  readonly source_doc: string;
  readonly source_id: string | null;
  readonly customer_fullname: string | null;
  readonly external_operation_number: string | null;
  readonly virtual: boolean;
  readonly deposit_kept: boolean;
}

interface Movements {
  readonly charged: string;
  readonly refunded: string;
  readonly total: string;
  readonly deposits_received: string;
  readonly deposits_returned: string;
  readonly deposits_kept: string;
  readonly total_with_deposits: string;
  readonly charges: number;
}

export interface RegisterLine extends Movements {
  readonly rental_location_code: string | null;
  readonly payment_method_id: string;
}

export interface Closing {
  readonly id: number;
  readonly rental_location_code: string;
  readonly date: string;
  readonly expected: string;
  readonly counted: string;
  readonly difference: string;
  readonly taken_out: string;
  readonly left: string;
  readonly note: string | null;
  readonly closed_by: string;
  readonly closed_at: string;
}

/** Payments of a day. */
export interface Register {
  readonly date: string;
  readonly data: readonly RegisterLine[];
  readonly totals: Movements;
  readonly cash: { readonly opening: string; readonly moved: string; readonly expected: string } | null;
  readonly closings: readonly Closing[];
}

export interface GatewayRefund {
  readonly id: number;
  readonly reservation_id: number;
  readonly payment_method_id: string;
  readonly order: string;
  readonly amount: string;
  readonly state: "waiting" | "sent" | "done" | "refused" | "by_hand" | "dropped";
  readonly problem: string | null;
  readonly reason: string;
  readonly requested_by: string | null;
  readonly requested_at: string;
}

/** A refund that needs the approval of another manager. */
export interface PendingRefund {
  readonly id: number;
  readonly reservation_id: number;
  readonly amount: string;
  readonly payment_method_id: string;
  readonly reason: string | null;
  readonly requested_by: string | null;
  readonly requested_at: string | null;
}

const THOUSANDTHS = 3;

// Calculates in thousandths, because no currency is more precise.
function parseThousandths(text: string): number | undefined {
  const [, sign = "", whole = "", part = ""] = /^(-?)(\d+)(?:\.(\d{1,3}))?$/.exec(text) ?? [];
  return whole === "" ? undefined : Number(`${sign}${whole}${part.padEnd(THOUSANDTHS, "0")}`);
}

function toText(thousandths: number): string {
  const digits = String(Math.abs(thousandths)).padStart(THOUSANDTHS + 1, "0");
  return `${thousandths < 0 ? "-" : ""}${digits.slice(0, -THOUSANDTHS)}.${digits.slice(-THOUSANDTHS)}`;
}

/** Calculates the expected cash with a typed opening balance. Invalid amounts count as zero. */
export function expectedWith(opening: string, expected: string): string {
  return toText((parseThousandths(expected) ?? 0) + (parseThousandths(plainAmount(opening)) ?? 0));
}

/** Sums API amounts. */
export function addUp(amounts: readonly string[]): string {
  return toText(amounts.reduce((sum, amount) => sum + (parseThousandths(amount) ?? 0), 0));
}

/** Calculates the difference between counted and expected cash. Undefined if no valid amount is typed. */
export function calculateDifference(counted: string, expected: string): string | undefined {
  const [value, other] = [parseThousandths(plainAmount(counted)), parseThousandths(expected)];
  return value === undefined || other === undefined ? undefined : toText(value - other);
}
