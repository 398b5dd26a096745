import type { Immutable } from "#shared/immutable.ts";
import type { CashRegisterMessage, ChargeListMessage, DocumentListMessage } from "#worker/api/office/money-messages.ts";
import type { GatewayRefundListMessage, RefundListMessage } from "#worker/api/office/refund-messages.ts";
import { parseThousandths, toDecimalText } from "../../desk/sum-amounts.ts";
import { parseTypedAmount } from "../../desk/typed-amount.ts";
import { t } from "../../texts.ts";

/** A document in a list. Amounts are decimal strings. */
export type ListedDocument = Immutable<DocumentListMessage["data"][number]>;

/** Formats a document's series and number, such as `A/12`. A draft is shown with its id. */
export const formatDocumentNumber = ({ id, serie, number }: Pick<ListedDocument, "id" | "serie" | "number">) =>
  number ? [serie, number].filter(Boolean).join("/") : `${t("draft")} ${id}`;

/** A payment or refund. */
export type ListedCharge = Immutable<ChargeListMessage["data"][number]>;

export type CashRegisterLine = CashRegister["data"][number];

export type CashRegisterClosing = CashRegister["closings"][number];

/** Payments of a branch on one day, and the cash counts that close it. */
export type CashRegister = Immutable<CashRegisterMessage>;

export type GatewayRefund = Immutable<GatewayRefundListMessage["data"][number]>;

/** A refund that needs the approval of another manager. */
export type PendingRefund = Immutable<RefundListMessage["data"][number]>;

/** Calculates the expected cash with a typed opening balance. Invalid amounts count as zero. */
export function addOpeningBalanceToExpectedCash(opening: string, expected: string): string {
  return toDecimalText((parseThousandths(expected) ?? 0) + (parseThousandths(parseTypedAmount(opening)) ?? 0));
}

/** Calculates the difference between counted and expected cash. Undefined if no valid amount is typed. */
export function calculateCashDifference(counted: string, expected: string): string | undefined {
  const [value, other] = [parseThousandths(parseTypedAmount(counted)), parseThousandths(expected)];
  return value === undefined || other === undefined ? undefined : toDecimalText(value - other);
}
