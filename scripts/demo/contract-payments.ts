import type { CivilMinute } from "#domain/dates.ts";
import type { DocumentDraft } from "#domain/documents/draft.ts";
import {
  type ContractToInvoice,
  draftAdvanceInvoice,
  draftMissingContractDocuments,
} from "#domain/documents/invoicing.ts";
import type { Cents } from "#domain/money.ts";
import type { DemoContract } from "./contracts.ts";
import type { RandomContext } from "./describe-company.ts";
import {
  createDocumentBranchFields,
  createDocumentCustomer,
  getCompanyDefaultLanguage,
  type PlannedDocument,
  toIssuedDocument,
} from "./documents.ts";
import type { DemoPayment } from "./payments.ts";

/** Documents and payments of one contract under construction. */
export interface ContractPaymentsAndDocuments extends RandomContext {
  readonly contract: DemoContract;
  readonly documents: PlannedDocument[];
  readonly payments: DemoPayment[];
  /** Amount that the agent retained from the customer's payment. */
  readonly prepaidCents: Cents;
}

/** Records a payment of the contract unless it's zero. */
export function addContractPayment(
  { contract, payments }: ContractPaymentsAndDocuments,
  payment: Pick<DemoPayment, "at" | "cents" | "method" | "source"> & Partial<DemoPayment>,
): DemoPayment {
  const { branchCode } = contract.pickupPlace;
  const fullPayment: DemoPayment = { type: "charge", branchCode, contract, ...payment };
  if (fullPayment.cents > 0) payments.push(fullPayment);
  return fullPayment;
}

/** Returns the source of a payment by its document's kind: internal bond or customer invoice. */
export function getDocumentPaymentSource({ draft }: PlannedDocument): DemoPayment["source"] {
  return draft.kind === "internal_bond" ? "internal_bond_invoice" : "customer_invoice";
}

interface DocumentOptions {
  readonly isDraft?: boolean;
  /** Whether the document includes closing costs. */
  readonly isClosed?: boolean;
  readonly advanceCents?: Cents;
  /** Part of a cancelled contract's payments that the company retains as a fee. */
  readonly retainedFeeCents?: Cents;
}

/** Drafts a document of the contract, replacing an existing draft. */
export function addContractDocument(
  account: ContractPaymentsAndDocuments,
  createdAt: CivilMinute,
  { isDraft = false, isClosed = false, advanceCents, retainedFeeCents }: DocumentOptions,
): PlannedDocument {
  const { contract, documents } = account;
  const open = documents.findIndex((document) => document.isDraft);
  if (open >= 0) documents.splice(open, 1);
  const toInvoice = { ...toContractToInvoice(account, isClosed), retainedFeeCents };
  const draft =
    advanceCents === undefined
      ? onlyOne(draftMissingContractDocuments(toInvoice))
      : draftAdvanceInvoice(toInvoice, advanceCents);
  const document = { draft, createdAt, isDraft: isDraft || draft.missing.length > 0, contract };
  documents.push(document);
  return document;
}

// Plans use few tax rates and never reduce the agreed price, so there's only one document.
function onlyOne([draft, ...more]: readonly DocumentDraft[]): DocumentDraft {
  if (!draft || more.length > 0) throw new Error("a planned contract has another number of documents than one");
  return draft;
}

type InvoicedAccount = Pick<ContractPaymentsAndDocuments, "company" | "contract" | "documents" | "prepaidCents">;

/** Converts the contract to the input of invoicing. */
export function toContractToInvoice(account: InvoicedAccount, isClosed: boolean): ContractToInvoice {
  const { company, contract, documents, prepaidCents } = account;
  const { draft, units, customer, closing } = contract;
  const { terms, totals } = draft;
  return {
    bookingId: contract.id,
    ...createDocumentBranchFields(company, terms.pickupBranch.code),
    salesChannelCode: terms.salesChannel,
    customer: createDocumentCustomer(customer),
    period: terms.period,
    days: terms.days,
    language: getCompanyDefaultLanguage(company),
    agencyName: contract.agency?.name,
    agentPrepaidCents: prepaidCents,
    lines: draft.lines.map(({ category, quantity, unitCents }, index) => ({
      description: category.name,
      quantity,
      unitCents,
      supplementUnitCents: category.supplementCents,
      vat: category.vat,
      plates: units.filter(({ line }) => line === index).flatMap(({ vehicle }) => vehicle?.plate ?? []),
    })),
    extras: draft.extras.map(({ extra, quantity, unitCents }) => {
      return { description: extra.name, quantity, unitCents, vat: extra.vat };
    }),
    sums: {
      ...totals,
      supplementCents: isClosed ? closing.supplementCents : [0, 0, 0],
      totalCents: totals.totalCents + (isClosed ? closing.totalCents : 0),
    },
    simplifiedLimitCents: company.settings.simplifiedLimitCents,
    earlier: documents.map((document) => ({ ...toIssuedDocument(document), isIssued: !document.isDraft })),
  };
}
