import { MAX_IMPORT_ROWS } from "#domain/operations/imports.ts";

/** Maximum size of the files of an import. Reading ends at the first row, cell or byte above it. */
export interface FileLimits {
  /** Rows of all files, without headings. */
  readonly rows: number;
  readonly columns: number;
  /** Cells of all files, including empty ones before the last cell of a row. */
  readonly cells: number;
  /** Unpacked bytes of all workbooks. */
  readonly bytes: number;
}

/** Limits of the office. A table has fewer than 100 columns. */
const OFFICE_LIMITS: FileLimits = { rows: MAX_IMPORT_ROWS, columns: 400, cells: 600_000, bytes: 30_000_000 };

/** Limits of the command line, which runs on a computer that serves no other accounts. */
export const COMMAND_LINE_FILE_LIMITS: FileLimits = {
  rows: 1_000_000,
  columns: 400,
  cells: 100_000_000,
  bytes: 500_000_000,
};

export type FileLimit = "rows_too_many" | "columns_too_many" | "cells_too_many" | "workbook_too_large";

/** Ends the reading of a file that exceeds a limit. */
export class FileTooLargeError extends Error {
  readonly limit: FileLimit;

  constructor(limit: FileLimit) {
    super(limit);
    this.limit = limit;
  }
}

/** Remaining rows, cells and bytes that may be read from the files of an import. */
export class FileBudget {
  #rows: number;
  #cells: number;
  #bytes: number;
  #values: number;
  #characters: number;
  readonly columns: number;

  constructor(limits: FileLimits = OFFICE_LIMITS) {
    this.#rows = limits.rows;
    this.#cells = limits.cells;
    this.#bytes = limits.bytes;
    this.#characters = limits.bytes;
    // Allows ten more values per row, because a JSON cell may contain a short list.
    this.#values = limits.cells + 10 * limits.rows;
    this.columns = limits.columns;
  }

  /** Counts a row that isn't the headings. */
  takeRow(): void {
    if (--this.#rows < 0) throw new FileTooLargeError("rows_too_many");
  }

  /** Subtracts the cells of a row. Throws `FileTooLargeError` if the row or the file has too many. */
  takeCells(count: number): void {
    if (count > this.columns) throw new FileTooLargeError("columns_too_many");
    this.#cells -= count;
    if (this.#cells < 0) throw new FileTooLargeError("cells_too_many");
  }

  /** Counts a value of JSON: a member of a list or of an object. */
  takeValue(): void {
    if (--this.#values < 0) throw new FileTooLargeError("cells_too_many");
  }

  /** Counts the characters of a cell of a workbook, because thousands of cells may share a long text. */
  takeText(count: number): void {
    this.#characters -= count;
    if (this.#characters < 0) throw new FileTooLargeError("workbook_too_large");
  }

  /** Subtracts unpacked bytes from the budget. Throws `FileTooLargeError` if it is spent. */
  takeBytes(count: number): void {
    this.#bytes -= count;
    if (this.#bytes < 0) throw new FileTooLargeError("workbook_too_large");
  }
}
