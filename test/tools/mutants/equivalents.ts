/** Mutant that no test can notice, or that isn't worth a test. */
export interface EquivalentMutant {
  readonly file: string;
  /** Line of the source on which the mutant begins, without indentation. */
  readonly line: string;
  /** Source text that the mutant replaces, without line breaks and indentation. */
  readonly text: string;
  readonly replacement: string;
  readonly reason: string;
}

/** Survivors that were examined. They don't count as not noticed. */
export const EQUIVALENT_MUTANTS: readonly EquivalentMutant[] = [
  {
    file: "worker/domain/bookings/excess.ts",
    line: "if (reductions.length === 0) return [];",
    text: "reductions.length === 0",
    replacement: "false",
    reason: "Without reductions every line stays as it is, so the rest of the function returns no line either.",
  },
  {
    file: "worker/domain/payments/entered-refunds.ts",
    line: 'const fold = (text: string): string => text.replace(/[^\\p{L}\\p{N}]/gu, "").toUpperCase();',
    text: 'text.replace(/[^\\p{L}\\p{N}]/gu, "").toUpperCase()',
    replacement: 'text.replace(/[^\\p{L}\\p{N}]/gu, "").toLowerCase()',
    reason: "Folded numbers are only compared with each other.",
  },
  {
    file: "worker/domain/reporting/reports.ts",
    line: "return sumRowsByPeriodAndGroup(rows, by, { from: first, to: range.to }).filter(",
    text: "{ from: first, to: range.to }",
    replacement: "{}",
    reason: "The rows were made from the range, so none is outside of it.",
  },
  {
    file: "worker/domain/catalogue/names.ts",
    line: '.reduce((longest, name) => (name.length > longest.length ? name : longest), "");',
    text: "name.length > longest.length",
    replacement: "name.length >= longest.length",
    reason: "Two names of the same length that begin the same text are the same name.",
  },
  {
    file: "worker/domain/catalogue/names.ts",
    line: '.filter((name) => name !== "" && agreedName.startsWith(name))',
    text: 'name !== ""',
    replacement: "true",
    reason: "An empty name is never longer than the longest one, which is empty at first.",
  },
  {
    file: "worker/domain/catalogue/names.ts",
    line: '.filter((name) => name !== "" && agreedName.startsWith(name))',
    text: '""',
    replacement: '"Stryker was here!"',
    reason: "An empty name is never longer than the longest one, which is empty at first.",
  },
  {
    file: "worker/domain/payments/card-holds.ts",
    line: "return RANK[event] > RANK[status] ? event : status;",
    text: "RANK[event] > RANK[status]",
    replacement: "RANK[event] >= RANK[status]",
    reason: "Each state has its own rank, so states of the same rank are the same state.",
  },
  {
    file: "worker/gateways/protocol.ts",
    line: 'typeof value === "string" && Object.hasOwn(protocol.merchant, name) && protocol.merchant[name]?.test(value);',
    text: "protocol.merchant[name]?.test",
    replacement: "protocol.merchant[name].test",
    reason: "TypeScript needs the check. The member exists at this point.",
  },
];

/** Returns a source text in one line, to compare it after its file was formatted. */
export function toOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}

/** Returns the text between two positions of a file. Lines and columns count from 1, the end is excluded. */
export function extractSourceText(
  source: string,
  start: { readonly line: number; readonly column: number },
  end: { readonly line: number; readonly column: number },
): string {
  const lines = source.split("\n").slice(start.line - 1, end.line);
  const last = lines.length - 1;
  return lines
    .map((line, index) => line.slice(index === 0 ? start.column - 1 : 0, index === last ? end.column - 1 : undefined))
    .join("\n");
}
