import type { TaxExemption, TaxQualification } from "#domain/catalogue/tax-operation.ts";
import type { CivilDate } from "#domain/dates.ts";

/** Identifies an invoice to the tax agency. `number` is the printed series and number. */
export interface InvoiceId {
  readonly issuer: string;
  readonly number: string;
  readonly date: CivilDate;
}

/** Type of an invoice in the tax agency's list: F1 full, F2 simplified, F3 full in exchange, R1 to R5 corrections. */
export type InvoiceType = "F1" | "F2" | "F3" | "R1" | "R2" | "R3" | "R4" | "R5";

/** Part of an invoice with uniform taxation. Amounts and rates are written like `-12.50`. */
export interface TaxLine {
  /** 01 IVA, 02 IPSI, 03 IGIC. */
  readonly tax: "01" | "02" | "03";
  readonly regime?: string | undefined;
  readonly operation: TaxQualification | TaxExemption;
  readonly rate?: string | undefined;
  readonly base: string;
  readonly amount?: string | undefined;
}

/** Recipient of an invoice: by a Spanish tax number, or by another document with its country. */
export type Recipient =
  | { readonly name: string; readonly taxId: string }
  | { readonly name: string; readonly country: string; readonly idType: RecipientIdType; readonly id: string };

/** 02 VAT number, 03 passport, 04 document of the country, 06 another one, 07 not in the census. */
export type RecipientIdType = "02" | "03" | "04" | "06" | "07";

/** Installation that creates the records of an account. */
export interface RecordingSystem {
  readonly version: string;
  readonly installation: string;
  /** Whether the account creates records of several taxpayers. */
  readonly hasSeveralTaxpayers: boolean;
}

/** Tax record that registers an invoice at the tax agency. */
export interface RegistrationRecord {
  readonly kind: "registration";
  readonly id: InvoiceId;
  readonly issuerName: string;
  readonly type: InvoiceType;
  /** Invoices corrected by differences. */
  readonly corrected?: readonly InvoiceId[] | undefined;
  readonly replaced?: readonly InvoiceId[] | undefined;
  readonly description: string;
  readonly recipient?: Recipient | undefined;
  readonly lines: readonly TaxLine[];
  readonly taxTotal: string;
  readonly total: string;
  /** Whether the record amends an earlier one. */
  readonly amends?: true | undefined;
  /** S if the previous record was refused, X if there was none. */
  readonly priorRefusal?: "S" | "X" | undefined;
  readonly system: RecordingSystem;
}

/** Tax record that annuls a registered invoice. */
export interface AnnulmentRecord {
  readonly kind: "annulment";
  readonly id: InvoiceId;
  /** Whether the agency has no record of the invoice. */
  readonly hasNoPrior?: true | undefined;
  readonly priorRefusal?: "S" | undefined;
  readonly system: RecordingSystem;
}

export type TaxRecordContent = RegistrationRecord | AnnulmentRecord;

/** Tax record with its position in the issuer's hash chain. */
export interface ChainedTaxRecord {
  readonly content: TaxRecordContent;
  readonly position: number;
  /** Data of the previous record. Undefined for the first one. */
  readonly previous: (InvoiceId & { readonly hash: string }) | undefined;
  /** With its offset: `2024-01-01T19:20:30+01:00`. */
  readonly generatedAt: string;
}

/**
 * Returns the text for a record's hash: names and values in the agency's order, trimmed and unescaped, with empty
 * values for absent fields.
 */
export function createTextToHash({ content, previous, generatedAt }: Omit<ChainedTaxRecord, "position">): string {
  const { id } = content;
  const fields: readonly (readonly [string, string])[] =
    content.kind === "registration"
      ? [
          ["IDEmisorFactura", id.issuer],
          ["NumSerieFactura", id.number],
          ["FechaExpedicionFactura", toTaxAgencyDate(id.date)],
          ["TipoFactura", content.type],
          ["CuotaTotal", content.taxTotal],
          ["ImporteTotal", content.total],
          ["Huella", previous?.hash ?? ""],
          ["FechaHoraHusoGenRegistro", generatedAt],
        ]
      : [
          ["IDEmisorFacturaAnulada", id.issuer],
          ["NumSerieFacturaAnulada", id.number],
          ["FechaExpedicionFacturaAnulada", toTaxAgencyDate(id.date)],
          ["Huella", previous?.hash ?? ""],
          ["FechaHoraHusoGenRegistro", generatedAt],
        ];
  return fields.map(([name, value]) => `${name}=${value.trim()}`).join("&");
}

/** Parses the names and values of a hashed text. */
export function parseHashedText(text: string): Record<string, string> {
  // A value may contain an ampersand, but the agency's field names don't follow one by chance.
  return Object.fromEntries(
    text.split(/&(?=[A-Z][A-Za-z]+=)/).map((field) => {
      const at = field.indexOf("=");
      return [field.slice(0, at), field.slice(at + 1)];
    }),
  );
}

/** Formats a date for the agency: `01-01-2024`. */
export function toTaxAgencyDate(date: string): string {
  const [year, month, day] = date.split("-");
  return `${day}-${month}-${year}`;
}
