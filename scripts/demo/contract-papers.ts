import { type CivilMinute, fromCivilMinute } from "#domain/dates.ts";
import type { Cents } from "#domain/money.ts";
import type { Contract } from "./contracts.ts";
import type { Till } from "./ledger.ts";
import { itemOf, itemsOfDraft, negated, type Paper } from "./papers.ts";

export const INVOICE_SERIE = "A";
const CREDIT_SERIE = "R";
export const TICKET_SERIE = "T";
export const BOND_SERIE = "B";

const MINUTES_PER_DAY = 1440;
const RECENT_DRAFT_SHARE = 0.25;

/** The invoice of what was paid when booking. */
export function advancePaper({ company }: Till, contract: Contract, at: CivilMinute, cents: Cents): Paper {
  const item = itemOf({ concept: company.words.advance, quantity: 1, unitCents: cents, vat: company.settings.vat });
  return {
    ...paperOf(contract, at),
    mode: "reservation_retainer",
    concept: titleOf(company.words.advance, contract),
    items: [item],
  };
}

/** The invoice of the whole rental, less what was invoiced in advance; a bond for an internal department. */
export function finalPaper(
  till: Till,
  contract: Contract,
  at: CivilMinute,
  advance: Paper | undefined,
  agentPrepaidCents: Cents,
): Paper {
  const { company, now, random } = till;
  const { words } = company;
  const isRecent = at > now - MINUTES_PER_DAY;
  const advanced = (advance?.items ?? []).map((item) => ({ ...negated(item), concept: words.advanceInvoiced }));
  return {
    ...paperOf(contract, at),
    isDraft: isRecent && random.chance(RECENT_DRAFT_SHARE),
    mode: "reservation_breakdown",
    concept: titleOf(words.contract, contract),
    agentPrepaidCents,
    items: [...itemsOfDraft(company, contract), ...advanced],
  };
}

/** What was found at collection. */
export function afterRentalPaper({ company, now }: Till, contract: Contract, at: CivilMinute): Paper {
  const { charge, cents } = contract.afterRental ?? {};
  const paper = paperOf(contract, at);
  const isBond = paper.kind === "internal_bond";
  const item = itemOf({
    concept: charge?.concept ?? "",
    quantity: 1,
    unitCents: cents ?? 0,
    vat: isBond ? 0 : company.settings.vat,
  });
  return {
    ...paper,
    isDraft: at >= now,
    mode: isBond ? "reservation_breakdown" : "reservation_extra",
    concept: titleOf(item.concept, contract),
    items: [item],
  };
}

/** Takes back all of an issued invoice. */
export function creditNote({ company }: Till, corrected: Paper, at: CivilMinute): Paper {
  return {
    ...corrected,
    type: "payment",
    serie: CREDIT_SERIE,
    createdAt: at,
    isDraft: false,
    concept: `${company.words.creditNote}: ${corrected.concept}`,
    corrects: corrected,
    agentPrepaidCents: 0,
    items: corrected.items.map(negated),
  };
}

function paperOf(contract: Contract, at: CivilMinute): Omit<Paper, "mode" | "concept" | "items"> {
  const isBond = contract.customer.type === "internal_department";
  return {
    kind: isBond ? "internal_bond" : "invoice",
    type: "invoice",
    serie: isBond ? BOND_SERIE : INVOICE_SERIE,
    branchCode: contract.rental.pickupPlace.branchCode,
    salesChannel: contract.draft.terms.salesChannel,
    createdAt: at,
    isDraft: false,
    customer: contract.customer,
    contract,
    corrects: undefined,
    discount: 0,
    agentPrepaidCents: 0,
  };
}

function titleOf(what: string, { id }: Contract): string {
  return `${what} ${id}`;
}

/** Pickup and return of a contract, as invoices name them. */
export function datesOf({ span }: Contract): string {
  const written = (minute: CivilMinute) => Object.values(fromCivilMinute(minute)).join(" ");
  return `${written(span.startsAt)} - ${written(span.endsAt)}`;
}
