import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { PROJECT_ROOT } from "./processes.ts";

/** Number of words or lines of a document, with its limit. */
export interface DocumentSize {
  readonly name: string;
  readonly size: number;
  readonly limit: number;
}

const EXCLUDED = ["node_modules", "dist", "coverage", ".git", ".wrangler"];

/** Counts words as `wc -w` does: texts between spaces. */
export const countWords = (text: string): number => text.match(/\S+/g)?.length ?? 0;

/** Removes the table of import rules, which is the source of the lint rules and mostly paths. */
export const removeImportRules = (architecture: string): string =>
  architecture.replace(/<!-- import rules -->.*<!-- import rules -->/s, "");

/** Returns the sizes of the documentation at `root` with their limits. */
export function measureDocumentation(root: string): readonly DocumentSize[] {
  const read = (page: string) => readFileSync(join(root, page), "utf8");
  const pages = globSync(["**/*.md", ".changeset/*.md", ".github/**/*.md"], {
    cwd: root,
    exclude: (path) => EXCLUDED.includes(path.split("/").at(-1) ?? ""),
  });
  const words = pages.reduce((sum, page) => sum + countWords(read(page)), 0);
  return [
    { name: "words of Markdown", size: words, limit: 80_000 },
    { name: "words of README.md", size: countWords(read("README.md")), limit: 500 },
    {
      name: "words of ARCHITECTURE.md without its import rules",
      size: countWords(removeImportRules(read("ARCHITECTURE.md"))),
      limit: 1200,
    },
    { name: "lines of CHANGELOG.md", size: read("CHANGELOG.md").trimEnd().split("\n").length, limit: 150 },
  ];
}

/** Prints the sizes of the documentation. Throws if one is above its limit. */
export function checkDocumentationWords(): void {
  const sizes = measureDocumentation(PROJECT_ROOT);
  for (const { name, size, limit } of sizes)
    console.log(`${size.toLocaleString("en")} ${name}, at most ${limit.toLocaleString("en")}`);
  const exceeded = sizes.filter(({ size, limit }) => size > limit).map(({ name }) => name);
  if (exceeded.length > 0) throw new Error(`The documentation is too long: ${exceeded.join(", ")}. Shorten its pages.`);
}
