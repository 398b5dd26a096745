import type { CivilMinute } from "#domain/dates.ts";
import { type ContractToInvoice, draftAdvance, draftContractDocument } from "#domain/documents/invoicing.ts";
import type { Cents } from "#domain/money.ts";
import type { ContractAccount } from "./payments.ts";
import { documentCustomer, headOf, languageOf, type PlannedDocument } from "./planned-document.ts";

/** Drafts a document of the contract; `isClosed`: with what was found at collection. */
export function addContractDocument(
  account: ContractAccount,
  createdAt: CivilMinute,
  { isDraft, isClosed, advanceCents }: { isDraft?: boolean; isClosed?: boolean; advanceCents?: Cents },
): PlannedDocument {
  const toInvoice = contractToInvoice(account, isClosed ?? false);
  const draft = advanceCents === undefined ? draftContractDocument(toInvoice) : draftAdvance(toInvoice, advanceCents);
  const { contract } = account;
  const document = { draft, createdAt, isDraft: isDraft ?? false, contract, corrects: undefined };
  account.documents.push(document);
  return document;
}

function contractToInvoice(
  { context: { company }, contract, documents, prepaidCents }: ContractAccount,
  isClosed: boolean,
): ContractToInvoice {
  const { draft, units, customer, closing } = contract;
  const { terms, totals } = draft;
  return {
    bookingId: contract.id,
    ...headOf(company, terms.pickupBranch.code),
    salesChannelCode: terms.salesChannel,
    customer: documentCustomer(customer),
    period: terms.period,
    days: terms.days,
    language: languageOf(company),
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
    earlier: documents.map(({ draft: earlier }) => ({ ...earlier, id: 0, isFirm: true })),
  };
}
