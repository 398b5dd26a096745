import { globSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ts } from "@ts-morph/common";
import { PROJECT_ROOT } from "./processes.ts";

const REGISTER = join(PROJECT_ROOT, "test/conformance.tsv");
const COLUMNS = ["page", "statement", "test file", "test title"] as const;

/** Statement of a page, and the title of a test or group of tests that proves it. */
export interface ProvedStatement {
  /** Page below docs or docs/interfaces. Its subject may follow after a colon. */
  readonly page: string;
  /** Sentence of the page, or the number of a row. */
  readonly statement: string;
  readonly title: string;
}

const START = /^\s*\/\/ Proves "([^"]+)": (.*)$/;
const CONTINUATION = /^\s*\/\/ {3}(.*)$/;

/** Returns the annotated statements of a test file in order. Throws if no test follows an annotation. */
export function readAnnotations(source: string): readonly ProvedStatement[] {
  if (!source.includes("// Proves ")) return [];
  const { tests, isInText } = readTests(source);
  const lines = source.split("\n");
  return lines.flatMap((line, index) => {
    const start = START.exec(line);
    if (!start || isInText(index)) return [];
    const continued = listContinuations(lines.slice(index + 1));
    const title = tests.find((test) => test.line > index)?.title;
    if (title === undefined) throw new Error(`No test follows the annotation in line ${index + 1}.`);
    return [{ page: String(start[1]), statement: [start[2], ...continued].join(" "), title }];
  });
}

function listContinuations(lines: readonly string[]): readonly string[] {
  const end = lines.findIndex((line) => !CONTINUATION.test(line));
  return lines.slice(0, end).map((line) => String(CONTINUATION.exec(line)?.[1]));
}

interface Test {
  /** Line of its first character, from 0. */
  readonly line: number;
  readonly title: string;
}

/** Returns tests and groups in the order of their first lines, and whether a line is within a template text. */
function readTests(source: string) {
  const file = ts.createSourceFile("test.ts", source, ts.ScriptTarget.Latest);
  const getLine = (position: number) => file.getLineAndCharacterOfPosition(position).line;
  const tests: Test[] = [];
  const texts: (readonly [from: number, to: number])[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isNoSubstitutionTemplateLiteral(node)) texts.push([getLine(node.getStart(file)), getLine(node.end)]);
    const title = findTestTitle(node, file);
    if (title !== undefined) tests.push({ line: getLine(node.getStart(file)), title });
    ts.forEachChild(node, visit);
  };
  visit(file);
  return {
    tests: tests.toSorted((test, other) => test.line - other.line),
    isInText: (line: number) => texts.some(([from, to]) => from < line && line <= to),
  };
}

function findTestTitle(node: ts.Node, file: ts.SourceFile): string | undefined {
  if (!ts.isCallExpression(node) || !/^(?:test|it|describe)\b/.test(node.expression.getText(file))) return undefined;
  const [title] = node.arguments;
  if (title && ts.isStringLiteralLike(title)) return title.text;
  return title && ts.isTemplateExpression(title) ? title.getText(file).slice(1, -1) : undefined;
}

/** Returns the register of statements and their tests as tab-separated text, ordered by page, statement and test. */
export function createConformanceRegister(): string {
  const rows = globSync("test/**/*.test.ts", { cwd: PROJECT_ROOT }).flatMap((file) =>
    readAnnotations(readFileSync(join(PROJECT_ROOT, file), "utf8")).map(({ page, statement, title }) =>
      [page, statement, file, title].join("\t"),
    ),
  );
  return `${[COLUMNS.join("\t"), ...rows.toSorted()].join("\n")}\n`;
}

if (import.meta.main) writeFileSync(REGISTER, createConformanceRegister());
