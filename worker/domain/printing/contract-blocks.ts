import { hasTooManyAccents, MAX_PRINTED_LABEL_LENGTH } from "./print-limits.ts";
import type { DamageMark, PrintoutBlock } from "./printout.ts";

/** Maximum length of a stored contract text, in UTF-8 bytes. */
export const MAX_CONTRACT_BYTES = 200_000;

/** Maximum number of lines of a printed contract text, about 90 pages. */
export const MAX_CONTRACT_LINES = 5_000;

/** Whether a contract text is small enough to be printed: its lines, their letters, and the accents of a letter. */
export function hasPrintableSize(text: string): boolean {
  let lines = 0;
  for (let from = 0, to = text.indexOf("\n"); to >= 0; from = to + 1, to = text.indexOf("\n", from)) {
    lines++;
    if (lines > MAX_CONTRACT_LINES) return false;
    if (to - from > MAX_PRINTED_LABEL_LENGTH && !isParagraph(text.slice(from, to))) return false;
  }
  return !hasTooManyAccents(text);
}

// Conditions of a company may be one long paragraph.
const isParagraph = (line: string) => !line.startsWith("#") && !line.includes("\t");

/** Whether a text may be from `writeContractText` or `writeReturnRecord`: a title, and lines of one to three cells. */
export function hasContractTextFormat(text: string): boolean {
  return (
    text.startsWith("# ") &&
    text.endsWith("\n") &&
    !/[^\P{Cc}\t\n]/u.test(text) &&
    text.split("\n").every((line) => line.split("\t").length <= 3)
  );
}

/** Column headings of the price table in a printed contract. */
export interface ContractColumnHeadings {
  readonly description: string;
  readonly quantity: string;
  readonly amount: string;
}

type Line =
  | { readonly kind: "title"; readonly text: string }
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "paragraph"; readonly text: string }
  | { readonly kind: "fact"; readonly label: string; readonly value: string }
  | { readonly kind: "sum"; readonly label: string; readonly value: string }
  | { readonly kind: "price"; readonly cells: readonly string[] }
  | { readonly kind: "damage"; readonly text: string; readonly marks: readonly DamageMark[] };

/** Parses a contract's text into blocks for display and printing. */
export function parseContractBlocks(text: string, columns: ContractColumnHeadings): readonly PrintoutBlock[] {
  const blocks: PrintoutBlock[] = [];
  let group: Line[] = [];
  let isInTerms = false;
  const close = () => {
    blocks.push(...toBlocks(group, columns, isInTerms));
    group = [];
  };
  for (const line of text.split("\n").filter(Boolean).map(readLine)) {
    if (group[0] && !belongs(group[0], line)) close();
    group.push(line);
    // After the damage, only the conditions follow, in small print.
    if (line.kind === "heading" && blocks.some(({ kind }) => kind === "vehicle")) {
      close();
      isInTerms = true;
    }
  }
  close();
  return blocks;
}

function belongs(first: Line, line: Line): boolean {
  return first.kind === line.kind && ["fact", "sum", "price", "damage"].includes(line.kind);
}

function readLine(line: string): Line {
  if (line.startsWith("## ")) return { kind: "heading", text: line.slice(3) };
  if (line.startsWith("# ")) return { kind: "title", text: line.slice(2) };
  const cells = line.split("\t");
  const [first = "", second = "", third = ""] = cells;
  if (cells.length === 1) return { kind: "paragraph", text: first };
  if (cells.length === 2) return { kind: "fact", label: first, value: second };
  if (first === "=") return { kind: "sum", label: second, value: third };
  const number = /^[([](\d*)[)\]]$/.exec(first)?.[1];
  if (number === undefined) return { kind: "price", cells };
  const [x = Number.NaN, y = Number.NaN] = third.split(",").map(Number);
  const isMarked = number !== "" && isInDrawing(x) && isInDrawing(y);
  const mark = { x, y, label: number, isNew: first.startsWith("[") };
  return { kind: "damage", text: `${number} ${second}`.trim(), marks: isMarked ? [mark] : [] };
}

const isInDrawing = (thousandths: number) => thousandths >= 0 && thousandths <= 1000;

function toBlocks(group: readonly Line[], columns: ContractColumnHeadings, isSmall: boolean): readonly PrintoutBlock[] {
  const [first] = group;
  switch (first?.kind) {
    case undefined:
      return [];
    case "title":
      return [{ kind: "title", text: first.text, facts: [] }];
    case "heading":
      return [{ kind: "heading", text: first.text, isSmall }];
    case "paragraph":
      return [{ kind: "paragraph", text: first.text, isSmall }];
    case "fact":
      return [{ kind: "facts", facts: filterLines(group, "fact") }];
    case "sum":
      return [
        {
          kind: "sums",
          sums: filterLines(group, "sum").map(({ label, value }, index) => ({ label, value, isStrong: index === 0 })),
        },
      ];
    case "price":
      return [
        {
          kind: "table",
          columns: [
            { title: columns.description, align: "left" },
            { title: columns.quantity, align: "right" },
            { title: columns.amount, align: "right" },
          ],
          rows: filterLines(group, "price").map(({ cells }) => cells),
          carried: undefined,
        },
      ];
    case "damage": {
      const damages = filterLines(group, "damage");
      return [
        { kind: "vehicle", marks: damages.flatMap(({ marks }) => marks), legend: damages.map(({ text }) => text) },
      ];
    }
  }
}

type LineWithKind<Kind extends Line["kind"]> = Extract<Line, { readonly kind: Kind }>;

function filterLines<Kind extends "fact" | "sum" | "price" | "damage">(
  group: readonly Line[],
  kind: Kind,
): readonly LineWithKind<Kind>[] {
  return group.filter((line): line is LineWithKind<Kind> => line.kind === kind);
}
