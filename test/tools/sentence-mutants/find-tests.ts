import { readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "#scripts/processes.ts";
import type { BrokenSentence } from "./sentences.ts";

/** Test of a sentence: its file, and a pattern of its title. */
export interface SentenceTest {
  readonly file: string;
  readonly pattern: string;
}

const PLACEHOLDER = /%[a-z#]|\$\w+|\(%#\)/;

/** Returns the tests in Node that the register names for a sentence. */
export function findTests({ page, statement }: Pick<BrokenSentence, "page" | "statement">): readonly SentenceTest[] {
  const rows = readFileSync(join(PROJECT_ROOT, "test/conformance.tsv"), "utf8")
    .split("\n")
    .map((line) => line.split("\t"));
  return rows
    .filter(([rowPage, rowStatement]) => rowPage === page && rowStatement === statement)
    .filter(([, , file = ""]) => /^test\/(domain|auth|gateways)\//.test(file))
    .map(([, , file = "", title = ""]) => ({ file, pattern: toPattern(title) }));
}

// A title with values stands for a table of tests.
const toPattern = (title: string) =>
  title
    .split(PLACEHOLDER)
    .map((part) => part.replaceAll(/[.*+?^${}()|[\]\\]/g, "\\$&"))
    .join(".*");
