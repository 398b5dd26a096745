import type { Settings } from "#domain/catalogue/catalogue.ts";
import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import { parseTaxRateCode } from "#domain/catalogue/tax-rate-codes.ts";
import type { DocumentDraft } from "#domain/documents/draft.ts";
import type { DocumentForEInvoice, ReferencedDocument, StoredParty } from "#domain/e-invoices/e-invoice.ts";
import { type BasisPoints, formatRateAsPercent } from "#domain/money.ts";
import type { DocumentToPrint } from "#domain/printing/documents.ts";
import { foldText } from "#domain/search-text.ts";
import type { DocumentToPrintRow } from "#worker/store/printing/documents.ts";
import type { EInvoiceCustomer } from "#worker/store/printing/e-invoices.ts";
import type { BranchIssuerRow } from "#worker/store/printing/letterhead.ts";

interface Context {
  readonly settings: Settings;
  readonly issuer: BranchIssuerRow | undefined;
  readonly language: PlatformLanguage;
}

/** Converts a stored document for an electronic invoice. Undefined for an internal bond. */
export function toEInvoiceSource(
  row: DocumentToPrintRow,
  printed: Pick<DocumentToPrint, "kind" | "taxes" | "legalRecord">,
  context: Context,
): DocumentForEInvoice | undefined {
  if (printed.kind === "internalBond") return undefined;
  const { settings, issuer, language } = context;
  const isCredit = printed.kind === "creditNote";
  return {
    form: FORMS[printed.kind],
    isAdvance: printed.kind === "advanceInvoice",
    serie: row.serie ?? "",
    number: row.number ?? undefined,
    date: row.date ?? "",
    dueDate: (isCredit ? undefined : row.dueDate) ?? undefined,
    currency: row.currency,
    ...fromSettings(settings),
    language,
    territory: issuer?.taxTerritory ?? "iva",
    concept: row.concept,
    referenceDates: row.referenceDates ?? undefined,
    reservation: row.bookingId === null ? undefined : String(row.bookingId),
    seller: toSeller(issuer, settings),
    buyer: toBuyer(row),
    details: row.einvoice.customer?.details ?? {},
    items: row.items,
    taxes: printed.taxes,
    // A credit note settles its invoice, which isn't a payment of the note.
    paidCents: isCredit ? 0 : row.totalPaidCents - row.creditedCents + row.agentCommissionPrepaidCents,
    preceding: listPreceding(row),
    creditReason: row.creditReason ?? undefined,
    recordUrl: printed.legalRecord?.address,
  };
}

const FORMS = {
  invoice: "full",
  advanceInvoice: "full",
  simplifiedInvoice: "simplified",
  creditNote: "credit_note",
} as const;

function toBuyer(row: DocumentToPrintRow): StoredParty {
  return {
    name: row.customerFullName,
    taxId: row.customerDocumentId ?? undefined,
    isPerson: row.customerType === "individual",
    street: joinStreet(row.customerAddressStreet, row.customerAddressNumber, row.customerAddressComplement),
    zip: row.customerAddressZip ?? undefined,
    city: row.customerAddressCity ?? undefined,
    state: row.customerAddressState ?? undefined,
    country: row.customerAddressCountry ?? undefined,
    ...toCustomerParty(row.customerFullName, row.einvoice.customer),
  };
}

/** Converts a document before it is issued. Undefined for an internal bond. */
export function toDraftEInvoiceSource(
  draft: DocumentDraft,
  date: string,
  customer: EInvoiceCustomer | undefined,
  { settings, issuer, language }: Context,
): DocumentForEInvoice | undefined {
  if (draft.form === "internal_bond") return undefined;
  const { address, ...person } = draft.customer;
  return {
    form: draft.form,
    isAdvance: draft.mode === "reservation_retainer",
    serie: "",
    number: undefined,
    date,
    dueDate: date,
    currency: draft.currency,
    ...fromSettings(settings),
    language,
    territory: issuer?.taxTerritory ?? "iva",
    concept: draft.concept,
    referenceDates: draft.referenceDates,
    reservation: draft.bookingId === undefined ? undefined : String(draft.bookingId),
    seller: toSeller(issuer, settings),
    buyer: {
      name: person.fullName,
      taxId: person.documentId,
      isPerson: person.type === "individual",
      street: joinStreet(address.street, address.number, address.complement),
      zip: address.zip,
      city: address.city,
      state: address.state,
      country: address.country,
      ...toCustomerParty(person.fullName, customer ?? null),
    },
    details: customer?.details ?? {},
    items: draft.items,
    taxes: draft.taxes.map((tax) => ({ ...tax, operation: getTaxRateOperation(settings, tax.vat) })),
    paidCents: draft.agentPrepaidCents,
    preceding: [],
    creditReason: draft.creditReason,
    recordUrl: undefined,
  };
}

/** Returns the operation of a tax rate by the account's codes. Undefined for a rate without a code. */
export const getTaxRateOperation = ({ taxRateCodes }: Pick<Settings, "taxRateCodes">, vat: BasisPoints) =>
  parseTaxRateCode(taxRateCodes[formatRateAsPercent(vat)] ?? "")?.operation;

const fromSettings = ({ currencyDecimals, iban }: Settings) => ({ currencyDecimals, iban });

function joinStreet(...parts: readonly (string | null | undefined)[]): string | undefined {
  return parts.filter(Boolean).join(" ") || undefined;
}

// The parts of a name are the customer's current ones, so they apply only if the document has the same name.
function toCustomerParty(
  fullName: string,
  customer: EInvoiceCustomer | null,
): Pick<StoredParty, "nameParts" | "email" | "phone"> {
  if (!customer) return { email: undefined, phone: undefined };
  const { name, surname, email, phone } = customer;
  const isSameName = foldText(`${name} ${surname}`.trim()) === foldText(fullName.trim());
  return {
    nameParts: isSameName && name.trim() && surname.trim() ? [name.trim(), surname.trim()] : undefined,
    email: email || undefined,
    phone: phone || undefined,
  };
}

function toSeller(issuer: BranchIssuerRow | undefined, { accountName, countryCode }: Settings): StoredParty {
  return {
    name: issuer?.companyName || accountName,
    taxId: issuer?.documentId ?? undefined,
    isPerson: false,
    street: issuer?.street ?? undefined,
    zip: issuer?.zip ?? undefined,
    city: issuer?.city ?? undefined,
    state: issuer?.state ?? undefined,
    country: issuer?.country ?? countryCode,
    email: issuer?.email ?? undefined,
    phone: issuer?.phoneNumber ?? undefined,
  };
}

function listPreceding(row: DocumentToPrintRow): readonly ReferencedDocument[] {
  const { correctedSerie: serie, correctedNumber: number, correctedDate: date, replaces, einvoice } = row;
  if (number !== null) return [{ serie, number, date }];
  const replaced = replaces.length > 0 || !einvoice.replaced ? replaces : [einvoice.replaced];
  return [...replaced, ...einvoice.advances];
}
