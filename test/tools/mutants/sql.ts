import { toOneLine } from "./equivalents.ts";

/** A small change of a trigger's SQL. */
export interface SqlMutant {
  readonly trigger: string;
  /** Changed text, in one line. */
  readonly text: string;
  /** Changed text with its surroundings, in one line. */
  readonly place: string;
  readonly replacement: string;
  readonly sql: string;
}

/** Operators with the ones that replace them. Longer ones first. */
const OPERATORS: readonly (readonly [RegExp, string])[] = [
  [/\bNOT EXISTS\b/g, "EXISTS"],
  [/(?<!\bNOT )\bEXISTS\b/g, "NOT EXISTS"],
  [/\bIS NOT\b/g, "IS"],
  [/\bIS\b(?! NOT\b)/g, "IS NOT"],
  [/\bNOT IN\b/g, "IN"],
  [/(?<!\bNOT )\bIN\b/g, "NOT IN"],
  [/<>/g, "="],
  [/<=/g, "<"],
  [/>=/g, ">"],
  [/<(?![=>])/g, "<="],
  [/(?<!<)>(?!=)/g, ">="],
  [/(?<![<>])=/g, "<>"],
];

/** Replaces what could be mistaken for SQL: texts and comments keep their length. */
function maskTexts(sql: string): string {
  return sql.replaceAll(/'(?:[^']|'')*'|--[^\n]*/g, (text) => "_".repeat(text.length));
}

const KEYWORD = /\b(?:WHEN|WHERE|HAVING|AND|OR|BEGIN|GROUP|ORDER|LIMIT|UNION|JOIN|LEFT|BETWEEN)\b|[();]/g;
const OPENS_CONDITION = /^(?:WHEN|WHERE|HAVING|AND|OR)$/;

interface Condition {
  readonly start: number;
  readonly end: number;
  /** Whether the condition is an alternative of others. */
  readonly isAlternative: boolean;
}

interface Open {
  keyword: string;
  start: number;
}

/** Lists the conditions between the keywords of a trigger: the parts of conjunctions and alternatives. */
function* listConditions(masked: string): Generator<Condition> {
  const levels: Open[] = [{ keyword: "", start: 0 }];
  for (const { index, word } of listKeywords(masked)) {
    const top = levels.at(-1);
    if (top && word !== "(" && isCondition(top.keyword, word))
      yield { start: top.start, end: index, isAlternative: top.keyword === "OR" || word === "OR" };
    if (word === "(") levels.push({ keyword: "(", start: index + 1 });
    else if (word === ")") levels.pop();
    else if (top) Object.assign(top, { keyword: word, start: index + word.length });
  }
}

/** Whether a condition stands between two keywords. The first one in parentheses has no keyword before it. */
const isCondition = (before: string, after: string) =>
  OPENS_CONDITION.test(before) || (before === "(" && /^(AND|OR)$/.test(after));

/** Lists keywords and parentheses, without the AND of BETWEEN. */
function listKeywords(masked: string): readonly { readonly index: number; readonly word: string }[] {
  const all = [...masked.matchAll(KEYWORD)].map(({ index, 0: word }) => ({ index, word }));
  return all.filter(({ word }, at) => word !== "BETWEEN" && !(word === "AND" && all[at - 1]?.word === "BETWEEN"));
}

/** Creates the mutants of a trigger: each operator replaced, and each condition and watched column removed. */
export function mutateTrigger(trigger: string, sql: string): readonly SqlMutant[] {
  const masked = maskTexts(sql);
  const replace = (start: number, end: number, replacement: string): SqlMutant => ({
    trigger,
    text: toOneLine(sql.slice(start, end)),
    place: toPlace(sql, start, end),
    replacement: replacement.trim(),
    sql: sql.slice(0, start) + replacement + sql.slice(end),
  });
  const operators = OPERATORS.flatMap(([pattern, replacement]) =>
    [...masked.matchAll(pattern)].map(({ index, 0: text }) => replace(index, index + text.length, replacement)),
  );
  const conditions = [...listConditions(masked)]
    .filter(({ start, end }) => /[^\s()]/.test(masked.slice(start, end)))
    .map(({ start, end, isAlternative }) => replace(start, end, isAlternative ? " 0 " : " 1 "));
  return [...operators, ...conditions, ...removeColumns(masked, replace)];
}

/** Removes each column that an update has to name. */
function removeColumns(masked: string, replace: (start: number, end: number, replacement: string) => SqlMutant) {
  const list = /\bUPDATE OF ([\w\s,]+?) ON\b/.exec(masked);
  const names = list?.[1]?.split(",") ?? [];
  if (!list || names.length < 2) return [];
  const first = list.index + "UPDATE OF ".length;
  return names.map((_, index) => {
    const others = names.filter((_other, position) => position !== index).join(",");
    return replace(first, first + names.join(",").length, others);
  });
}

/** Characters of the surroundings of a change. */
const CONTEXT = 30;

function toPlace(sql: string, start: number, end: number): string {
  const before = sql.slice(Math.max(0, start - CONTEXT), start);
  return toOneLine(`${before}⟦${sql.slice(start, end)}⟧${sql.slice(end, end + CONTEXT)}`);
}
