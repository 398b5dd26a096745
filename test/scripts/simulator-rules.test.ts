import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { PROJECT_ROOT } from "#scripts/processes.ts";

const read = (path: string) => readFileSync(join(PROJECT_ROOT, path), "utf8");
const sortUnique = (codes: readonly string[]) => [...new Set(codes)].sort();

/** Returns the text of a section, without its subsections. */
function readSection(page: string, heading: string): string {
  const [, section = ""] = page.split(`\n${heading}\n`);
  return section.split(/\n#+ /)[0] ?? "";
}

/** Lists the codes in the first column of a table, with those of a range that the simulator has. */
function listDocumentedCodes(section: string, simulated: readonly string[]): string[] {
  const cells = [...section.matchAll(/^\| (\d[\d ,–]*) \|/gm)].flatMap(([, cell = ""]) => cell.split(", "));
  return cells.flatMap((cell) => {
    const [first = "", last = first] = cell.trim().split("–");
    return first === last ? [first] : simulated.filter((code) => code >= first && code <= last);
  });
}

test("documents each code of the tax agency's simulator with its source", () => {
  const files = ["business-rules", "evaluate", "submission-simulator"];
  const sources = files.map((file) => read(`worker/development/tax-agency/${file}.ts`)).join("\n");
  const simulated = sortUnique([...sources.matchAll(/"([1-4]\d{3})"/g)].map(([, code = ""]) => code));
  const section = readSection(read("docs/interfaces/verifactu.md"), "### Rules of the simulator");
  expect(section).toContain("errores.properties");
  expect(simulated.length).toBeGreaterThan(50);
  expect(sortUnique(listDocumentedCodes(section, simulated))).toEqual(simulated);
});

test("documents each code of the ministry's simulator with its source", () => {
  const source = read("worker/development/ses/ministry-simulator.ts");
  const simulated = sortUnique([...source.matchAll(/["`](10\d{3})\b/g)].map(([, code = ""]) => code));
  const section = readSection(read("docs/interfaces/ses.md"), "### Rules of the simulator");
  expect(section).toContain("manual 3.1.3");
  expect(simulated.length).toBeGreaterThan(5);
  expect(sortUnique(listDocumentedCodes(section, simulated))).toEqual(simulated);
});
