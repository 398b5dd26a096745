import type { z } from "zod";
import type { chargeDocument } from "#worker/api/integration/charge-messages.ts";
import type { contract } from "#worker/api/integration/contract-messages.ts";
import type { internalBond, invoice } from "#worker/api/integration/document-messages.ts";

type Paper = z.output<typeof invoice> | z.output<typeof internalBond>;

/** All that the integration interface tells of an account's money. */
export interface Extracted {
  readonly papers: readonly Paper[];
  readonly charges: readonly z.output<typeof chargeDocument>[];
  readonly contracts: readonly z.output<typeof contract>[];
}

/** What was compared, and each thing that does not balance, in a sentence. */
export interface Books {
  readonly papers: number;
  readonly charges: number;
  readonly contracts: number;
  readonly differences: readonly string[];
  /** Series that begin in the middle, in a sentence each: another system had the documents before. */
  readonly continued: readonly string[];
}

/** Minor units of an amount on the wire, which always carries all its decimals. */
function cents(amount: string | null): number {
  return Number((amount ?? "0").replace(".", ""));
}

const sum = <T>(all: readonly T[], of: (one: T) => number) => all.reduce((total, one) => total + of(one), 0);
const isFirm = (paper: Paper) => paper.invoice_status === "invoice";
const nameOf = (paper: Paper) => (paper.number === null ? `draft ${paper.id}` : `${paper.serie}/${paper.number}`);

/** Rebuilds the books of an account as an accountant's system would, and names each cent that does not balance. */
export function auditBooks({ papers, charges, contracts }: Extracted): Books {
  const series = seriesOf(papers.filter(isFirm));
  const differences = [
    ...papers.flatMap(auditPaper),
    ...series.flatMap(auditNumbers),
    ...auditCredit(papers),
    ...auditReplaced(papers),
    ...auditAllocations(papers, charges),
    ...auditContracts(papers, charges, contracts),
    ...auditDeposits(charges),
  ];
  return {
    papers: papers.length,
    charges: charges.length,
    contracts: contracts.length,
    differences,
    continued: series.flatMap(beginning),
  };
}

const RATES = [1, 2, 3, 4, 5] as const;

function auditPaper(paper: Paper): string[] {
  const total = cents(paper.total);
  const paid = cents(paper.total_paid) + cents(paper.agent_comission_prepaid_amount);
  const pending = cents(paper.total_pending);
  const isOpen = total < 0 ? pending < 0 : pending > 0;
  const byRate = sum(RATES, (rate) => cents(paper[`subtotal_${rate}`]) + cents(paper[`taxes_${rate}`]));
  const checks: readonly (readonly [wrong: boolean, what: string])[] = [
    [sum(paper.items, (item) => cents(item.total)) !== total, "is not the sum of its items"],
    [cents(paper.subtotal) + cents(paper.total_taxes) !== total, "is not its subtotal with its taxes"],
    [
      cents(paper.total_without_taxes) - cents(paper.discount) !== cents(paper.subtotal),
      "is not its price less its discount",
    ],
    [paper.object === "invoice" && byRate !== total, "is not the sum of its rates"],
    [isFirm(paper) && paid + pending !== total, "is not what is paid of it with what is pending"],
    [isFirm(paper) && (paper.payment_status === "pending") !== isOpen, "has a payment status that its money denies"],
    [isFirm(paper) !== (paper.number !== null), "has a number though it is a draft, or none though it is issued"],
    [isFirm(paper) && paper.document_kind === "full" && lacksCustomer(paper), "is a full invoice to nobody in full"],
  ];
  return [
    ...checks.flatMap(([wrong, what]) => (wrong ? [`${nameOf(paper)} ${what}`] : [])),
    ...(paper.object === "invoice" ? RATES.flatMap((rate) => auditRate(paper, rate)) : []),
  ];
}

// A rate is what its items come to, and its taxes are that part of its base: rounded item by item, so that each may
// have moved it by a cent. Of a debt that is not paid the taxes alone go back.
function auditRate(paper: Paper, rate: (typeof RATES)[number]): string[] {
  const vat = paper[`vat_${rate}`];
  if (vat === null) return [];
  const items = paper.items.filter(({ vat_percentage }) => vat_percentage === vat);
  const [base, taxes] = [cents(paper[`subtotal_${rate}`]), cents(paper[`taxes_${rate}`])];
  const isTaxAlone = paper.invoice_type === "payment" && base === 0;
  const isOfItems =
    base === sum(items, (one) => cents(one.subtotal)) && taxes === sum(items, (one) => cents(one.taxes));
  const isOfBase = isTaxAlone || Math.abs(taxes - (base * Number(vat)) / 100) <= items.length;
  return [
    ...(isOfItems ? [] : [`${nameOf(paper)} has items at ${vat} % that are not ${base} and taxes of ${taxes}`]),
    ...(isOfBase ? [] : [`${nameOf(paper)} has taxes of ${taxes} on ${base}, which are not ${vat} %`]),
  ];
}

function lacksCustomer(paper: Paper): boolean {
  const { customer_full_name: name, customer_document_id: taxId } = paper;
  return !(name.trim() && taxId && paper.customer_address_street && paper.customer_address_city);
}

type Serie = readonly [name: string, papers: readonly Paper[]];

// Those of a company and serie in the order of their numbers.
function seriesOf(firm: readonly Paper[]): readonly Serie[] {
  const series = Map.groupBy(firm, (paper) => `${paper.company_id} ${paper.serie}`);
  return [...series].map(([name, papers]) => [name, papers.toSorted((a, b) => Number(a.number) - Number(b.number))]);
}

// A number of a company is given once and without gaps, and its date never goes back.
function auditNumbers([serie, papers]: Serie): string[] {
  return papers.flatMap((paper, index) => {
    const before = papers[index - 1];
    if (before && Number(paper.number) !== Number(before.number) + 1)
      return [`serie ${serie}: ${paper.number} stands where ${Number(before.number) + 1} belongs`];
    if (before?.date && paper.date && before.date > paper.date)
      return [`${nameOf(paper)} is dated before the one before`];
    return [];
  });
}

function beginning([serie, [first]]: Serie): string[] {
  return first && Number(first.number) > 1 ? [`serie ${serie} begins with ${first.number} here`] : [];
}

function auditCredit(papers: readonly Paper[]): string[] {
  const byId = new Map(papers.map((paper) => [paper.id, paper]));
  const notes = papers.filter((paper) => isFirm(paper) && paper.invoice_type === "payment");
  const unnamed = notes.flatMap((note) => {
    const corrected = byId.get(note.corrected_invoice_id ?? -1);
    if (!corrected) return [`${nameOf(note)} credits nothing that is there`];
    const isNamed =
      note.corrected_invoice_serie === corrected.serie && note.corrected_invoice_number === corrected.number;
    return isNamed ? [] : [`${nameOf(note)} names ${nameOf(corrected)} by another number`];
  });
  const tooMuch = [...Map.groupBy(notes, (note) => note.corrected_invoice_id)].flatMap(([id, ofOne]) => {
    const corrected = byId.get(id ?? -1);
    if (!corrected) return [];
    const left = cents(corrected.total) + sum(ofOne, (note) => cents(note.total));
    const settled = sum([corrected, ...ofOne], (paper) => cents(paper.total_settled_by_credit));
    return [
      ...(left * Math.sign(cents(corrected.total)) < 0 ? [`${nameOf(corrected)} is credited for more than it is`] : []),
      ...(settled === 0 ? [] : [`${nameOf(corrected)} and its credit notes settle ${settled} of nobody's`]),
    ];
  });
  return [...unnamed, ...tooMuch];
}

// A full invoice says all that the simplified ones say which it stands in place of, once; they are settled by it.
function auditReplaced(papers: readonly Paper[]): string[] {
  const byId = new Map(papers.map((paper) => [paper.id, paper]));
  return [...Map.groupBy(papers.filter(isReplaced), (paper) => paper.replaced_by_invoice_id)].flatMap(
    ([id, replaced]) => {
      const full = byId.get(id ?? -1);
      if (!full || !isFirm(full) || full.document_kind !== "full")
        return replaced.map((paper) => `${nameOf(paper)} is replaced by nothing that is there`);
      const misnamed = replaced.filter(
        (paper) => paper.replaced_by_invoice_serie !== full.serie || paper.replaced_by_invoice_number !== full.number,
      );
      const unsettled = replaced.filter((paper) => paper.total_settled_by_credit !== paper.total_paid);
      const isOtherwise = sum(replaced, (paper) => cents(paper.total)) !== cents(full.total);
      return [
        ...misnamed.map((paper) => `${nameOf(paper)} names ${nameOf(full)} by another number`),
        ...unsettled.map((paper) => `${nameOf(paper)} is replaced and paid by money all the same`),
        ...(isOtherwise ? [`${nameOf(full)} says another total than what it replaces`] : []),
      ];
    },
  );
}

const isReplaced = (paper: Paper) => paper.replaced_by_invoice_id !== null;

// A real charge counts towards firm documents for no more than it is, and a document is paid by what counts towards it.
function auditAllocations(papers: readonly Paper[], charges: Extracted["charges"]): string[] {
  const firm = papers.filter(isFirm);
  const ids = new Set(firm.map(({ id }) => id));
  const parts = charges.flatMap(({ allocations }) => allocations);
  const byPaper = Map.groupBy(parts, (one) => one.document_id);
  return [
    ...charges.flatMap(auditCharge),
    ...parts.filter((one) => !ids.has(one.document_id)).map((one) => `${one.document_id} is paid and not issued`),
    ...firm.flatMap((paper) =>
      auditPaid(
        paper,
        sum(byPaper.get(paper.id) ?? [], (one) => cents(one.amount)),
      ),
    ),
  ];
}

function auditCharge(charge: Extracted["charges"][number]): string[] {
  const amount = cents(charge.amount) * (charge.payment_type === "charge" ? 1 : -1);
  const parts = sum(charge.allocations, (one) => cents(one.amount));
  if (charge.virtual) return parts === 0 ? [] : [`charge ${charge.id} is virtual and pays something`];
  const isTooMuch = Math.abs(parts) > Math.abs(amount) || parts * amount < 0;
  return isTooMuch ? [`charge ${charge.id} of ${amount} counts for ${parts}`] : [];
}

function auditPaid(paper: Paper, money: number): string[] {
  const shown = sum(paper.charges, (one) => cents(one.amount) * (one.payment_type === "charge" ? 1 : -1));
  const paid = cents(paper.total_paid) - cents(paper.total_settled_by_credit);
  return [
    ...(shown === money ? [] : [`${nameOf(paper)} shows charges of ${shown}, and ${money} count towards it`]),
    ...(paid === money ? [] : [`${nameOf(paper)} says ${paid} is paid, and ${money} count towards it`]),
  ];
}

// Sum of charges = allocated + balance; what is pending of a contract follows from its papers once it is done.
function auditContracts(
  papers: readonly Paper[],
  charges: Extracted["charges"],
  contracts: Extracted["contracts"],
): string[] {
  // What was replaced is said by the one in its place.
  const counted = papers.filter((paper) => !isReplaced(paper));
  const papersOf = Map.groupBy(counted, (paper) => (paper.reference_source === "booking" ? paper.reference : null));
  const chargeOf = new Map(charges.map((charge) => [charge.id, charge]));
  return contracts.flatMap((contract) => {
    const own = papersOf.get(String(contract.id)) ?? [];
    const paid = cents(contract.total_paid);
    const money = sum(contract.charges, (one) => cents(one.amount));
    const allocated = sum(contract.charges, (one) =>
      sum(chargeOf.get(one.id)?.allocations ?? [], (part) => cents(part.amount)),
    );
    const onPapers = sum(own.filter(isFirm), (paper) => cents(paper.total_paid));
    const name = `contract ${contract.id}`;
    return [
      ...(money === paid ? [] : [`${name} says ${paid} is paid, its charges ${money}`]),
      ...(allocated === onPapers ? [] : [`${name}: ${allocated} is allocated, its papers say ${onPapers}`]),
      ...auditPending(contract, own, { name, paid, balance: money - allocated }),
    ];
  });
}

function auditPending(
  contract: Extracted["contracts"][number],
  own: readonly Paper[],
  { name, paid, balance }: { readonly name: string; readonly paid: number; readonly balance: number },
): string[] {
  const pending = cents(contract.total_pending);
  const owed = sum(own, (paper) => cents(paper.total) - cents(paper.agent_comission_prepaid_amount));
  const open = sum(own.filter(isFirm), (paper) => cents(paper.total_pending));
  // An advance that was never issued is nothing.
  const drafted = sum(
    own.filter((paper) => !isFirm(paper) && paper.invoice_mode !== "reservation_retainer"),
    (paper) => cents(paper.total) - cents(paper.agent_comission_prepaid_amount),
  );
  if (contract.status === "done" && own.length > 0 && pending !== open + drafted - balance)
    return [`${name}: ${pending} is pending, its papers and its balance say ${open + drafted - balance}`];
  if (contract.status === "cancelled" && own.length > 0 && pending !== Math.min(0, owed - paid))
    return [`${name} is cancelled: ${pending} is pending, its papers say ${Math.min(0, owed - paid)}`];
  return [];
}

// What is given back or kept of a deposit was held before.
function auditDeposits(charges: Extracted["charges"]): string[] {
  const held = Map.groupBy(
    charges.filter(({ virtual }) => virtual),
    ({ source_id: contract }) => contract,
  );
  return [...held].flatMap(([contract, moves]) => {
    const left = sum(moves, (one) => cents(one.amount) * (one.source_doc === "deposit_received" ? 1 : -1));
    return left < 0 ? [`contract ${contract} gave back ${-left} more of its deposit than was held`] : [];
  });
}
