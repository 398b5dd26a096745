import type { z } from "zod";
import type { chargeDocument } from "#worker/api/integration/charge-messages.ts";
import type { contract } from "#worker/api/integration/contract-messages.ts";
import type { internalBond, invoice } from "#worker/api/integration/document-messages.ts";

type Paper = z.output<typeof invoice> | z.output<typeof internalBond>;

/** All money data of an account in the integration API. */
export interface ExtractedMoneyData {
  readonly papers: readonly Paper[];
  readonly charges: readonly z.output<typeof chargeDocument>[];
  readonly contracts: readonly z.output<typeof contract>[];
  /** Contracts imported from another system, which may hold their documents. Known for local accounts only. */
  readonly imported?: ReadonlySet<number>;
}

/** Number of compared items, and a sentence for each difference. */
export interface BooksAuditResult {
  readonly papers: number;
  readonly charges: number;
  readonly contracts: number;
  readonly differences: readonly string[];
  /** Notes that aren't errors: documents in another system, and fees on drafts. */
  readonly remarks: readonly string[];
}

/** Converts an API amount, which always has all decimals, to minor units. */
function cents(amount: string | null): number {
  return Number((amount ?? "0").replace(".", ""));
}

const sum = <T>(all: readonly T[], getCents: (item: T) => number) =>
  all.reduce((total, item) => total + getCents(item), 0);
const isFirm = (paper: Pick<Paper, "invoice_status">) => paper.invoice_status === "invoice";
const formatPaperNumber = (paper: Pick<Paper, "id" | "serie" | "number">) =>
  paper.number === null ? `draft ${paper.id}` : `${paper.serie}/${paper.number}`;

/** Rebuilds the books of an account like an accounting system and lists each cent that doesn't balance. */
export function auditBooks(extracted: ExtractedMoneyData): BooksAuditResult {
  const { papers, charges, contracts } = extracted;
  const series = listSeries(papers.filter(isFirm));
  const fees = listRetainedFees(extracted);
  const counts = { papers: papers.length, charges: charges.length, contracts: contracts.length };
  return {
    ...counts,
    differences: [...findDifferences(extracted, series, fees)],
    remarks: [...beginnings(series), ...auditPendingFees(fees)],
  };
}

function* findDifferences(
  { papers, charges, contracts }: ExtractedMoneyData,
  series: readonly Serie[],
  fees: readonly RetainedFee[],
): Generator<string> {
  for (const paper of papers) yield* auditPaper(paper);
  for (const serie of series) yield* auditNumbers(serie);
  yield* auditCredit(papers);
  yield* auditReplaced(papers);
  yield* auditAllocations(papers, charges);
  yield* auditContracts(papers, charges, contracts);
  yield* auditRetainedFees(fees);
  yield* auditDeposits(charges);
}

const RATES = [1, 2, 3, 4, 5] as const;

function* auditPaper(paper: Paper): Generator<string> {
  const total = cents(paper.total);
  const paid = cents(paper.total_paid) + cents(paper.agent_comission_prepaid_amount);
  const pending = cents(paper.total_pending);
  const isOpen = total < 0 ? pending < 0 : pending > 0;
  const priced = cents(paper.total_without_taxes) - cents(paper.discount);
  const byRate = sum(RATES, (rate) => cents(paper[`subtotal_${rate}`]) + cents(paper[`taxes_${rate}`]));
  const checks: readonly (readonly [wrong: boolean, what: string])[] = [
    [sum(paper.items, (item) => cents(item.total)) !== total, "is not the sum of its items"],
    [cents(paper.subtotal) + cents(paper.total_taxes) !== total, "is not its subtotal with its taxes"],
    [priced !== cents(paper.subtotal), "is not its price less its discount"],
    [paper.contracts !== undefined && !addsUpByContract(paper), "is not the sum of its contracts"],
    [paper.object === "invoice" && byRate !== total, "is not the sum of its rates"],
    [isFirm(paper) && paid + pending !== total, "is not what is paid of it with what is pending"],
    [isFirm(paper) && (paper.payment_status === "pending") !== isOpen, "has a payment status that its money denies"],
    [isFirm(paper) !== (paper.number !== null), "has a number though it is a draft, or none though it is issued"],
    [isFirm(paper) && paper.document_kind === "full" && lacksCustomer(paper), "is a full invoice to nobody in full"],
  ];
  for (const [wrong, what] of checks) if (wrong) yield `${formatPaperNumber(paper)} ${what}`;
  if (paper.object === "invoice") for (const rate of RATES) yield* auditRate(paper, rate);
}

// Checks a tax rate: its total equals the items, and its tax equals the rate of its base. Each item is rounded, so each
// may add a difference of a cent, and so may the document as a part of a contract or invoice. For bad debt, only the
// tax is credited.
function* auditRate(paper: Paper, rate: (typeof RATES)[number]): Generator<string> {
  const vat = paper[`vat_${rate}`];
  if (vat === null) return;
  const items = paper.items.filter(({ vat_percentage }) => vat_percentage === vat);
  const [base, taxes] = [cents(paper[`subtotal_${rate}`]), cents(paper[`taxes_${rate}`])];
  const isTaxOnly = paper.invoice_type === "payment" && base === 0;
  if (base !== sum(items, (item) => cents(item.subtotal)) || taxes !== sum(items, (item) => cents(item.taxes)))
    yield `${formatPaperNumber(paper)} has items at ${vat} % that are not ${base} and taxes of ${taxes}`;
  if (!isTaxOnly && Math.abs(taxes - (base * Number(vat)) / 100) > items.length + 1)
    yield `${formatPaperNumber(paper)} has taxes of ${taxes} on ${base}, which are not ${vat} %`;
}

function addsUpByContract({ contracts = [], items, total }: Paper): boolean {
  const hasItemTotal = ({ item_ids: ids, total: part }: (typeof contracts)[number]) =>
    sum(items, (item) => (ids.includes(item.id) ? cents(item.total) : 0)) === cents(part);
  return contracts.every(hasItemTotal) && sum(contracts, (part) => cents(part.total)) === cents(total);
}

function lacksCustomer(paper: Paper): boolean {
  const { customer_full_name: name, customer_document_id: taxId } = paper;
  return !(name.trim() && taxId && paper.customer_address_street && paper.customer_address_city);
}

type Serie = readonly [name: string, papers: readonly Paper[]];

// Groups documents by company and serie, in number order.
function listSeries(firm: readonly Paper[]): readonly Serie[] {
  const series = Map.groupBy(firm, (paper) => `${paper.company_id} ${paper.serie}`);
  return [...series].map(([name, papers]) => [name, papers.toSorted((a, b) => Number(a.number) - Number(b.number))]);
}

// Checks that numbers of a company are unique and without gaps, and that dates never decrease.
function* auditNumbers([serie, papers]: Serie): Generator<string> {
  for (const [index, paper] of papers.entries()) {
    const before = papers[index - 1];
    if (before && Number(paper.number) !== Number(before.number) + 1)
      yield `serie ${serie}: ${paper.number} stands where ${Number(before.number) + 1} belongs`;
    else if (before?.date && paper.date && before.date > paper.date)
      yield `${formatPaperNumber(paper)} is dated before the one before`;
  }
}

function* beginnings(series: readonly Serie[]): Generator<string> {
  for (const [serie, [first]] of series)
    if (first && Number(first.number) > 1) yield `serie ${serie} begins with ${first.number} here`;
}

function* auditCredit(papers: readonly Paper[]): Generator<string> {
  const byId = new Map(papers.map((paper) => [paper.id, paper]));
  const notes = papers.filter((paper) => isFirm(paper) && paper.invoice_type === "payment");
  for (const note of notes) {
    const corrected = byId.get(note.corrected_invoice_id ?? -1);
    const { corrected_invoice_serie: serie, corrected_invoice_number: number } = note;
    if (!corrected) yield `${formatPaperNumber(note)} credits nothing that is there`;
    else if (!isNamed(corrected, serie, number))
      yield `${formatPaperNumber(note)} names ${formatPaperNumber(corrected)} by another number`;
  }
  for (const [id, ofOne] of Map.groupBy(notes, (note) => note.corrected_invoice_id)) {
    const corrected = byId.get(id ?? -1);
    if (corrected) yield* auditCredited(corrected, ofOne);
  }
}

const isNamed = (paper: Paper, serie: string | null, number: string | null) =>
  paper.serie === serie && paper.number === number;

function* auditCredited(corrected: Paper, notes: readonly Paper[]): Generator<string> {
  const remainingCents = cents(corrected.total) + sum(notes, (note) => cents(note.total));
  const settled = sum([corrected, ...notes], (paper) => cents(paper.total_settled_by_credit));
  if (remainingCents * Math.sign(cents(corrected.total)) < 0)
    yield `${formatPaperNumber(corrected)} is credited for more than it is`;
  if (settled !== 0) yield `${formatPaperNumber(corrected)} and its credit notes settle ${settled} of nobody's`;
  yield* auditCreditedTaxes(corrected, notes, remainingCents);
}

// Partial credits of a document add up to its base and tax. A debt's tax is credited without its base.
function* auditCreditedTaxes(corrected: Paper, notes: readonly Paper[], remainingCents: number): Generator<string> {
  const isWhole = remainingCents === 0;
  for (const name of ["subtotal", "total_taxes"] as const) {
    const left = sum([corrected, ...notes], (paper) => cents(paper[name]));
    const isBeyond = left * Math.sign(cents(corrected.total)) < 0;
    if (isBeyond || (isWhole && left !== 0))
      yield `${formatPaperNumber(corrected)} and its credit notes leave ${left} of its ${name}`;
  }
}

// Checks that a full invoice contains everything of the simplified ones it replaces and settles them, once each.
function* auditReplaced(papers: readonly Paper[]): Generator<string> {
  const byId = new Map(papers.map((paper) => [paper.id, paper]));
  for (const [id, replaced] of Map.groupBy(papers.filter(isReplaced), (paper) => paper.replaced_by_invoice_id)) {
    const full = byId.get(id ?? -1);
    if (!full || !isFirm(full) || full.document_kind !== "full") {
      yield* replaced.map((paper) => `${formatPaperNumber(paper)} is replaced by nothing that is there`);
      continue;
    }
    for (const paper of replaced) yield* auditPlace(paper, full);
    if (sum(replaced, (paper) => cents(paper.total)) !== cents(full.total))
      yield `${formatPaperNumber(full)} says another total than what it replaces`;
  }
}

function* auditPlace(paper: Paper, full: Paper): Generator<string> {
  if (!isNamed(full, paper.replaced_by_invoice_serie, paper.replaced_by_invoice_number))
    yield `${formatPaperNumber(paper)} names ${formatPaperNumber(full)} by another number`;
  if (paper.total_settled_by_credit !== paper.total_paid)
    yield `${formatPaperNumber(paper)} is replaced and paid by money all the same`;
}

const isReplaced = (paper: Paper) => paper.replaced_by_invoice_id !== null;

// Checks that allocations don't exceed their charge, and that a document's paid amount equals its allocations.
function* auditAllocations(papers: readonly Paper[], charges: ExtractedMoneyData["charges"]): Generator<string> {
  const firm = new Map(papers.filter(isFirm).map((paper) => [paper.id, paper]));
  const parts = charges.flatMap(({ allocations }) => allocations);
  const byPaper = Map.groupBy(parts, (part) => part.document_id);
  for (const charge of charges) yield* auditCharge(charge);
  for (const { document_id: id } of parts) if (!firm.has(id)) yield `${id} is paid and not issued`;
  for (const [id, paper] of firm) {
    const money = sum(byPaper.get(id) ?? [], (item) => cents(item.amount));
    const listedCents = sum(paper.charges, (item) => cents(item.amount) * (item.payment_type === "charge" ? 1 : -1));
    const paid = cents(paper.total_paid) - cents(paper.total_settled_by_credit);
    if (listedCents !== money)
      yield `${formatPaperNumber(paper)} shows charges of ${listedCents}, and ${money} count towards it`;
    if (paid !== money) yield `${formatPaperNumber(paper)} says ${paid} is paid, and ${money} count towards it`;
  }
}

function* auditCharge(charge: ExtractedMoneyData["charges"][number]): Generator<string> {
  const amount = cents(charge.amount) * (charge.payment_type === "charge" ? 1 : -1);
  const parts = sum(charge.allocations, (item) => cents(item.amount));
  if (charge.virtual && parts !== 0) yield `charge ${charge.id} is virtual and pays something`;
  if (!charge.virtual && (Math.abs(parts) > Math.abs(amount) || parts * amount < 0))
    yield `charge ${charge.id} of ${amount} counts for ${parts}`;
}

// Checks that the sum of charges equals allocations plus balance, and that a finished contract's pending amount matches
// its documents.
function* auditContracts(
  papers: readonly Paper[],
  charges: ExtractedMoneyData["charges"],
  contracts: ExtractedMoneyData["contracts"],
): Generator<string> {
  const papersByContract = groupPapersByContract({ papers, charges, contracts });
  const chargesById = new Map(charges.map((charge) => [charge.id, charge]));
  for (const contract of contracts) {
    const own = papersByContract.get(String(contract.id)) ?? [];
    const paid = cents(contract.total_paid);
    const money = sum(contract.charges, (item) => cents(item.amount));
    const parts = contract.charges.flatMap(({ id }) => chargesById.get(id)?.allocations ?? []);
    const allocated = sum(parts, (part) => cents(part.amount));
    const onPapers = sum(own.filter(isFirm), (paper) => cents(paper.total_paid));
    const name = `contract ${contract.id}`;
    if (money !== paid) yield `${name} says ${paid} is paid, its charges ${money}`;
    if (allocated !== onPapers) yield `${name}: ${allocated} is allocated, its papers say ${onPapers}`;
    if (own.length > 0) yield* auditPending(contract, own, money - allocated);
  }
}

/** Document of a contract, or the contract's part of a collective document. */
type ContractPaper = Pick<
  Paper,
  | "id"
  | "invoice_status"
  | "invoice_mode"
  | "serie"
  | "number"
  | "total"
  | "total_paid"
  | "total_pending"
  | "total_settled_by_credit"
  | "agent_comission_prepaid_amount"
  | "corrected_invoice_id"
>;

// Groups documents by contract. A replaced document is left out, because the document that replaces it is in the group.
function groupPapersByContract({
  papers,
  charges,
  contracts,
}: ExtractedMoneyData): ReadonlyMap<string, readonly ContractPaper[]> {
  const chargesById = new Map(charges.map((charge) => [charge.id, charge]));
  const allocations = new Map(
    contracts.map((contract) => [
      contract.id,
      contract.charges.flatMap(({ id }) => chargesById.get(id)?.allocations ?? []),
    ]),
  );
  const own = papers
    .filter((paper) => !isReplaced(paper) && paper.contracts === undefined)
    .flatMap((paper): readonly (readonly [string, ContractPaper])[] =>
      paper.reference_source === "booking" && paper.reference !== null ? [[paper.reference, paper]] : [],
    );
  const collective = papers.filter((paper) => paper.contracts !== undefined);
  const notes = collective.filter(isCreditNote).flatMap((paper) => listParts(paper, allocations, []));
  const earlier = [...own, ...notes];
  const parts = collective
    .filter((paper) => !isCreditNote(paper))
    .flatMap((paper) => listParts(paper, allocations, earlier));
  return new Map(
    [...Map.groupBy([...earlier, ...parts], ([contract]) => contract)].map(([contract, all]) => [
      contract,
      all.map(([, paper]) => paper),
    ]),
  );
}

const isCreditNote = ({ corrected_invoice_id: corrected }: Paper) => corrected !== null;
const toAmountText = (amount: number) =>
  `${amount < 0 ? "-" : ""}${Math.trunc(Math.abs(amount) / 100)}.${String(Math.abs(amount) % 100).padStart(2, "0")}`;

// Splits a collective document by contract. A contract pays its part by its own charges. Its credit notes settle the
// rest.
function listParts(
  paper: Paper,
  allocations: ReadonlyMap<number, ExtractedMoneyData["charges"][number]["allocations"]>,
  papers: readonly (readonly [string, ContractPaper])[],
): readonly (readonly [string, ContractPaper])[] {
  return (paper.contracts ?? []).map((part) => {
    const contract = String(part.reservation_id);
    const money = sum(allocations.get(part.reservation_id) ?? [], (item) =>
      item.document_id === paper.id ? cents(item.amount) : 0,
    );
    const owed = cents(part.total) - cents(part.agent_comission_prepaid_amount);
    const ownNotes = papers.filter(([of, note]) => of === contract && note.corrected_invoice_id === paper.id);
    const settled = isCreditNote(paper)
      ? owed - money
      : -sum(ownNotes, ([, note]) => cents(note.total_settled_by_credit));
    const paid = money + settled;
    return [
      contract,
      {
        ...paper,
        total: part.total,
        agent_comission_prepaid_amount: part.agent_comission_prepaid_amount,
        total_paid: toAmountText(paid),
        total_settled_by_credit: toAmountText(settled),
        total_pending: toAmountText(owed - paid),
      },
    ];
  });
}

/** Amount that a cancelled contract retains of its payments, and the documents about it. */
interface RetainedFee {
  readonly sentence: string;
  readonly hasPapers: boolean;
  readonly isImported: boolean;
  /** Draft that contains the fee. */
  readonly draft: ContractPaper | undefined;
}

// Lists the payments that cancelled contracts retain, because they aren't to be refunded. They count as income.
function listRetainedFees({ papers, charges, contracts, imported }: ExtractedMoneyData): readonly RetainedFee[] {
  const papersByContract = groupPapersByContract({ papers, charges, contracts });
  return contracts.flatMap((contract) => {
    const retainedCents =
      contract.status === "cancelled" ? cents(contract.total_paid) + cents(contract.total_pending) : 0;
    if (retainedCents <= 0) return [];
    const own = papersByContract.get(String(contract.id)) ?? [];
    const draft = own.find((paper) => !isFirm(paper) && cents(paper.total) !== 0);
    const sentence = `contract ${contract.id} is cancelled: ${retainedCents} is kept of it`;
    return [{ sentence, draft, hasPapers: own.length > 0, isImported: imported?.has(contract.id) === true }];
  });
}

// Reports retained payments without any document. If there are documents, the pending amount shows errors in them.
function* auditRetainedFees(fees: readonly RetainedFee[]): Generator<string> {
  for (const { sentence, hasPapers, isImported } of fees)
    if (!hasPapers && !isImported)
      yield `${sentence}, and no document says so (invoice it in the office, or import its invoice)`;
}

function* auditPendingFees(fees: readonly RetainedFee[]): Generator<string> {
  for (const { sentence, draft, hasPapers, isImported } of fees) {
    if (draft) yield `${sentence} on ${formatPaperNumber(draft)}, which waits for what its customer lacks`;
    else if (!hasPapers && isImported) yield `${sentence}, whose paper is in the system that it came from`;
  }
}

function* auditPending(
  contract: ExtractedMoneyData["contracts"][number],
  own: readonly ContractPaper[],
  balance: number,
): Generator<string> {
  const pending = cents(contract.total_pending);
  const getOwedCents = (paper: ContractPaper) => cents(paper.total) - cents(paper.agent_comission_prepaid_amount);
  // An advance that was never issued doesn't count.
  const drafts = own.filter((paper) => !isFirm(paper) && paper.invoice_mode !== "reservation_retainer");
  const remainingCents =
    sum(own.filter(isFirm), (paper) => cents(paper.total_pending)) + sum(drafts, getOwedCents) - balance;
  const back = Math.min(0, sum(own, getOwedCents) - cents(contract.total_paid));
  const name = `contract ${contract.id}`;
  if (contract.status === "done" && pending !== remainingCents)
    yield `${name}: ${pending} is pending, its papers and its balance say ${remainingCents}`;
  if (contract.status === "cancelled" && pending !== back)
    yield `${name} is cancelled: ${pending} is pending, its papers say ${back}`;
}

// Checks that returned or retained deposits were held before.
function* auditDeposits(charges: ExtractedMoneyData["charges"]): Generator<string> {
  const holds = charges.filter(({ virtual }) => virtual);
  for (const [contract, moves] of Map.groupBy(holds, ({ source_id }) => source_id)) {
    const remainingCents = sum(moves, (item) => cents(item.amount) * (item.source_doc === "deposit_received" ? 1 : -1));
    if (remainingCents < 0) yield `contract ${contract} gave back ${-remainingCents} more of its deposit than was held`;
  }
}
