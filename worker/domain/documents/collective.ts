import { sumCents } from "#domain/money.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { draftCreditNote, getUncreditedCents, type IssuedDocumentWithCredits } from "./credit-notes.ts";
import {
  completeDocumentDraft,
  type DocumentContractShare,
  type DocumentCustomer,
  type DocumentDraft,
  TooManyRatesError,
} from "./draft.ts";
import { type ContractToInvoice, draftUninvoicedContractShare, type EarlierDocument } from "./invoicing.ts";
import { getDocumentTexts } from "./texts.ts";

/** Reasons why contracts can't be invoiced together. */
export type CollectiveInvoiceRefusal =
  /** Contracts that have a full invoice. */
  | { readonly kind: "alreadyInvoiced"; readonly invoiced: readonly InvoicedContract[] }
  /** Contracts that another customer pays. */
  | { readonly kind: "otherPayer"; readonly bookingIds: readonly number[] }
  | { readonly kind: "nothingToInvoiceOf"; readonly bookingIds: readonly number[] }
  /** The branches belong to different companies or tax territories. */
  | { readonly kind: "differentIssuers" }
  | { readonly kind: "tooManyRates" };

/** Contract that already has an invoice. */
export interface InvoicedContract {
  readonly bookingId: number;
  /** Series and number of the document that invoices the contract. */
  readonly document: string;
}

/** Contract to invoice with others, and the tax territory of its branch. */
export interface ContractForCollectiveInvoice extends ContractToInvoice {
  readonly territory: string;
}

/** Collective invoice, and the documents that are issued or emptied together with the invoice. */
export interface CollectiveInvoiceDrafts {
  readonly invoice: DocumentDraft;
  /** Credit notes of the simplified invoices that the collective invoice replaces. */
  readonly notes: readonly DocumentDraft[];
  /** Drafts of the contracts that are no longer needed. */
  readonly obsoleteDrafts: readonly DocumentDraft[];
}

/** Longest list of contracts in the invoice's concept. */
const MAX_NAMED = 20;

/**
 * Drafts one invoice over several contracts of one payer, with the lines of each contract together. Simplified invoices
 * are credited and their lines invoiced again. A contract with a full invoice is refused.
 */
export function draftCollectiveInvoice(
  contracts: readonly ContractForCollectiveInvoice[],
  customer: DocumentCustomer,
): Result<CollectiveInvoiceDrafts, CollectiveInvoiceRefusal> {
  const refused = findRefusal(contracts, customer);
  if (refused) return err(refused);
  const parts = contracts.map((contract) => ({ contract, part: draftPart({ ...contract, customer }) }));
  const empty = parts.filter(({ part }) => sumCents(part.items.map(({ totalCents }) => totalCents)) <= 0);
  if (empty.length > 0)
    return err({ kind: "nothingToInvoiceOf", bookingIds: empty.map(({ contract }) => contract.bookingId) });
  const [first] = parts;
  if (!first) return err({ kind: "nothingToInvoiceOf", bookingIds: [] });
  const { language } = first.contract;
  const notes = contracts.flatMap((contract) =>
    listSimplified(contract).map((document) => draftCreditNote(document, language)),
  );
  const shares = parts.map(
    ({ contract, part }): DocumentContractShare => ({
      bookingId: contract.bookingId,
      referenceDetail: part.head.referenceDetail,
      referenceDates: part.head.referenceDates,
      totalCents: sumCents(part.items.map(({ totalCents }) => totalCents)),
      agentPrepaidCents: part.head.agentPrepaidCents,
    }),
  );
  const head = {
    ...first.part.head,
    customer,
    concept: nameContracts(
      getDocumentTexts(language).contract,
      shares.map(({ bookingId }) => bookingId),
    ),
    bookingId: undefined,
    orderReference: undefined,
    salesChannelCode: undefined,
    referenceDates: undefined,
    referenceAgency: undefined,
    referenceDetail: undefined,
    contracts: shares,
    agentPrepaidCents: sumCents(shares.map(({ agentPrepaidCents }) => agentPrepaidCents)),
  };
  const items = parts.flatMap(({ contract: { bookingId }, part }) =>
    part.items.map((item) => ({ ...item, bookingId })),
  );
  try {
    const invoice = completeDocumentDraft(head, items);
    return ok({ invoice, notes, obsoleteDrafts: parts.flatMap(({ part }) => part.obsoleteDrafts) });
  } catch (error) {
    if (error instanceof TooManyRatesError) return err({ kind: "tooManyRates" });
    throw error;
  }
}

function findRefusal(
  contracts: readonly ContractForCollectiveInvoice[],
  customer: DocumentCustomer,
): CollectiveInvoiceRefusal | undefined {
  const others = contracts.filter((contract) => contract.customer.id !== customer.id);
  if (others.length > 0) return { kind: "otherPayer", bookingIds: others.map(({ bookingId }) => bookingId) };
  const invoiced = contracts.flatMap(({ bookingId, earlier }) =>
    earlier.filter(isInvoiceInFull).map(({ serie, number }) => ({ bookingId, document: `${serie}/${number}` })),
  );
  if (invoiced.length > 0) return { kind: "alreadyInvoiced", invoiced };
  const issuers = new Set(contracts.map(({ companyId, territory }) => `${companyId} ${territory}`));
  return issuers.size > 1 ? { kind: "differentIssuers" } : undefined;
}

const isOpenInvoice = (document: EarlierDocument): boolean =>
  document.isIssued && document.type === "invoice" && !document.isReplaced && getUncreditedCents(document) !== 0;

const isInvoiceInFull = (document: EarlierDocument): boolean =>
  isOpenInvoice(document) && document.form !== "simplified";

// Lists the simplified invoices of a contract that the collective invoice replaces.
function listSimplified({ earlier }: ContractToInvoice): readonly IssuedDocumentWithCredits[] {
  return earlier.filter((document) => isOpenInvoice(document) && document.form === "simplified");
}

// Drafts a contract's part of the collective invoice, without its simplified invoices, because credit notes will
// reverse them.
function draftPart(contract: ContractForCollectiveInvoice) {
  const simplified = new Set(listSimplified(contract).map(({ id }) => id));
  const earlier = contract.earlier.filter(
    ({ id, correctsDocumentId }) => !simplified.has(id) && !simplified.has(correctsDocumentId ?? 0),
  );
  return draftUninvoicedContractShare({ ...contract, earlier });
}

function nameContracts(title: string, ids: readonly number[]): string {
  const contractList = ids.slice(0, MAX_NAMED).join(", ");
  return `${title} ${contractList}${ids.length > MAX_NAMED ? ", …" : ""}`;
}
