// Data of imports, for both the command line and the office.

import type { ImportProblem, UndoProblem } from "./import-problems.ts";

export const IMPORT_ENCODINGS = [
  "utf-8",
  "utf-16le",
  "utf-16be",
  "windows-1252",
  "ibm850",
  "ibm437",
  "macintosh",
] as const;
export type ImportEncoding = (typeof IMPORT_ENCODINGS)[number];

export const CSV_SEPARATORS = [",", ";", "\t", "|"] as const;
export type CsvSeparator = (typeof CSV_SEPARATORS)[number];

/** User's format settings of a file, otherwise detected. */
export interface FileFormatSettings {
  readonly encoding?: ImportEncoding | undefined;
  readonly separator?: CsvSeparator | undefined;
  readonly decimal?: "." | "," | undefined;
  readonly dates?: "day" | "month" | undefined;
}

/** Company's mapping of its files. */
export interface ImportMapping {
  /** Table by name of a file or sheet. Null excludes it. */
  readonly files?: Readonly<Record<string, string | null>> | undefined;
  /** Field by heading, for each table. Null excludes it. */
  readonly columns?: Readonly<Record<string, Readonly<Record<string, string | null>>>> | undefined;
  /** Our value for each value in the company's files, by table and field. Null empties the cell. */
  readonly values?:
    | Readonly<Record<string, Readonly<Record<string, Readonly<Record<string, string | null>>>>>>
    | undefined;
}

/** Example text from a file, decoded with one of the possible encodings. */
export interface EncodingSample {
  readonly encoding: ImportEncoding;
  readonly example: string;
}

/** Problem with its position. Lines count from 1, including the headings. In JSON, objects are counted. */
export type ImportLineProblem = ImportProblem & {
  readonly file: string;
  readonly line: number;
  readonly field: string;
  /** Value in the file. */
  readonly value?: string;
};

/** File submitted by a user. */
export interface ImportFile {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly style: FileFormatSettings;
}

/** Files to import, with the user's mapping. */
export interface ImportFiles {
  readonly files: readonly ImportFile[];
  readonly mapping: ImportMapping;
}

/** Numbers of added, changed and unchanged rows of a file. */
export interface ImportedCounts {
  readonly file: string;
  readonly table: string;
  readonly added: number;
  readonly changed: number;
  readonly unchanged: number;
}

/** File, or sheet of a workbook, as interpreted. */
export interface CheckedImportFile {
  readonly file: string;
  /** Detected table. Undefined if unknown or excluded. */
  readonly table: string | undefined;
  readonly isLeftOut: boolean;
  /** Possible encodings if the letters don't decide. The first one was used. */
  readonly doubts: readonly EncodingSample[];
  /** Parts of the file that were left out. They don't prevent the import. */
  readonly warnings: readonly ImportProblem[];
  readonly style: { readonly [Name in keyof FileFormatSettings]-?: string | undefined } | undefined;
  readonly headings: readonly {
    readonly heading: string;
    readonly field: string | undefined;
    readonly isLeftOut: boolean;
  }[];
  readonly lines: number;
  readonly counts: Pick<ImportedCounts, "added" | "changed" | "unchanged"> | undefined;
  /** First rows, and rows with problems, as in the file. */
  readonly rows: readonly { readonly line: number; readonly cells: readonly string[] }[];
}

/** Effects of an import, and all its problems. */
export interface ImportCheck {
  readonly files: readonly CheckedImportFile[];
  /** The first of the problems. `problemCount` counts all of them. */
  readonly problems: readonly ImportLineProblem[];
  readonly problemCount: number;
}

/** Table that the office can import, with its columns. */
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

/** Maximum rows of an import in the office. Larger ones need the command line. */
export const MAX_IMPORT_ROWS = 5000;
/** Maximum rows of an account that can import in the office, because testing an import copies all of them. */
export const MAX_ACCOUNT_ROWS_FOR_IMPORT = 200_000;

/**
 * Tables that the office can import. Settings are a single row with a separate page and cross-checks. Records of users
 * and devices (histories, closings, damages, exchanges) are evidence of one deployment. Images are uploaded.
 */
export const OFFICE_IMPORT_TABLES: ReadonlySet<string> = new Set([
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

/** Reasons why an import wasn't tried. */
export type ImportRefusal =
  | { readonly kind: "importRunning" | "importUnavailable" }
  /** Other users changed the account before every write attempt. Nothing was written. */
  | { readonly kind: "importOvertaken" }
  | { readonly kind: "importTooLarge"; readonly of: "file" | "account"; readonly most: number };

/** Result of testing or running an import. */
export type ImportResult =
  | { readonly kind: "checked"; readonly check: ImportCheck }
  /** `id` is undefined if there was nothing to write. */
  | { readonly kind: "written"; readonly id: number | undefined; readonly files: readonly ImportedCounts[] }
  | ImportRefusal;

/** Result of undoing an import. */
export type UndoImportResult =
  | { readonly kind: "undone"; readonly removed: number; readonly restored: number }
  /** `reasons`: later changes to the imported rows. */
  | { readonly kind: "importNotUndoable"; readonly reasons: readonly UndoProblem[] }
  | ImportRefusal;

/** Result of restoring a backup into a separate database. */
export interface RestoreResult {
  readonly rows: number;
  readonly isWhole: boolean;
  readonly brokenReferences: number;
}

/** Backup to restore into another account, or into the account itself after it was emptied. */
export interface BackupSource {
  readonly account: string;
  /** Object name of the backup among those of its account. */
  readonly path: string;
}

/** Result of restoring a backup into an account. Except for `restored`, nothing was written. */
export type AccountRestoreResult =
  | {
      readonly kind: "restored";
      readonly rows: number;
      /** Secrets that no key of the deployment opens. They must be replaced. */
      readonly lostSecrets: number;
      /** Photos, signatures and files, which aren't part of a backup. */
      readonly files: number;
    }
  | { readonly kind: "accountNotEmpty" | "backupNotFound" | "backupDamaged" | "backupNewer" | "restoreRunning" }
  | { readonly kind: "backupTooLarge"; readonly most: number };

/**
 * Maximum rows of a backup that a Worker restores: as a backup check, or into an empty account. `npm run restore`
 * restores larger ones.
 */
export const MAX_RESTORED_ROWS = 300_000;
