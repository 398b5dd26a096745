import type { DocumentForm } from "#domain/catalogue/series.ts";
import type { Cents } from "#domain/money.ts";
import { formatDate, formatMoney } from "#domain/money-notation.ts";
import type { ChargeKind, PaymentMethod } from "#domain/payments/charges.ts";
import { formatDocumentNumber, listPartyLines, type PrintedParty, type PrintoutSettings } from "./documents.ts";
import type { Printout } from "./printout.ts";
import { getPrintTexts, type PrintTexts } from "./texts.ts";

/** Document that a payment or refund is allocated to. Null if there is none. */
export interface ReceiptDocument {
  readonly serie: string | null;
  readonly number: number | null;
  readonly form: DocumentForm | null;
}

/** Data of a charge that its receipt contains. */
export interface ChargeToPrint {
  readonly id: number;
  readonly kind: ChargeKind;
  readonly cents: Cents;
  readonly method: PaymentMethod;
  /** Day of the payment in the account's time zone. */
  readonly date: string;
  readonly time: string;
  /** Time of the payment, epoch ms. */
  readonly at: number;
  readonly operationNumber: string | undefined;
  readonly bookingId: number | undefined;
  /** Allocated documents. A payment may be split. */
  readonly documents: readonly ReceiptDocument[];
  readonly customer: PrintedParty;
}

/** Creates the receipt of a payment or refund: payer, recipient, amount, method and purpose. */
export function createReceiptPrintout(
  charge: ChargeToPrint,
  { letterhead, issuer, language, country, money }: PrintoutSettings,
): Printout {
  const texts = getPrintTexts(language);
  const isRefund = charge.kind === "payment" || charge.kind === "deposit_returned";
  const forWhat = [
    charge.bookingId === undefined ? "" : `${texts.contract} ${charge.bookingId}`,
    ...documentsIn(charge.documents, texts),
  ].filter(Boolean);
  const amount = formatMoney(charge.cents, { ...money, language });
  return {
    title: `${texts.receipt} ${charge.id}`,
    language,
    country,
    at: charge.at,
    letterhead,
    stamp: undefined,
    words: texts,
    blocks: [
      {
        kind: "title",
        text: texts.receipt,
        facts: [
          { label: texts.number, value: String(charge.id) },
          { label: texts.date, value: `${formatDate(charge.date, language, country)} ${charge.time}` },
        ],
      },
      {
        kind: "parties",
        parties: [
          { title: texts.issuer, lines: listPartyLines(issuer, texts) },
          {
            title: (isRefund ? texts.paidTo : texts.receivedFrom).toUpperCase(),
            lines: listPartyLines(charge.customer, texts),
          },
        ],
      },
      {
        kind: "table",
        columns: [
          { title: texts.forWhat, align: "left" },
          { title: texts.method, align: "left" },
          ...(charge.operationNumber ? [{ title: texts.reference, align: "left" } as const] : []),
          { title: texts.amount, align: "right" },
        ],
        rows: [
          [
            [texts.kinds[charge.kind], ...forWhat].join(" · "),
            texts.methods[charge.method],
            ...(charge.operationNumber ? [charge.operationNumber] : []),
            amount,
          ],
        ],
        carried: undefined,
      },
      { kind: "sums", sums: [{ label: texts.total, value: amount, isStrong: true }] },
    ],
  };
}

const NAMES = {
  credit_note: "creditNote",
  internal_bond: "internalBond",
  full: "invoice",
  simplified: "invoice",
} as const;

// Groups document numbers by type: `Invoice A/1, A/2`.
function documentsIn(documents: readonly ReceiptDocument[], texts: PrintTexts): readonly string[] {
  const numberedDocuments = documents.flatMap((document) => {
    const number = formatDocumentNumber(document);
    return number === undefined ? [] : [{ name: texts[NAMES[document.form ?? "full"]], number }];
  });
  return [...Map.groupBy(numberedDocuments, ({ name }) => name)].map(
    ([name, ofKind]) => `${name} ${ofKind.map(({ number }) => number).join(", ")}`,
  );
}
