import { MINUTES_PER_DAY } from "#domain/dates.ts";
import { completeDocumentDraft } from "#domain/documents/draft.ts";
import { calculateItem } from "#domain/documents/items.ts";
import type { SaleKind } from "./company.ts";
import type { DemoCompany } from "./describe-company.ts";
import {
  createCreditNote,
  createDocumentBranchFields,
  createDocumentCustomer,
  type PlannedDocument,
} from "./documents.ts";
import habits from "./habits.json" with { type: "json" };
import { chooseInvoicePaymentMethod, type DemoPayment } from "./payments.ts";
import { createDemoRandom, type Random } from "./random.ts";

const DAYS_PER_MONTH = 30;
const DISCOUNT = 1000;
const FAIR_RATES = [2100, 1000, 2100, 400, 0];
/** Product, customer type and frequency per branch. */
const TERMS = {
  invoice: { form: "full", customerType: "legal_entity", perMonth: 1.5, source: "customer_invoice" },
  ticket: { form: "simplified", customerType: "individual", perMonth: 2, source: "customer_simplified_invoice" },
  order: { form: "full", customerType: "individual", perMonth: 0.7, source: "order" },
  bond: { form: "internal_bond", customerType: "internal_department", perMonth: 0.7, source: "internal_bond_invoice" },
} as const;

/** Other sales of the branches with payments: fine handling, maps, excursions and errands. One is a draft. */
export class AdditionalSales {
  readonly documents: PlannedDocument[] = [];
  readonly payments: DemoPayment[] = [];
  readonly #company: DemoCompany;
  readonly #random: Random;

  constructor(company: DemoCompany) {
    this.#company = company;
    this.#random = createDemoRandom(`${company.account} other sales`);
    const { historyDays } = company.volume;
    for (const { code } of company.rows.branches)
      for (const kind of Object.keys(TERMS) as SaleKind[]) this.#sell(code, kind, historyDays);
    const [first] = company.rows.branches;
    if (!first) return;
    const exchanged = this.#exchangeOne();
    const draft = { ...this.#draw(first.code, "invoice", 1), isDraft: true };
    this.documents.push(this.#withEveryRate(this.#draw(first.code, "invoice", 1)), draft, ...exchanged);
  }

  // Creates sales. Tickets and orders are paid immediately, others within weeks. A few are credited and refunded.
  #sell(branchCode: string, kind: SaleKind, historyDays: number): void {
    const { customerType, source, perMonth } = TERMS[kind];
    const { now } = this.#company;
    const random = this.#random;
    const isPaidImmediately = kind === "ticket" || kind === "order";
    const count = Math.ceil((historyDays / DAYS_PER_MONTH) * perMonth);
    for (let saleIndex = 0; saleIndex < count; saleIndex++) {
      const document = this.#draw(branchCode, kind, historyDays);
      this.documents.push(document);
      const at = document.createdAt + (isPaidImmediately ? 0 : random.between(10, 40) * MINUTES_PER_DAY);
      const method = isPaidImmediately
        ? random.pick(["cash", "credit_card"] as const)
        : chooseInvoicePaymentMethod(random, customerType);
      if (at > now) continue;
      const cents = document.draft.sums.totalCents;
      const payment: DemoPayment = { at, source, method, document, cents, type: "charge", branchCode };
      this.payments.push(payment);
      const creditedAt = at + random.between(1, 9) * MINUTES_PER_DAY;
      if (kind !== "invoice" || creditedAt > now || !random.chance(habits.shares.saleCredited)) continue;
      const note = createCreditNote(document, creditedAt);
      this.documents.push(note);
      this.payments.push({ ...payment, at: creditedAt, type: "payment", document: note });
    }
  }

  #draw(branchCode: string, kind: SaleKind, historyDays: number): PlannedDocument {
    const { ownTexts, settings, now, rows, customersOf } = this.#company;
    const random = this.#random;
    const { form, customerType } = TERMS[kind];
    const isBond = kind === "bond";
    const saleTemplate = random.pick(ownTexts.sales[kind]);
    const discount = kind === "invoice" && random.chance(habits.shares.saleDiscounted) ? DISCOUNT : 0;
    const item = calculateItem({
      ...saleTemplate,
      quantity: random.between(1, 4),
      vat: isBond ? 0 : settings.vat,
      discount,
    });
    const createdAt = now - random.between(60, historyDays * MINUTES_PER_DAY);
    const head = {
      ...createDocumentBranchFields(this.#company, branchCode),
      kind: isBond ? "internal_bond" : "invoice",
      type: "invoice",
      mode: kind === "order" ? "reservation_breakdown" : "default",
      form,
      missing: [],
      exchangesDocumentId: undefined,
      salesChannelCode: rows.salesChannels.at(-1)?.code,
      concept: saleTemplate.concept,
      bookingId: undefined,
      customer: createDocumentCustomer(random.pick(customersOf(customerType))),
      orderReference: kind === "order" ? `ACT-${random.between(10_000, 99_999)}` : undefined,
      correctsDocumentId: undefined,
      draftId: undefined,
      referenceDetail: undefined,
      referenceDates: undefined,
      referenceAgency: undefined,
      discount,
      agentPrepaidCents: 0,
    } as const;
    return { createdAt, draft: completeDocumentDraft(head, [item]), isDraft: false };
  }

  // Exchanges a ticket for a full invoice.
  #exchangeOne(): PlannedDocument[] {
    const until = this.#company.now - 2 * MINUTES_PER_DAY;
    const ticket = this.documents.findLast(({ draft, createdAt }) => draft.form === "simplified" && createdAt < until);
    if (!ticket) return [];
    const createdAt = ticket.createdAt + MINUTES_PER_DAY;
    const full = { ...ticket, draft: { ...ticket.draft, form: "full" as const }, createdAt, exchanges: ticket };
    return [createCreditNote(ticket, createdAt), full];
  }

  // Creates a sale with every rate of VAT.
  #withEveryRate(sale: PlannedDocument): PlannedDocument {
    const { fair } = this.#company.ownTexts;
    const items = fair.map((item, index) => calculateItem({ ...item, quantity: 2, vat: FAIR_RATES[index] ?? 0 }));
    return { ...sale, draft: completeDocumentDraft({ ...sale.draft, discount: 0 }, items) };
  }
}
