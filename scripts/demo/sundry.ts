import type { CivilMinute } from "#domain/dates.ts";
import type { CompanyBranch } from "./company.ts";
import { BOND_SERIE, creditNote, INVOICE_SERIE, TICKET_SERIE } from "./contract-papers.ts";
import type { Signing } from "./contracts.ts";
import type { Payment, Till } from "./ledger.ts";
import { itemOf, type Paper, totalOf } from "./papers.ts";
import { invoiceMethod } from "./payment-methods.ts";
import type { CustomerType } from "./people.ts";
import type { SundryKind } from "./words.ts";

interface Sundries {
  readonly papers: readonly Paper[];
  readonly payments: readonly Payment[];
}

interface SundryTerms {
  readonly serie: string;
  readonly customerType: CustomerType;
  readonly perMonth: number;
  readonly source: Payment["source"];
}

const MINUTES_PER_DAY = 1440;
const DAYS_PER_MONTH = 30;
const DISCOUNT = 1000;
const DISCOUNT_SHARE = 0.3;
const FAIR_RATES = [2100, 1000, 500, 400, 0];
const CREDITED_SHARE = 0.06;

const TERMS: Readonly<Record<SundryKind, SundryTerms>> = {
  invoice: { serie: INVOICE_SERIE, customerType: "legal_entity", perMonth: 1.5, source: "customer_invoice" },
  ticket: { serie: TICKET_SERIE, customerType: "individual", perMonth: 2, source: "customer_simplified_invoice" },
  order: { serie: INVOICE_SERIE, customerType: "individual", perMonth: 0.7, source: "order" },
  bond: { serie: BOND_SERIE, customerType: "internal_department", perMonth: 0.7, source: "internal_bond_invoice" },
};

/** What the branches sold beside their rentals: fines handled, maps, excursions, errands for a department; one of them a draft. */
export function sellSundries(signing: Signing, historyDays: number): Sundries {
  const papers: Paper[] = [];
  const payments: Payment[] = [];
  for (const branch of signing.company.branches) {
    for (const kind of ["invoice", "ticket", "order", "bond"] as const) {
      const count = Math.ceil((historyDays / DAYS_PER_MONTH) * TERMS[kind].perMonth);
      for (let sold = 0; sold < count; sold++) {
        const paper = drawPaper(signing, branch, kind, historyDays);
        papers.push(paper);
        settleSundry(signing, paper, kind, papers, payments);
      }
    }
  }
  const [first] = signing.company.branches;
  if (first) papers.push({ ...drawPaper(signing, first, "invoice", 1), discount: 0, items: itemsOfEveryRate(signing) });
  const drafts = signing.company.branches
    .slice(0, 1)
    .map((branch) => ({ ...drawPaper(signing, branch, "invoice", 1), isDraft: true }));
  return { papers: [...papers, ...drafts], payments };
}

// A stand at a fair: what is sold there has all the rates that a document has room for.
function itemsOfEveryRate({ company }: Signing): Paper["items"] {
  return company.words.fair.map((sundry, index) => itemOf({ ...sundry, quantity: 2, vat: FAIR_RATES[index] ?? 0 }));
}

function drawPaper(
  { company, random, now, customersByType }: Signing,
  branch: CompanyBranch,
  kind: SundryKind,
  historyDays: number,
): Paper {
  const { serie, customerType } = TERMS[kind];
  const sundry = random.pick(company.words.sundry[kind]);
  const discount = kind === "invoice" && random.chance(DISCOUNT_SHARE) ? DISCOUNT : 0;
  const item = itemOf({
    ...sundry,
    quantity: random.between(1, 4),
    vat: kind === "bond" ? 0 : company.settings.vat,
    discount,
  });
  return {
    kind: kind === "bond" ? "internal_bond" : "invoice",
    type: "invoice",
    mode: "default",
    serie,
    branchCode: branch.code,
    salesChannel: company.salesChannels.at(-1)?.code,
    createdAt: now - random.between(60, historyDays * MINUTES_PER_DAY),
    isDraft: false,
    concept: sundry.concept,
    customer: random.pick(customersByType.get(customerType) ?? []),
    contract: undefined,
    corrects: undefined,
    discount,
    agentPrepaidCents: 0,
    orderReference: kind === "order" ? `ACT-${random.between(10_000, 99_999)}` : undefined,
    items: [item],
  };
}

// Tickets and orders are paid at once, the others within weeks; now and then one is credited and paid back.
function settleSundry(till: Till, paper: Paper, kind: SundryKind, papers: Paper[], payments: Payment[]): void {
  const { random, now } = till;
  const isAtOnce = kind === "ticket" || kind === "order";
  const paidAt = paper.createdAt + (isAtOnce ? 0 : random.between(10, 40) * MINUTES_PER_DAY);
  const method = isAtOnce ? random.pick(["cash", "credit_card"] as const) : invoiceMethod(till, paper.customer);
  const payment = paymentOf(paper, paidAt, { source: TERMS[kind].source, method });
  if (paidAt > now) return;
  payments.push(payment);
  const creditedAt: CivilMinute = paidAt + random.between(1, 9) * MINUTES_PER_DAY;
  if (kind !== "invoice" || creditedAt > now || !random.chance(CREDITED_SHARE)) return;
  const note = creditNote(till, paper, creditedAt);
  papers.push(note);
  payments.push({ ...paymentOf(note, creditedAt, payment), cents: totalOf(paper), type: "payment" });
}

function paymentOf(paper: Paper, at: CivilMinute, { source, method }: Pick<Payment, "source" | "method">): Payment {
  return {
    at,
    source,
    method,
    paper,
    cents: totalOf(paper),
    type: "charge",
    isDepositKept: false,
    branchCode: paper.branchCode,
    contract: undefined,
  };
}
