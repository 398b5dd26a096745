import type { CsvSeparator, EncodingSample, ImportEncoding } from "#domain/operations/imports.ts";

/** Encoding, separator, and number and date formats of an import file. */
export interface FileFormat {
  readonly encoding: ImportEncoding | "workbook" | "json";
  /** Possible encodings if the content is ambiguous. The first one was used. */
  readonly doubts?: readonly EncodingSample[];
  readonly separator: CsvSeparator | undefined;
  readonly decimal: "." | ",";
  /** First part of dates that aren't written like 2026-12-31. */
  readonly dates: "day" | "month";
}

const FINEST = 3;

/** Numbers of a file: those without currency, and amounts with their currency's decimals. */
export interface ImportNumberCells {
  readonly plain: Iterable<string>;
  readonly amounts: Iterable<string>;
  readonly currencyDecimals: number;
}

/**
 * Detects the decimal mark of a file's numbers. Three digits after a single mark are ambiguous except in amounts. They
 * are decimals if the currency has three, and thousands if it has none.
 */
export function detectDecimalMark(
  { plain, amounts, currencyDecimals }: ImportNumberCells,
  separator: CsvSeparator | undefined,
): "." | "," {
  const votes = [
    ...Array.from(plain, decided),
    ...Array.from(amounts, (cell) => decided(cell) ?? decidedByCurrency(cell, currencyDecimals)),
  ];
  const [commas, points] = [",", "."].map((mark) => votes.filter((vote) => vote === mark).length);
  if (commas !== points) return Number(commas) > Number(points) ? "," : ".";
  return separator === ";" ? "," : ".";
}

function decided(cell: string): string | undefined {
  return /(?:^|\d)([.,])(?:\d{1,2}|\d{4,})\D*$/.exec(cell.trim())?.[1];
}

function decidedByCurrency(cell: string, currencyDecimals: number): string | undefined {
  const mark = /^\D*\d+([.,])\d{3}\D*$/.exec(cell.trim())?.[1];
  if (currencyDecimals === FINEST) return mark;
  return currencyDecimals === 0 && mark ? otherMark(mark) : undefined;
}

function otherMark(mark: string): string {
  return mark === "." ? "," : ".";
}

/** Detects whether days or months come first in a file's dates. Defaults to days. */
export function detectDateOrder(dates: Iterable<string>): "day" | "month" {
  let [days, months] = [0, 0];
  for (const cell of dates) {
    const [, first, second] = /^\s*(\d{1,2})[/.-](\d{1,2})[/.-]\d{2,4}/.exec(cell) ?? [];
    if (Number(first) > 12) days += 1;
    if (Number(second) > 12) months += 1;
  }
  return months > days ? "month" : "day";
}

const SEPARATOR_NAMES: Readonly<Record<CsvSeparator, string>> = {
  ",": "commas",
  ";": "semicolons",
  "\t": "tabs",
  "|": "bars",
};

/** Describes a format for the command line. */
export function describeFileFormat({ encoding, doubts = [], separator, decimal, dates }: FileFormat): string {
  return [
    doubts.length > 0 ? `${doubts.map(describeReading).join(" or ")} (--encoding says which)` : encoding,
    ...(separator ? [`separated by ${SEPARATOR_NAMES[separator]}`] : []),
    `decimals by ${decimal === "," ? "comma" : "point"}`,
    `dates ${dates === "day" ? "31/12/2026" : "12/31/2026"} or 2026-12-31`,
  ].join(", ");
}

function describeReading({ encoding, example }: EncodingSample): string {
  return `${encoding} ("${example}")`;
}
