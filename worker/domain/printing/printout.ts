import type { PlatformLanguage } from "#domain/catalogue/languages.ts";

/** Limit for a logo or a signature. Each pixel takes four bytes of the printer's memory. */
export const MAX_PRINTED_PIXELS = 4_000_000;

/** Base64 image, with the type detected from its bytes. */
export interface PrintedImage {
  readonly type: "png" | "jpeg";
  readonly base64: string;
}

/** Header and footer of each page. */
export interface Letterhead {
  readonly name: string;
  /** Address, tax id and phone, one per line. */
  readonly lines: readonly string[];
  /** Color of the company's brand, `#rrggbb`. */
  readonly color: string;
  readonly logo: PrintedImage | undefined;
  readonly foot: string;
}

export interface TableColumn {
  readonly title: string;
  /** Numbers are right-aligned. The first left-aligned column gets the remaining width. */
  readonly align: "left" | "right";
}

/** Mark on the vehicle drawing, in thousandths of its size. */
export interface DamageMark {
  readonly x: number;
  readonly y: number;
  readonly label: string;
  readonly isNew: boolean;
}

export interface PrintedSignature {
  readonly role: string;
  readonly name: string;
  /** Time and method of the signature. */
  readonly detail: string;
  readonly image: PrintedImage | undefined;
}

/** Block of a printout, in order from top to bottom. */
export type PrintoutBlock =
  | { readonly kind: "title"; readonly text: string; readonly facts: readonly PrintoutLabelledValue[] }
  /** Small for headings of small print. */
  | { readonly kind: "heading"; readonly text: string; readonly isSmall?: boolean }
  | { readonly kind: "paragraph"; readonly text: string; readonly isSmall: boolean }
  | {
      readonly kind: "parties";
      readonly parties: readonly { readonly title: string; readonly lines: readonly string[] }[];
    }
  | { readonly kind: "facts"; readonly facts: readonly PrintoutLabelledValue[] }
  | {
      readonly kind: "table";
      readonly columns: readonly TableColumn[];
      readonly rows: readonly (readonly string[])[];
      /** Running total for each row, carried over at page ends. */
      readonly carried: readonly string[] | undefined;
    }
  | { readonly kind: "sums"; readonly sums: readonly (PrintoutLabelledValue & { readonly isStrong: boolean })[] }
  | { readonly kind: "vehicle"; readonly marks: readonly DamageMark[]; readonly legend: readonly string[] }
  | { readonly kind: "signatures"; readonly signatures: readonly PrintedSignature[] }
  /** Legally required code to scan, with its texts. */
  | { readonly kind: "record"; readonly address: string; readonly above: string; readonly below: string }
  | { readonly kind: "newPage" };

/** Label and value in a printout's list of facts. */
export interface PrintoutLabelledValue {
  readonly label: string;
  readonly value: string;
}

/** Printout of a document, contract or charge: blocks without page positions. */
export interface Printout {
  readonly title: string;
  readonly language: PlatformLanguage;
  /** Country of the company. It selects the paper format and the variant of shared letters. */
  readonly country: string;
  /**
   * Date of the printed document, epoch ms. Used as the file's date, so that the same printout gives the same bytes.
   */
  readonly at: number;
  readonly letterhead: Letterhead;
  /** Printed across each page of an invalid document: "DRAFT". */
  readonly stamp: string | undefined;
  readonly words: { readonly page: string; readonly carriedOver: string; readonly tooLong: string };
  readonly blocks: readonly PrintoutBlock[];
  /** Electronic invoice to embed (Factur-X). The file then has the structure of PDF/A-3. */
  readonly invoiceXml?: string | undefined;
}
