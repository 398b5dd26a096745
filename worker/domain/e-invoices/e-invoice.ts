import { normalizeIban } from "#domain/catalogue/iban.ts";
import type { PlatformLanguage } from "#domain/catalogue/languages.ts";
import type { TaxExemption, TaxQualification } from "#domain/catalogue/tax-operation.ts";
import type { TaxTerritory } from "#domain/catalogue/tax-territories.ts";
import type { CreditReason } from "#domain/documents/credit-reasons.ts";
import type { DocumentItem, TaxRateSums } from "#domain/documents/items.ts";
import type { BasisPoints, Cents } from "#domain/money.ts";
import { sumCents } from "#domain/money.ts";
import { getTaxOperationText } from "#domain/printing/tax-texts.ts";
import { isPersonalTaxNumber, parseSpanishTaxId } from "#domain/tax-records/tax-id.ts";
import { parseEuVatNumber } from "#domain/tax-records/vat-numbers.ts";
import { getExemptionReasonCode, getTaxCategory, needsExemptionReason, type TaxCategory } from "./categories.ts";
import type { EInvoiceDetails } from "./formats.ts";

/** SellingAccount or buyer as stored with a document. */
export interface StoredParty {
  readonly name: string;
  /** First name and surnames of a person, if known. */
  readonly nameParts?: readonly [name: string, surname: string] | undefined;
  readonly taxId: string | undefined;
  readonly isPerson: boolean;
  readonly street: string | undefined;
  readonly zip: string | undefined;
  readonly city: string | undefined;
  readonly state: string | undefined;
  readonly country: string | undefined;
  readonly email: string | undefined;
  readonly phone: string | undefined;
}

/** Other document that an invoice names: the corrected or replaced one, or a deducted advance. */
export interface ReferencedDocument {
  readonly serie: string | null;
  readonly number: number | null;
  readonly date: string | null;
}

/** Document to convert, independent of its storage. A draft has no number. */
export interface DocumentForEInvoice {
  readonly form: "full" | "simplified" | "credit_note";
  readonly isAdvance: boolean;
  readonly serie: string;
  readonly number: number | undefined;
  readonly date: string;
  readonly dueDate: string | undefined;
  readonly currency: string;
  readonly currencyDecimals: number;
  readonly language: PlatformLanguage;
  readonly territory: TaxTerritory;
  readonly concept: string;
  /** `2026-05-03 10:00 - 2026-05-06 10:00` */
  readonly referenceDates: string | undefined;
  readonly reservation: string | undefined;
  readonly seller: StoredParty;
  readonly iban: string | undefined;
  readonly buyer: StoredParty;
  readonly details: EInvoiceDetails;
  readonly items: readonly Pick<DocumentItem, "concept" | "quantity" | "vat" | "subtotalCents" | "taxesCents">[];
  readonly taxes: readonly (Pick<TaxRateSums, "vat" | "subtotalCents" | "taxesCents"> & {
    readonly operation?: TaxQualification | TaxExemption | undefined;
  })[];
  readonly paidCents: Cents;
  readonly preceding: readonly ReferencedDocument[];
  readonly creditReason: CreditReason | undefined;
  /** URL in the tax record's QR code. */
  readonly recordUrl: string | undefined;
}

/** SellingAccount or buyer of an electronic invoice. */
export interface EInvoiceParty extends Omit<StoredParty, "taxId"> {
  /** Tax number without separators. */
  readonly taxId: string | undefined;
  /** The tax number as a VAT number, with its country. */
  readonly vatNumber: string | undefined;
  readonly endpoint: { readonly scheme: string; readonly id: string } | undefined;
}

/** Tax category of EN 16931 with its rate. */
export interface TaxCategoryAndRate {
  readonly category: TaxCategory;
  readonly rate: BasisPoints;
}

export interface InvoiceLine extends TaxCategoryAndRate {
  readonly concept: string;
  readonly quantity: number;
  /** Amount of the line without tax. */
  readonly netCents: Cents;
  readonly taxCents: Cents;
}

/** Base and tax of one category and rate, with the reason for an exemption. */
export interface TaxSubtotal extends TaxCategoryAndRate {
  readonly baseCents: Cents;
  readonly taxCents: Cents;
  readonly reason: string | undefined;
  readonly reasonCode: string | undefined;
}

/** Electronic invoice before it is written in a format. Amounts have the sign of the document. */
export interface EInvoice extends Omit<DocumentForEInvoice, "seller" | "buyer" | "items" | "taxes" | "referenceDates"> {
  readonly name: string;
  readonly period: { readonly from: string; readonly to: string } | undefined;
  readonly seller: EInvoiceParty;
  readonly buyer: EInvoiceParty;
  readonly lines: readonly InvoiceLine[];
  readonly taxes: readonly TaxSubtotal[];
  readonly netCents: Cents;
  readonly taxCents: Cents;
  readonly totalCents: Cents;
  /** Due now: the total less what is paid. */
  readonly dueCents: Cents;
}

/** Converts a document to an electronic invoice. Omits lines without quantity and amount. */
export function toEInvoice(document: DocumentForEInvoice): EInvoice {
  const { items, taxes, territory, language, referenceDates, seller, buyer, details, ...same } = document;
  const getKind = (vat: BasisPoints): TaxCategoryAndRate => {
    const category = getTaxCategory(territory, vat, taxes.find((tax) => tax.vat === vat)?.operation);
    return { category, rate: vat };
  };
  const lines = items
    .filter(({ quantity, subtotalCents, taxesCents }) => quantity !== 0 || subtotalCents !== 0 || taxesCents !== 0)
    .map(({ concept, quantity, vat, subtotalCents: netCents, taxesCents: taxCents }) => ({
      ...getKind(vat),
      // The quantity has the sign of the line, because unit prices are never negative.
      ...{ concept, quantity: Math.abs(quantity || 1) * (netCents + taxCents < 0 ? -1 : 1), netCents, taxCents },
    }));
  const subtotals = taxes.map(({ vat, operation, subtotalCents: baseCents, taxesCents: taxCents }) => {
    const kind = getKind(vat);
    const isReasoned = operation !== undefined && needsExemptionReason(kind.category);
    return {
      ...kind,
      ...{ baseCents, taxCents },
      reason: isReasoned ? getTaxOperationText(operation, territory, language) : undefined,
      reasonCode: getExemptionReasonCode(kind.category),
    };
  });
  const netCents = sumCents(lines.map((line) => line.netCents));
  const taxCents = sumCents(subtotals.map((subtotal) => subtotal.taxCents));
  return {
    ...same,
    ...{ territory, language, details, lines, taxes: subtotals, netCents, taxCents },
    iban: document.iban && normalizeIban(document.iban),
    name: [document.serie, document.number].filter((part) => part !== "" && part !== undefined).join("/"),
    period: parsePeriod(referenceDates),
    seller: toParty(seller, undefined),
    buyer: toParty(buyer, details.endpoint),
    totalCents: netCents + taxCents,
    dueCents: netCents + taxCents - document.paidCents,
  };
}

/** Returns the days of a document's reference dates. Undefined if it has none or they are reversed. */
function parsePeriod(text: string | undefined): { readonly from: string; readonly to: string } | undefined {
  const [, from, to] = /^(\d{4}-\d{2}-\d{2})\D.*?(\d{4}-\d{2}-\d{2})\b/.exec(text ?? "") ?? [];
  return from !== undefined && to !== undefined && from <= to ? { from, to } : undefined;
}

/**
 * Returns the day of the operation, if it's earlier than the day of issue: the end of an invoiced rental. An advance
 * and a credit note have none of their own.
 */
export function getRentalEndBeforeIssue({
  form,
  isAdvance,
  date,
  referenceDates,
}: {
  readonly form: string;
  readonly isAdvance: boolean;
  readonly date: string | null | undefined;
  readonly referenceDates: string | null | undefined;
}): string | undefined {
  if (form === "credit_note" || isAdvance || !date) return undefined;
  const end = parsePeriod(referenceDates ?? undefined)?.to;
  return end !== undefined && end < date ? end : undefined;
}

function toParty(party: StoredParty, endpoint: string | undefined): EInvoiceParty {
  const taxId = party.taxId?.trim() || undefined;
  const spanish = taxId && parseSpanishTaxId(taxId);
  const union = taxId ? parseEuVatNumber(taxId) : undefined;
  const vatNumber = spanish ? `ES${spanish}` : union?.number;
  return {
    ...party,
    country: party.country?.trim().toUpperCase() || undefined,
    taxId: spanish || union?.number || taxId,
    vatNumber,
    isPerson: spanish ? isPersonalTaxNumber(spanish) : party.isPerson,
    endpoint: parseElectronicAddress(endpoint) ?? (spanish ? { scheme: SPANISH_VAT, id: `ES${spanish}` } : undefined),
  };
}

/** Scheme of Spanish VAT numbers in the European list of electronic addresses. */
const SPANISH_VAT = "9920";

/** Parses an electronic address: a scheme of four digits, or EM for e-mail, and the address. */
export function parseElectronicAddress(
  text: string | undefined,
): { readonly scheme: string; readonly id: string } | undefined {
  const [, scheme, id] = /^(\d{4}|EM):(\S{1,80})$/.exec(text?.trim() ?? "") ?? [];
  return scheme !== undefined && id !== undefined ? { scheme, id } : undefined;
}
