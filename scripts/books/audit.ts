import type { z } from "zod";
import type { integrationChargeDocumentSchema } from "#worker/api/integration/charge-messages.ts";
import type { integrationContractSchema } from "#worker/api/integration/contract-messages.ts";
import type {
  integrationInternalBondSchema,
  integrationInvoiceSchema,
} from "#worker/api/integration/document-messages.ts";

type BookedDocument = z.output<typeof integrationInvoiceSchema> | z.output<typeof integrationInternalBondSchema>;

/** All money data of an account in the integration API. */
export interface ExtractedMoneyData {
  readonly documents: readonly BookedDocument[];
  readonly charges: readonly z.output<typeof integrationChargeDocumentSchema>[];
  readonly contracts: readonly z.output<typeof integrationContractSchema>[];
  /** Contracts imported from another system, which may hold their documents. Known for local accounts only. */
  readonly imported?: ReadonlySet<number>;
}

/** Number of compared items, and a sentence for each difference. */
export interface BooksAuditResult {
  readonly documents: number;
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
const isIssued = (document: Pick<BookedDocument, "invoice_status">) => document.invoice_status === "invoice";
const formatDocumentNumber = (document: Pick<BookedDocument, "id" | "serie" | "number">) =>
  document.number === null ? `draft ${document.id}` : `${document.serie}/${document.number}`;

/** Rebuilds the books of an account like an accounting system and lists each cent that doesn't balance. */
export function auditBooks(extracted: ExtractedMoneyData): BooksAuditResult {
  const { documents, charges, contracts } = extracted;
  const series = listSeries(documents.filter(isIssued));
  const fees = listRetainedFees(extracted);
  const counts = { documents: documents.length, charges: charges.length, contracts: contracts.length };
  return {
    ...counts,
    differences: [...findDifferences(extracted, series, fees)],
    remarks: [...beginnings(series), ...auditPendingFees(fees)],
  };
}

function* findDifferences(
  { documents, charges, contracts }: ExtractedMoneyData,
  series: readonly Serie[],
  fees: readonly RetainedFee[],
): Generator<string> {
  const itemCounts = countContractItems(contracts);
  for (const document of documents) yield* auditDocument(document, getItemCount(document, itemCounts));
  for (const serie of series) yield* auditNumbers(serie);
  yield* auditCredit(documents);
  yield* auditReplaced(documents);
  yield* auditAllocations(documents, charges);
  yield* auditContracts(documents, charges, contracts);
  yield* auditRetainedFees(fees);
  yield* auditDeposits(charges);
}

const RATES = [1, 2, 3, 4, 5] as const;

function countContractItems(contracts: ExtractedMoneyData["contracts"]): ReadonlyMap<string, number> {
  return new Map(
    contracts.map((contract) => [
      String(contract.id),
      contract.reservation_lines.length + contract.reservation_extras.length,
    ]),
  );
}

// Returns how many rounded amounts a document's tax contains. An advance has one item, but its tax is a part
// of the taxes of all items of its contract.
function getItemCount(document: BookedDocument, itemCounts: ReadonlyMap<string, number>): number {
  const isAdvance = document.invoice_mode === "reservation_retainer" && document.reference_source === "booking";
  const contractItems = isAdvance ? itemCounts.get(document.reference ?? "") : undefined;
  return Math.max(document.items.length, contractItems ?? 0);
}

function* auditDocument(document: BookedDocument, itemCount: number): Generator<string> {
  const total = cents(document.total);
  const paid = cents(document.total_paid) + cents(document.agent_comission_prepaid_amount);
  const pending = cents(document.total_pending);
  const isOpen = total < 0 ? pending < 0 : pending > 0;
  const priced = cents(document.total_without_taxes) - cents(document.discount);
  const byRate = sum(RATES, (rate) => cents(document[`subtotal_${rate}`]) + cents(document[`taxes_${rate}`]));
  const checks: readonly (readonly [wrong: boolean, what: string])[] = [
    [sum(document.items, (item) => cents(item.total)) !== total, "is not the sum of its items"],
    [cents(document.subtotal) + cents(document.total_taxes) !== total, "is not its subtotal with its taxes"],
    [priced !== cents(document.subtotal), "is not its price less its discount"],
    [document.contracts !== undefined && !addsUpByContract(document), "is not the sum of its contracts"],
    [document.object === "invoice" && byRate !== total, "is not the sum of its rates"],
    [isIssued(document) && paid + pending !== total, "is not what is paid of it with what is pending"],
    [
      isIssued(document) && (document.payment_status === "pending") !== isOpen,
      "has a payment status that its money denies",
    ],
    [
      isIssued(document) !== (document.number !== null),
      "has a number though it is a draft, or none though it is issued",
    ],
    [
      isIssued(document) && document.document_kind === "full" && lacksCustomer(document),
      "is a full invoice to nobody in full",
    ],
  ];
  for (const [wrong, what] of checks) if (wrong) yield `${formatDocumentNumber(document)} ${what}`;
  if (document.object === "invoice") for (const rate of RATES) yield* auditRate(document, rate, itemCount);
}

// Checks a tax rate: its total equals the items, and its tax equals the rate of its base. Each item is rounded, so each
// may add a difference of a cent, and so may the document as a part of a contract or invoice. For bad debt, only the
// tax is credited.
function* auditRate(document: BookedDocument, rate: (typeof RATES)[number], itemCount: number): Generator<string> {
  const vat = document[`vat_${rate}`];
  if (vat === null) return;
  const items = document.items.filter(({ vat_percentage }) => vat_percentage === vat);
  const [base, taxes] = [cents(document[`subtotal_${rate}`]), cents(document[`taxes_${rate}`])];
  const isTaxOnly = document.invoice_type === "payment" && base === 0;
  if (base !== sum(items, (item) => cents(item.subtotal)) || taxes !== sum(items, (item) => cents(item.taxes)))
    yield `${formatDocumentNumber(document)} has items at ${vat} % that are not ${base} and taxes of ${taxes}`;
  if (!isTaxOnly && Math.abs(taxes - (base * Number(vat)) / 100) > itemCount + 1)
    yield `${formatDocumentNumber(document)} has taxes of ${taxes} on ${base}, which are not ${vat} %`;
}

function addsUpByContract({ contracts = [], items, total }: BookedDocument): boolean {
  const hasItemTotal = ({ item_ids: ids, total: part }: (typeof contracts)[number]) =>
    sum(items, (item) => (ids.includes(item.id) ? cents(item.total) : 0)) === cents(part);
  return contracts.every(hasItemTotal) && sum(contracts, (part) => cents(part.total)) === cents(total);
}

function lacksCustomer(document: BookedDocument): boolean {
  const { customer_full_name: name, customer_document_id: taxId } = document;
  return !(name.trim() && taxId && document.customer_address_street && document.customer_address_city);
}

type Serie = readonly [name: string, documents: readonly BookedDocument[]];

// Groups documents by company and serie, in number order.
function listSeries(firm: readonly BookedDocument[]): readonly Serie[] {
  const series = Map.groupBy(firm, (document) => `${document.company_id} ${document.serie}`);
  return [...series].map(([name, documents]) => [
    name,
    documents.toSorted((a, b) => Number(a.number) - Number(b.number)),
  ]);
}

// Checks that numbers of a company are unique and without gaps, and that dates never decrease.
function* auditNumbers([serie, documents]: Serie): Generator<string> {
  for (const [index, document] of documents.entries()) {
    const before = documents[index - 1];
    if (before && Number(document.number) !== Number(before.number) + 1)
      yield `serie ${serie}: ${document.number} stands where ${Number(before.number) + 1} belongs`;
    else if (before?.date && document.date && before.date > document.date)
      yield `${formatDocumentNumber(document)} is dated before the one before`;
  }
}

function* beginnings(series: readonly Serie[]): Generator<string> {
  for (const [serie, [first]] of series)
    if (first && Number(first.number) > 1) yield `serie ${serie} begins with ${first.number} here`;
}

function* auditCredit(documents: readonly BookedDocument[]): Generator<string> {
  const byId = new Map(documents.map((document) => [document.id, document]));
  const notes = documents.filter((document) => isIssued(document) && document.invoice_type === "payment");
  for (const note of notes) {
    const corrected = byId.get(note.corrected_invoice_id ?? -1);
    const { corrected_invoice_serie: serie, corrected_invoice_number: number } = note;
    if (!corrected) yield `${formatDocumentNumber(note)} credits nothing that is there`;
    else if (!isNamed(corrected, serie, number))
      yield `${formatDocumentNumber(note)} names ${formatDocumentNumber(corrected)} by another number`;
  }
  for (const [id, ofOne] of Map.groupBy(notes, (note) => note.corrected_invoice_id)) {
    const corrected = byId.get(id ?? -1);
    if (corrected) yield* auditCredited(corrected, ofOne);
  }
}

const isNamed = (document: BookedDocument, serie: string | null, number: string | null) =>
  document.serie === serie && document.number === number;

function* auditCredited(corrected: BookedDocument, notes: readonly BookedDocument[]): Generator<string> {
  const remainingCents = cents(corrected.total) + sum(notes, (note) => cents(note.total));
  const settled = sum([corrected, ...notes], (document) => cents(document.total_settled_by_credit));
  if (remainingCents * Math.sign(cents(corrected.total)) < 0)
    yield `${formatDocumentNumber(corrected)} is credited for more than it is`;
  if (settled !== 0) yield `${formatDocumentNumber(corrected)} and its credit notes settle ${settled} of nobody's`;
  yield* auditCreditedTaxes(corrected, notes, remainingCents);
}

// Partial credits of a document add up to its base and tax. A debt's tax is credited without its base.
function* auditCreditedTaxes(
  corrected: BookedDocument,
  notes: readonly BookedDocument[],
  remainingCents: number,
): Generator<string> {
  const isWhole = remainingCents === 0;
  for (const name of ["subtotal", "total_taxes"] as const) {
    const left = sum([corrected, ...notes], (document) => cents(document[name]));
    const isBeyond = left * Math.sign(cents(corrected.total)) < 0;
    if (isBeyond || (isWhole && left !== 0))
      yield `${formatDocumentNumber(corrected)} and its credit notes leave ${left} of its ${name}`;
  }
}

// Checks that a full invoice contains everything of the simplified ones it replaces and settles them, once each.
function* auditReplaced(documents: readonly BookedDocument[]): Generator<string> {
  const byId = new Map(documents.map((document) => [document.id, document]));
  for (const [id, replaced] of Map.groupBy(
    documents.filter(isReplaced),
    (document) => document.replaced_by_invoice_id,
  )) {
    const full = byId.get(id ?? -1);
    if (!full || !isIssued(full) || full.document_kind !== "full") {
      yield* replaced.map((document) => `${formatDocumentNumber(document)} is replaced by nothing that is there`);
      continue;
    }
    for (const document of replaced) yield* auditPlace(document, full);
    if (sum(replaced, (document) => cents(document.total)) !== cents(full.total))
      yield `${formatDocumentNumber(full)} says another total than what it replaces`;
  }
}

function* auditPlace(document: BookedDocument, full: BookedDocument): Generator<string> {
  if (!isNamed(full, document.replaced_by_invoice_serie, document.replaced_by_invoice_number))
    yield `${formatDocumentNumber(document)} names ${formatDocumentNumber(full)} by another number`;
  if (document.total_settled_by_credit !== document.total_paid)
    yield `${formatDocumentNumber(document)} is replaced and paid by money all the same`;
}

const isReplaced = (document: BookedDocument) => document.replaced_by_invoice_id !== null;

// Checks that allocations don't exceed their charge, and that a document's paid amount equals its allocations.
function* auditAllocations(
  documents: readonly BookedDocument[],
  charges: ExtractedMoneyData["charges"],
): Generator<string> {
  const firm = new Map(documents.filter(isIssued).map((document) => [document.id, document]));
  const parts = charges.flatMap(({ allocations }) => allocations);
  const byDocument = Map.groupBy(parts, (part) => part.document_id);
  for (const charge of charges) yield* auditCharge(charge);
  for (const { document_id: id } of parts) if (!firm.has(id)) yield `${id} is paid and not issued`;
  for (const [id, document] of firm) {
    const money = sum(byDocument.get(id) ?? [], (item) => cents(item.amount));
    const listedCents = sum(document.charges, (item) => cents(item.amount) * (item.payment_type === "charge" ? 1 : -1));
    const paid = cents(document.total_paid) - cents(document.total_settled_by_credit);
    if (listedCents !== money)
      yield `${formatDocumentNumber(document)} shows charges of ${listedCents}, and ${money} count towards it`;
    if (paid !== money) yield `${formatDocumentNumber(document)} says ${paid} is paid, and ${money} count towards it`;
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
  documents: readonly BookedDocument[],
  charges: ExtractedMoneyData["charges"],
  contracts: ExtractedMoneyData["contracts"],
): Generator<string> {
  const documentsByContract = groupDocumentsByContract({ documents, charges, contracts });
  const chargesById = new Map(charges.map((charge) => [charge.id, charge]));
  for (const contract of contracts) {
    const own = documentsByContract.get(String(contract.id)) ?? [];
    const paid = cents(contract.total_paid);
    const money = sum(contract.charges, (item) => cents(item.amount));
    const parts = contract.charges.flatMap(({ id }) => chargesById.get(id)?.allocations ?? []);
    const allocated = sum(parts, (part) => cents(part.amount));
    const onDocuments = sum(own.filter(isIssued), (document) => cents(document.total_paid));
    const name = `contract ${contract.id}`;
    if (money !== paid) yield `${name} says ${paid} is paid, its charges ${money}`;
    if (allocated !== onDocuments) yield `${name}: ${allocated} is allocated, its papers say ${onDocuments}`;
    if (own.length > 0) yield* auditPending(contract, own, money - allocated);
  }
}

/** Document of a contract, or the contract's part of a collective document. */
type ContractDocument = Pick<
  BookedDocument,
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
function groupDocumentsByContract({
  documents,
  charges,
  contracts,
}: ExtractedMoneyData): ReadonlyMap<string, readonly ContractDocument[]> {
  const chargesById = new Map(charges.map((charge) => [charge.id, charge]));
  const allocations = new Map(
    contracts.map((contract) => [
      contract.id,
      contract.charges.flatMap(({ id }) => chargesById.get(id)?.allocations ?? []),
    ]),
  );
  const own = documents
    .filter((document) => !isReplaced(document) && document.contracts === undefined)
    .flatMap((document): readonly (readonly [string, ContractDocument])[] =>
      document.reference_source === "booking" && document.reference !== null ? [[document.reference, document]] : [],
    );
  const collective = documents.filter((document) => document.contracts !== undefined);
  const notes = collective.filter(isCreditNote).flatMap((document) => listParts(document, allocations, []));
  const earlier = [...own, ...notes];
  const parts = collective
    .filter((document) => !isCreditNote(document))
    .flatMap((document) => listParts(document, allocations, earlier));
  return new Map(
    [...Map.groupBy([...earlier, ...parts], ([contract]) => contract)].map(([contract, all]) => [
      contract,
      all.map(([, document]) => document),
    ]),
  );
}

const isCreditNote = ({ corrected_invoice_id: corrected }: BookedDocument) => corrected !== null;
const toAmountText = (amount: number) =>
  `${amount < 0 ? "-" : ""}${Math.trunc(Math.abs(amount) / 100)}.${String(Math.abs(amount) % 100).padStart(2, "0")}`;

// Splits a collective document by contract. A contract pays its part by its own charges. Its credit notes settle the
// rest.
function listParts(
  document: BookedDocument,
  allocations: ReadonlyMap<number, ExtractedMoneyData["charges"][number]["allocations"]>,
  documents: readonly (readonly [string, ContractDocument])[],
): readonly (readonly [string, ContractDocument])[] {
  return (document.contracts ?? []).map((part) => {
    const contract = String(part.reservation_id);
    const money = sum(allocations.get(part.reservation_id) ?? [], (item) =>
      item.document_id === document.id ? cents(item.amount) : 0,
    );
    const owed = cents(part.total) - cents(part.agent_comission_prepaid_amount);
    const ownNotes = documents.filter(([of, note]) => of === contract && note.corrected_invoice_id === document.id);
    const settled = isCreditNote(document)
      ? owed - money
      : -sum(ownNotes, ([, note]) => cents(note.total_settled_by_credit));
    const paid = money + settled;
    return [
      contract,
      {
        ...document,
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
  readonly hasDocuments: boolean;
  readonly isImported: boolean;
  /** Draft that contains the fee. */
  readonly draft: ContractDocument | undefined;
}

// Lists the payments that cancelled contracts retain, because they aren't to be refunded. They count as income.
function listRetainedFees({ documents, charges, contracts, imported }: ExtractedMoneyData): readonly RetainedFee[] {
  const documentsByContract = groupDocumentsByContract({ documents, charges, contracts });
  return contracts.flatMap((contract) => {
    const retainedCents =
      contract.status === "cancelled" ? cents(contract.total_paid) + cents(contract.total_pending) : 0;
    if (retainedCents <= 0) return [];
    const own = documentsByContract.get(String(contract.id)) ?? [];
    const draft = own.find((document) => !isIssued(document) && cents(document.total) !== 0);
    const sentence = `contract ${contract.id} is cancelled: ${retainedCents} is kept of it`;
    return [{ sentence, draft, hasDocuments: own.length > 0, isImported: imported?.has(contract.id) === true }];
  });
}

// Reports retained payments without any document. If there are documents, the pending amount shows errors in them.
function* auditRetainedFees(fees: readonly RetainedFee[]): Generator<string> {
  for (const { sentence, hasDocuments, isImported } of fees)
    if (!hasDocuments && !isImported)
      yield `${sentence}, and no document says so (invoice it in the office, or import its invoice)`;
}

function* auditPendingFees(fees: readonly RetainedFee[]): Generator<string> {
  for (const { sentence, draft, hasDocuments, isImported } of fees) {
    if (draft) yield `${sentence} on ${formatDocumentNumber(draft)}, which waits for what its customer lacks`;
    else if (!hasDocuments && isImported) yield `${sentence}, whose paper is in the system that it came from`;
  }
}

function* auditPending(
  contract: ExtractedMoneyData["contracts"][number],
  own: readonly ContractDocument[],
  balance: number,
): Generator<string> {
  const pending = cents(contract.total_pending);
  const getOwedCents = (document: ContractDocument) =>
    cents(document.total) - cents(document.agent_comission_prepaid_amount);
  // An advance that was never issued doesn't count.
  const drafts = own.filter((document) => !isIssued(document) && document.invoice_mode !== "reservation_retainer");
  const remainingCents =
    sum(own.filter(isIssued), (document) => cents(document.total_pending)) + sum(drafts, getOwedCents) - balance;
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
