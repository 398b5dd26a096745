import { parseAmount } from "#domain/amount-text.ts";
import { account, isZeroAmount } from "../../account.ts";
import type { Reservation, ReservationDocument } from "../../desk/reservation.ts";

/** Action on a reservation's documents: issue a draft, invoice what isn't invoiced, or open a document. */
export type DocumentAction = "issue" | "invoice" | "contract" | ReservationDocument;

type DocumentedReservation = Pick<Reservation, "kind" | "status" | "total_cost" | "cancellation_fee">;

const toCents = (amount: string): number => {
  const cents = parseAmount(amount.replace(/^-/, ""), account.value.currency_decimals) ?? 0;
  return amount.startsWith("-") ? -cents : cents;
};

/** Whether an advance or the remaining amount can be invoiced. */
export const canInvoice = ({ status, cancellation_fee: fee }: DocumentedReservation): boolean =>
  status !== "cancelled" || !isZeroAmount(fee);

/**
 * Returns the action that the desk needs next: drafts first, then the contract until the vehicle is back, then the
 * missing invoice, otherwise the latest document. Undefined if there's nothing to do.
 */
export function findNextDocumentAction(
  reservation: DocumentedReservation,
  documents: readonly ReservationDocument[],
): DocumentAction | undefined {
  if (documents.some(({ invoice_status: status }) => status === "draft")) return "issue";
  const isOver = reservation.status === "done" || reservation.status === "cancelled";
  if (reservation.kind === "rental" && !isOver) return "contract";
  const price = reservation.status === "cancelled" ? reservation.cancellation_fee : reservation.total_cost;
  const invoicedCents = documents.reduce((sum, { total }) => sum + toCents(total), 0);
  if (canInvoice(reservation) && invoicedCents < toCents(price)) return "invoice";
  return documents.toSorted((a, b) => a.id - b.id).at(-1) ?? (reservation.kind === "rental" ? "contract" : undefined);
}
