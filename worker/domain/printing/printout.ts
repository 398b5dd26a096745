import type { PlatformLanguage } from "#domain/catalogue/languages.ts";

/** An image in base64, by what its bytes are. */
export interface PrintedImage {
  readonly type: "png" | "jpeg";
  readonly base64: string;
}

/** Whose paper it is: the head and the foot of each page. */
export interface Letterhead {
  readonly name: string;
  /** Address, tax id, telephone: a line each. */
  readonly lines: readonly string[];
  /** `#rrggbb` */
  readonly color: string;
  readonly logo: PrintedImage | undefined;
  readonly foot: string;
}

export interface TableColumn {
  readonly title: string;
  /** Numbers stand to the right. The first column to the left takes the room that is left. */
  readonly align: "left" | "right";
}

/** A mark on the drawing of a vehicle, in thousandths of it. */
export interface VehicleMark {
  readonly x: number;
  readonly y: number;
  readonly label: string;
  readonly isNew: boolean;
}

export interface PrintedSignature {
  readonly role: string;
  readonly name: string;
  /** When and how it was signed. */
  readonly detail: string;
  readonly image: PrintedImage | undefined;
}

/** One block of a printout, from top to bottom. */
export type Block =
  | { readonly kind: "title"; readonly text: string; readonly facts: readonly Fact[] }
  /** Small: of a paragraph in small print. */
  | { readonly kind: "heading"; readonly text: string; readonly isSmall?: boolean }
  | { readonly kind: "paragraph"; readonly text: string; readonly isSmall: boolean }
  | {
      readonly kind: "parties";
      readonly parties: readonly { readonly title: string; readonly lines: readonly string[] }[];
    }
  | { readonly kind: "facts"; readonly facts: readonly Fact[] }
  | {
      readonly kind: "table";
      readonly columns: readonly TableColumn[];
      readonly rows: readonly (readonly string[])[];
      /** The sum of the rows so far, one for each row: carried over where a page ends. */
      readonly carried: readonly string[] | undefined;
    }
  | { readonly kind: "sums"; readonly sums: readonly (Fact & { readonly isStrong: boolean })[] }
  | { readonly kind: "vehicle"; readonly marks: readonly VehicleMark[]; readonly legend: readonly string[] }
  | { readonly kind: "signatures"; readonly signatures: readonly PrintedSignature[] }
  /** What a law wants on a paper: a code to scan, with its words. */
  | { readonly kind: "record"; readonly address: string; readonly above: string; readonly below: string }
  | { readonly kind: "newPage" };

export interface Fact {
  readonly label: string;
  readonly value: string;
}

/** What is printed of a document, a contract or a charge: blocks, before they have a place on a page. */
export interface Printout {
  readonly title: string;
  readonly language: PlatformLanguage;
  /** Where the company is: how large its paper is, and how it writes letters that several countries share. */
  readonly country: string;
  /** Of what is printed, epoch ms: the date in the file, so that the same printout has the same bytes. */
  readonly at: number;
  readonly letterhead: Letterhead;
  /** Across each page of what is not valid: "DRAFT". */
  readonly stamp: string | undefined;
  readonly words: { readonly page: string; readonly carriedOver: string };
  readonly blocks: readonly Block[];
}
