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

/** By which mark the numbers of a file have their decimals; a number of three digits behind a mark decides nothing. */
export function decimalOf(numbers: Iterable<string>, separator: Separator | undefined): "." | "," {
  let [commas, points] = [0, 0];
  for (const cell of numbers) {
    const mark = /(?:^|\d)([.,])(?:\d{1,2}|\d{4,})\D*$/.exec(cell.trim())?.[1];
    if (mark === ",") commas += 1;
    if (mark === ".") points += 1;
  }
  if (commas !== points) return commas > points ? "," : ".";
  return separator === ";" ? "," : ".";
}

/** Whether days or months stand first in the dates of a file: days where no date decides it. */
export function dateOrderOf(dates: Iterable<string>): "day" | "month" {
  let [days, months] = [0, 0];
  for (const cell of dates) {
    const [, first, second] = /^\s*(\d{1,2})[/.-](\d{1,2})[/.-]\d{2,4}/.exec(cell) ?? [];
    if (Number(first) > 12) days += 1;
    if (Number(second) > 12) months += 1;
  }
  return months > days ? "month" : "day";
}

const SEPARATOR_WORDS: Readonly<Record<Separator, string>> = {
  ",": "commas",
  ";": "semicolons",
  "\t": "tabs",
  "|": "bars",
};

/** A style in words, as the command shows it. */
export function inWords({ encoding, doubts = [], separator, decimal, dates }: Style): string {
  return [
    doubts.length > 0 ? `${doubts.map(readingInWords).join(" or ")} (--encoding says which)` : encoding,
    ...(separator ? [`separated by ${SEPARATOR_WORDS[separator]}`] : []),
    `decimals by ${decimal === "," ? "comma" : "point"}`,
    `dates ${dates === "day" ? "31/12/2026" : "12/31/2026"} or 2026-12-31`,
  ].join(", ");
}

function readingInWords({ encoding, example }: Reading): string {
  return `${encoding} ("${example}")`;
}
