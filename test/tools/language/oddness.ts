import { globSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import phrases from "./phrases.json" with { type: "json" };

/** Kinds of text that are counted separately. */
export const TEXT_KINDS = ["comments", "names", "messages", "ui", "docs", "tests"] as const;
export type TextKind = (typeof TEXT_KINDS)[number];

/** A text that a reader meets, with the file it is in. */
export interface Passage {
  readonly kind: TextKind;
  readonly file: string;
  readonly text: string;
}

/** Number of words and of odd phrases. */
export interface FlaggedPhraseCount {
  readonly words: number;
  readonly hits: number;
}

// Phrases are compared case-insensitively, except those that only a capital letter distinguishes.
const CASE_SENSITIVE = new Set(["free relative", "of before"]);
const PHRASES = Object.entries(phrases).map(
  ([name, source]) => new RegExp(source, CASE_SENSITIVE.has(name) ? "g" : "gi"),
);
const ODD_NAME_PARTS = new Set(
  (
    "tell tells told say says said asked unasked anew mend mends mended mending beside whose nobody nobodys somebody everybody doings " +
    "going goings heard wish odd oddity oddities truth truths thing things surroundings ring rings ringing kept given gone begun alone " +
    "wanted unwanted untold judge look looks laws house of most largest longest shortest fewest slowest"
  ).split(" "),
);

const COMMENTS: Readonly<Record<string, RegExp>> = {
  sql: /--(?<line>[^\n]*)/g,
  toml: /(?<=^|\s)#(?<line>[^\n]*)/gm,
  code: /"(?:\\.|[^"\\\n])*"|'(?:\\.|[^'\\\n])*'|`(?:\\.|[^`\\])*`|\/\*(?<block>[\s\S]*?)\*\/|(?:^|[\s;,{(])\/\/(?<line>(?:[^\n]*)(?:\n\s*\/\/[^\n]*)*)/gm,
};
const TEST_TITLE = /\b(?:test|describe|it)(?:\.\w+)*\(\s*"((?:\\.|[^"\\\n])+)"/g;
const MESSAGE =
  /\b(?:message|problem|remedy|reason|sentence|description|summary|error):\s*(?:"([^"\n]{8,})"|`([^`\n]{8,})`)|new \w*Error\((?:"([^"\n]+)"|`([^`\n]+)`)/g;
const DECLARATION =
  /^[ \t]*(?:export )?(?:declare )?(?:async )?(?:const|function\*?|class|interface|type|enum) +([A-Za-z_$][\w$]*)/gm;
const ENGLISH_TEXTS = /(?:i18n\/(?:\w[\w-]*\/)?en\.ts|texts\/en\.ts)$/;
const UI_STRING = /"((?:\\.|[^"\\\n]){2,})"(?!:)|`([^`\n]+)`/g;

/** Returns all passages of the repository at `root`, except dependencies, builds and generated documents. */
export function listPassages(root: string): readonly Passage[] {
  const ignored = /(?:^|\/)(?:node_modules|\.git|dist|coverage|\.wrangler|screenshots|openapi)(?:\/|$)/;
  const files = globSync("**/*.{ts,tsx,mjs,js,sql,toml,css,md}", { cwd: root, exclude: (path) => ignored.test(path) });
  return files.flatMap((file) => listFilePassages(file, readFileSync(`${root}/${file}`, "utf8")));
}

/** Returns the passages of one file. */
export function listFilePassages(file: string, text: string): readonly Passage[] {
  const as = (kind: TextKind) => (passage: string) => ({ kind, file, text: passage });
  if (file.endsWith(".md")) return listProse(text).map(as("docs"));
  const comments = listComments(file, text).map(as("comments"));
  if (ENGLISH_TEXTS.test(file)) return [...comments, ...listMatches(text, UI_STRING).map(as("ui"))];
  if (!/\.(?:ts|tsx|mjs|js)$/.test(file)) return comments;
  const isTest = /\.test\.tsx?$/.test(file);
  const strings = isTest
    ? listMatches(text, TEST_TITLE).map(as("tests"))
    : listMatches(text, MESSAGE).map(as("messages"));
  const names = [basename(file).replace(/\.(?:test\.)?\w+$/, ""), ...listMatches(text, DECLARATION)];
  return [...comments, ...strings, ...names.map(as("names"))];
}

function listProse(markdown: string): readonly string[] {
  const withoutCode = markdown.replace(/```[\s\S]*?```/g, "");
  return withoutCode
    .split("\n")
    .map((line) => line.replace(/^[\s#>*|-]+/, ""))
    .filter((line) => line.trim() !== "");
}

function listComments(file: string, text: string): readonly string[] {
  const language = file.endsWith(".sql") ? "sql" : file.endsWith(".toml") ? "toml" : "code";
  const pattern = COMMENTS[language] ?? /(?!)/g;
  return [...text.matchAll(pattern)].flatMap(({ groups }) => {
    const body = groups?.["block"] ?? groups?.["line"] ?? "";
    return body.trim() === "" ? [] : [body.replace(/^\s*(?:\*+|\/\/)/gm, " ").replace(/^\s*\*+/, "")];
  });
}

function listMatches(text: string, pattern: RegExp): readonly string[] {
  return [...text.matchAll(pattern)].map((match) => match.slice(1).find((part) => part !== undefined) ?? "");
}

/** Counts the words and the odd phrases of a passage. For names, counts its parts and the odd ones. */
export function countFlaggedPhrases({ kind, text }: Pick<Passage, "kind" | "text">): FlaggedPhraseCount {
  return kind === "names" ? countName(text) : countProse(text);
}

function countName(name: string): FlaggedPhraseCount {
  const parts = name
    .replace(/([a-z0-9])([A-Z])/g, "$1 $2")
    .toLowerCase()
    .split(/[^a-z]+/)
    .filter((part) => part !== "");
  return { words: parts.length, hits: parts.filter((part) => ODD_NAME_PARTS.has(part)).length };
}

function countProse(text: string): FlaggedPhraseCount {
  const bare = text
    .replace(/`[^`]*`|https?:\S+|\{\w+\??[^}]*\}/g, " X ")
    .replace(/\s+/g, " ")
    .trim();
  const sentence = bare.charAt(0).toUpperCase() + bare.slice(1);
  const hits = PHRASES.reduce((sum, phrase) => sum + (sentence.match(phrase)?.length ?? 0), 0);
  return { words: sentence.match(/[A-Za-z']+/g)?.length ?? 0, hits };
}

/** Returns the odd phrases per 1,000 words of each kind of text, rounded to one decimal. */
export function countFlaggedPhrasesByKind(passages: readonly Passage[]): Readonly<Record<TextKind, number>> {
  const rates = TEXT_KINDS.map((kind) => {
    const counts = passages.filter((passage) => passage.kind === kind).map(countFlaggedPhrases);
    const words = counts.reduce((sum, count) => sum + count.words, 0);
    const hits = counts.reduce((sum, count) => sum + count.hits, 0);
    return [kind, Math.round((10_000 * hits) / Math.max(1, words)) / 10] as const;
  });
  return Object.fromEntries(rates) as Record<TextKind, number>;
}
