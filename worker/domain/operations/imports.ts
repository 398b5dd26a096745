// What is known of an import wherever it is done: by a command, or in the office.

export const ENCODINGS = ["utf-8", "utf-16le", "utf-16be", "windows-1252", "ibm850", "ibm437", "macintosh"] as const;
export type Encoding = (typeof ENCODINGS)[number];

export const SEPARATORS = [",", ";", "\t", "|"] as const;
export type Separator = (typeof SEPARATORS)[number];

/** What a person says of a file, where it is not to be found out. */
export interface KnownStyle {
  readonly encoding?: Encoding | undefined;
  readonly separator?: Separator | undefined;
  readonly decimal?: "." | "," | undefined;
  readonly dates?: "day" | "month" | undefined;
}

/** What a company says of its own files. */
export interface Mapping {
  /** Table by the name of a file or a sheet; null: not imported. */
  readonly files?: Readonly<Record<string, string | null>> | undefined;
  /** Field by heading, for each table; null: not imported. */
  readonly columns?: Readonly<Record<string, Readonly<Record<string, string | null>>>> | undefined;
}

/** How some place of a file reads in an encoding. */
export interface Reading {
  readonly encoding: Encoding;
  readonly example: string;
}

/** Why something cannot be taken, and what would be right. */
export interface Problem {
  readonly problem: string;
  readonly remedy?: string;
}

/**
 * Something that cannot be taken, where it stands. Lines count from 1, the headings being the first; of JSON, the
 * objects.
 */
export interface BadLine extends Problem {
  readonly file: string;
  readonly line: number;
  readonly field: string;
  /** What the file says there. */
  readonly value?: string;
}

/** A file as somebody of the company gives it. */
export interface ImportFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly style: KnownStyle;
}

export interface ImportFiles {
  readonly files: readonly ImportFile[];
  readonly mapping: Mapping;
}

/** What became of a file's rows. */
export interface ImportedCounts {
  readonly file: string;
  readonly table: string;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
}

/** A file, or a sheet of a workbook, as it was understood. */
export interface CheckedFile {
  readonly file: string;
  /** What it is taken for; undefined where nobody knows, or it is left out. */
  readonly table: string | undefined;
  readonly isLeftOut: boolean;
  /** In which it may be written, where its letters do not decide it: the one that was taken first. */
  readonly doubts: readonly Reading[];
  readonly style: { readonly [Name in keyof KnownStyle]-?: string | undefined } | undefined;
  readonly headings: readonly {
    readonly heading: string;
    readonly field: string | undefined;
    readonly isLeftOut: boolean;
  }[];
  readonly lines: number;
  readonly counts: Pick<ImportedCounts, "added" | "changed" | "unchanged"> | undefined;
  /** The first rows, and those with problems, as the file has them. */
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
}

/** What an import would do, and all that is wrong with it. */
export interface ImportCheck {
  readonly files: readonly CheckedFile[];
  /** The first of them. */
  readonly problems: readonly BadLine[];
  readonly problemCount: number;
}

/** A table that the office imports, and what its files may say. */
export interface ImportTable {
  readonly name: string;
  readonly fields: readonly {
    readonly field: string;
    readonly kind: string;
    readonly names: string | undefined;
    readonly isRequired: boolean;
    readonly words: readonly string[];
  }[];
}

/** Rows of one import in the office: more are for the command line. */
export const MAX_IMPORT_ROWS = 5000;
/** Rows that an account may have for it: trying an import copies all of them. */
export const MAX_ACCOUNT_ROWS = 200_000;

/**
 * What the office imports. Settings are one row that has a page, with what each may be beside the others; what people
 * and phones did (histories, closings, damages, exchanges) is evidence of one deployment, and pictures are uploaded.
 */
export const OFFICE_IMPORTS: ReadonlySet<string> = new Set([
  ...["classifiers", "sales_channels", "branch_groups", "branches", "opening_hours", "closed_dates"],
  ...["pickup_places", "return_places", "one_way_fees", "repatriations"],
  ...["families", "categories", "vehicles", "vehicle_blocks"],
  ...["seasons", "season_periods", "tariffs", "tariff_brackets", "offers", "promotion_codes", "extras", "extra_stocks"],
  ...["driver_age_rules", "selling_rules", "cancellation_terms", "translations", "letterhead", "contract_terms"],
  ...["agencies", "agents", "customers"],
  ...["bookings", "booking_lines", "booking_units", "booking_extras", "charges"],
  ...["number_series", "documents", "document_items", "document_taxes"],
  ...["transfer_zones", "transfer_points", "transfer_vehicles", "transfer_prices", "transfer_extras"],
  ...["transfer_supplements", "transfer_bookings", "transfer_trips", "transfer_booking_extras"],
  "transfer_booking_supplements",
  ...["expense_accounts", "expense_concepts", "expenses"],
]);

/** Why nothing was tried. */
export type ImportRefusal =
  | { readonly kind: "importRunning" | "importUnavailable" }
  /** Others changed the account each time before it was written: nothing was. */
  | { readonly kind: "importOvertaken" }
  | { readonly kind: "importTooLarge"; readonly of: "file" | "account"; readonly most: number };

/** What came of trying, or doing, an import. */
export type Tried =
  | { readonly kind: "checked"; readonly check: ImportCheck }
  /** Without a number where there was nothing to write. */
  | { readonly kind: "written"; readonly id: number | undefined; readonly files: readonly ImportedCounts[] }
  | ImportRefusal;

/** What came of taking an import back. */
export type UndoImportResult =
  | { readonly kind: "undone"; readonly removed: number; readonly restored: number }
  /** Why not, by what others have done with its rows since. */
  | { readonly kind: "importNotUndoable"; readonly reasons: readonly string[] }
  | ImportRefusal;

/** What restoring a backup into a database of its own found. */
export interface Restored {
  readonly rows: number;
  readonly isWhole: boolean;
  readonly brokenReferences: number;
}
