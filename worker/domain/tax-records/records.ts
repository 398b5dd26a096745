import type { CivilDate } from "#domain/dates.ts";

/** What names an invoice to the tax agency; `number` is its serie and number as printed. */
export interface InvoiceId {
  readonly issuer: string;
  readonly number: string;
  readonly date: CivilDate;
}

export type InvoiceType = "F1" | "F2" | "F3" | "R1" | "R2" | "R3" | "R4" | "R5";
export type Qualification = "S1" | "S2" | "N1" | "N2";
export type Exemption = "E1" | "E2" | "E3" | "E4" | "E5" | "E6" | "E7" | "E8";

/** What of an invoice is taxed alike; amounts and rates as they are written, `-12.50`. */
export interface TaxLine {
  /** 01 IVA, 02 IPSI, 03 IGIC. */
  readonly tax: "01" | "02" | "03";
  readonly regime?: string | undefined;
  readonly operation: Qualification | Exemption;
  readonly rate?: string | undefined;
  readonly base: string;
  readonly amount?: string | undefined;
}

/** Whom an invoice is made out to: by a Spanish tax number, or by another document of a country. */
export type Recipient =
  | { readonly name: string; readonly taxId: string }
  | { readonly name: string; readonly country: string; readonly idType: IdType; readonly id: string };

/** 02 VAT number, 03 passport, 04 document of the country, 06 another one, 07 not in the census. */
export type IdType = "02" | "03" | "04" | "06" | "07";

/** The installation that makes the records of an account. */
export interface RecordingSystem {
  readonly version: string;
  readonly installation: string;
  /** Whether the account makes records of several taxpayers. */
  readonly hasSeveralTaxpayers: boolean;
}

/** The record of an invoice. */
export interface Registration {
  readonly kind: "registration";
  readonly id: InvoiceId;
  readonly issuerName: string;
  readonly type: InvoiceType;
  /** What it corrects, by differences. */
  readonly corrected?: readonly InvoiceId[] | undefined;
  readonly replaced?: readonly InvoiceId[] | undefined;
  readonly description: string;
  readonly recipient?: Recipient | undefined;
  readonly lines: readonly TaxLine[];
  readonly taxTotal: string;
  readonly total: string;
  /** It says anew what a record before it said. */
  readonly amends?: true | undefined;
  /** The record before was refused: S, or there never was one: X. */
  readonly priorRefusal?: "S" | "X" | undefined;
  readonly system: RecordingSystem;
}

/** The record that an invoice should not have been. */
export interface Annulment {
  readonly kind: "annulment";
  readonly id: InvoiceId;
  /** The agency has no record of it. */
  readonly hasNoPrior?: true | undefined;
  readonly priorRefusal?: "S" | undefined;
  readonly system: RecordingSystem;
}

export type RecordContent = Registration | Annulment;

/** A record in its chain. */
export interface ChainedRecord {
  readonly content: RecordContent;
  readonly position: number;
  /** Of the record before it; nothing for the first one. */
  readonly previous: (InvoiceId & { readonly hash: string }) | undefined;
  /** With its offset: `2024-01-01T19:20:30+01:00`. */
  readonly generatedAt: string;
}

/**
 * The text whose hash a record carries: names and values in the agency's order, trimmed and not escaped, what is absent
 * empty.
 */
export function hashedText({ content, previous, generatedAt }: Omit<ChainedRecord, "position">): string {
  const { id } = content;
  const fields: readonly (readonly [string, string])[] =
    content.kind === "registration"
      ? [
          ["IDEmisorFactura", id.issuer],
          ["NumSerieFactura", id.number],
          ["FechaExpedicionFactura", toAgencyDate(id.date)],
          ["TipoFactura", content.type],
          ["CuotaTotal", content.taxTotal],
          ["ImporteTotal", content.total],
          ["Huella", previous?.hash ?? ""],
          ["FechaHoraHusoGenRegistro", generatedAt],
        ]
      : [
          ["IDEmisorFacturaAnulada", id.issuer],
          ["NumSerieFacturaAnulada", id.number],
          ["FechaExpedicionFacturaAnulada", toAgencyDate(id.date)],
          ["Huella", previous?.hash ?? ""],
          ["FechaHoraHusoGenRegistro", generatedAt],
        ];
  return fields.map(([name, value]) => `${name}=${value.trim()}`).join("&");
}

/** The names and values of a hashed text. */
export function hashedFields(text: string): Record<string, string> {
  // A value may hold an ampersand; no name of the agency's follows one by chance.
  return Object.fromEntries(
    text.split(/&(?=[A-Z][A-Za-z]+=)/).map((field) => {
      const at = field.indexOf("=");
      return [field.slice(0, at), field.slice(at + 1)];
    }),
  );
}

/** A date as the agency writes it: `01-01-2024`. */
export function toAgencyDate(date: string): string {
  const [year, month, day] = date.split("-");
  return `${day}-${month}-${year}`;
}
