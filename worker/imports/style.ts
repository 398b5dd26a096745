import type { Encoding, Reading, Separator } from "#domain/operations/imports.ts";

/** How a file writes what it says. */
export interface Style {
  readonly encoding: Encoding | "workbook" | "json";
  /** In which it may be written, where its letters do not decide it: the one that was taken first. */
  readonly doubts?: readonly Reading[];
  readonly separator: Separator | undefined;
  readonly decimal: "." | ",";
  /** What stands first in a date that is not written 2026-12-31. */
  readonly dates: "day" | "month";
}

const FINEST = 3;

/** The numbers of a file: those of no currency, and amounts with the decimals that theirs has. */
export interface Numbers {
  readonly plain: Iterable<string>;
  readonly amounts: Iterable<string>;
  readonly currencyDecimals: number;
}

/**
 * By which mark the numbers of a file have their decimals. Three digits behind the only mark decide nothing, but of
 * amounts: they are decimals where the currency has three, and thousands where it has none.
 */
export function detectDecimalMark(
  { plain, amounts, currencyDecimals }: Numbers,
  separator: Separator | undefined,
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

/** Whether days or months stand first in the dates of a file: days where no date decides it. */
export function detectDateOrder(dates: Iterable<string>): "day" | "month" {
  let [days, months] = [0, 0];
  for (const cell of dates) {
    const [, first, second] = /^\s*(\d{1,2})[/.-](\d{1,2})[/.-]\d{2,4}/.exec(cell) ?? [];
    if (Number(first) > 12) days += 1;
    if (Number(second) > 12) months += 1;
  }
  return months > days ? "month" : "day";
}

const SEPARATOR_NAMES: Readonly<Record<Separator, string>> = {
  ",": "commas",
  ";": "semicolons",
  "\t": "tabs",
  "|": "bars",
};

/** A style in words, as the command shows it. */
export function describeStyle({ encoding, doubts = [], separator, decimal, dates }: Style): string {
  return [
    doubts.length > 0 ? `${doubts.map(describeReading).join(" or ")} (--encoding says which)` : encoding,
    ...(separator ? [`separated by ${SEPARATOR_NAMES[separator]}`] : []),
    `decimals by ${decimal === "," ? "comma" : "point"}`,
    `dates ${dates === "day" ? "31/12/2026" : "12/31/2026"} or 2026-12-31`,
  ].join(", ");
}

function describeReading({ encoding, example }: Reading): string {
  return `${encoding} ("${example}")`;
}
