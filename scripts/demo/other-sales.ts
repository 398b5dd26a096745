import type { CustomerType } from "#domain/bookings/bookings.ts";
import { MINUTES_PER_DAY } from "#domain/dates.ts";
import { completeDocument } from "#domain/documents/draft.ts";
import { itemise } from "#domain/documents/items.ts";
import type { DocumentForm } from "#domain/documents/series.ts";
import type { SaleKind } from "./company.ts";
import type { Company } from "./describe-company.ts";
import { invoiceMethod, type Payment } from "./payments.ts";
import { creditNoteOf, documentCustomer, headOf, type PlannedDocument } from "./planned-document.ts";
import { type Random, randomFrom } from "./random.ts";

interface SaleTerms {
  readonly form: DocumentForm;
  readonly customerType: CustomerType;
  readonly perMonth: number;
  readonly source: Payment["source"];
}

const DAYS_PER_MONTH = 30;
const DISCOUNT = 1000;
const DISCOUNT_SHARE = 0.3;
const FAIR_RATES = [2100, 1000, 500, 400, 0];
const CREDITED_SHARE = 0.06;
const KINDS = ["invoice", "ticket", "order", "bond"] as const;

const TERMS: Readonly<Record<SaleKind, SaleTerms>> = {
  invoice: { form: "full", customerType: "legal_entity", perMonth: 1.5, source: "customer_invoice" },
  ticket: { form: "simplified", customerType: "individual", perMonth: 2, source: "customer_simplified_invoice" },
  order: { form: "full", customerType: "individual", perMonth: 0.7, source: "order" },
  bond: { form: "internal_bond", customerType: "internal_department", perMonth: 0.7, source: "internal_bond_invoice" },
};

/** What the branches sold beside rentals, with its payments: fines handled, maps, excursions, errands; one a draft. */
export function makeOtherSales(company: Company) {
  const documents: PlannedDocument[] = [];
  const payments: Payment[] = [];
  const random = randomFrom(`${company.account} other sales`);
  const { historyDays } = company.volume;
  for (const { code } of company.rows.branches) {
    for (const kind of KINDS) {
      const count = Math.ceil((historyDays / DAYS_PER_MONTH) * TERMS[kind].perMonth);
      for (let sold = 0; sold < count; sold++) {
        const sale = drawSale(company, random, code, kind, historyDays);
        documents.push(sale);
        settleSale(company, random, sale, kind, documents, payments);
      }
    }
  }
  const [first] = company.rows.branches;
  if (!first) return { documents, payments };
  const draft = { ...drawSale(company, random, first.code, "invoice", 1), isDraft: true };
  const fair = withEveryRate(company, drawSale(company, random, first.code, "invoice", 1));
  return { documents: [...documents, fair, draft, ...exchangeOne(company, documents)], payments };
}

// Somebody came back for a full invoice in place of a ticket.
function exchangeOne({ now }: Company, documents: readonly PlannedDocument[]): PlannedDocument[] {
  const ticket = documents.findLast(
    ({ draft, createdAt }) => draft.form === "simplified" && createdAt < now - 2 * MINUTES_PER_DAY,
  );
  if (!ticket) return [];
  const createdAt = ticket.createdAt + MINUTES_PER_DAY;
  const full = { ...ticket, draft: { ...ticket.draft, form: "full" as const }, createdAt, exchanges: ticket };
  return [creditNoteOf(ticket, createdAt), full];
}

// A stand at a fair: what is sold there has all the rates that a document has room for.
function withEveryRate({ ownTexts }: Company, sale: PlannedDocument): PlannedDocument {
  const items = ownTexts.fair.map((item, index) => itemise({ ...item, quantity: 2, vat: FAIR_RATES[index] ?? 0 }));
  return { ...sale, draft: completeDocument({ ...sale.draft, discount: 0 }, items) };
}

function drawSale(
  company: Company,
  random: Random,
  branchCode: string,
  kind: SaleKind,
  historyDays: number,
): PlannedDocument {
  const { form, customerType } = TERMS[kind];
  const isBond = kind === "bond";
  const sold = random.pick(company.ownTexts.sales[kind]);
  const discount = kind === "invoice" && random.chance(DISCOUNT_SHARE) ? DISCOUNT : 0;
  const vat = isBond ? 0 : company.settings.vat;
  const item = itemise({ ...sold, quantity: random.between(1, 4), vat, discount });
  const createdAt = company.now - random.between(60, historyDays * MINUTES_PER_DAY);
  const head = {
    ...headOf(company, branchCode),
    kind: isBond ? "internal_bond" : "invoice",
    type: "invoice",
    mode: "default",
    form,
    missing: [],
    exchangesDocumentId: undefined,
    salesChannelCode: company.rows.salesChannels.at(-1)?.code,
    concept: sold.concept,
    bookingId: undefined,
    customer: documentCustomer(random.pick(company.customersOf(customerType))),
    orderReference: kind === "order" ? `ACT-${random.between(10_000, 99_999)}` : undefined,
    correctsDocumentId: undefined,
    draftId: undefined,
    referenceDetail: undefined,
    referenceDates: undefined,
    referenceAgency: undefined,
    discount,
    agentPrepaidCents: 0,
  } as const;
  return { createdAt, draft: completeDocument(head, [item]), isDraft: false };
}

// Tickets and orders are paid at once, the others within weeks; now and then one is credited and paid back.
function settleSale(
  { now }: Company,
  random: Random,
  sale: PlannedDocument,
  kind: SaleKind,
  documents: PlannedDocument[],
  payments: Payment[],
): void {
  const { customerType, source } = TERMS[kind];
  const { branchCode, sums } = sale.draft;
  const isAtOnce = kind === "ticket" || kind === "order";
  const at = sale.createdAt + (isAtOnce ? 0 : random.between(10, 40) * MINUTES_PER_DAY);
  const method = isAtOnce ? random.pick(["cash", "credit_card"] as const) : invoiceMethod(random, customerType);
  const payment: Payment = { at, source, method, document: sale, cents: sums.totalCents, type: "charge", branchCode };
  if (at > now) return;
  payments.push(payment);
  const creditedAt = at + random.between(1, 9) * MINUTES_PER_DAY;
  if (kind !== "invoice" || creditedAt > now || !random.chance(CREDITED_SHARE)) return;
  const note = creditNoteOf(sale, creditedAt);
  documents.push(note);
  payments.push({ ...payment, at: creditedAt, type: "payment", document: note });
}
