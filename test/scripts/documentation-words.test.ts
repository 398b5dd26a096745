import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { countWords, measureDocumentation, removeImportRules } from "#scripts/documentation-words.ts";
import { withTemporaryFolder } from "#scripts/files.ts";
import { PROJECT_ROOT } from "#scripts/processes.ts";

test.each(measureDocumentation(PROJECT_ROOT))(
  "contains at most $limit $name in the documentation",
  ({ size, limit }) => {
    expect(size).toBeGreaterThan(0);
    expect(size).toBeLessThanOrEqual(limit);
  },
);

test("counts the words of all Markdown pages except those of installed packages", async () => {
  await withTemporaryFolder("words", async (folder) => {
    mkdirSync(join(folder, "docs"));
    mkdirSync(join(folder, "node_modules"));
    writeFileSync(join(folder, "README.md"), "# One two\n\nthree\n");
    writeFileSync(join(folder, "ARCHITECTURE.md"), "a\n<!-- import rules -->\n| b |\n<!-- import rules -->\nc\n");
    writeFileSync(join(folder, "CHANGELOG.md"), "# Changelog\n\n- x\n");
    writeFileSync(join(folder, "docs/page.md"), "four\n");
    writeFileSync(join(folder, "node_modules/other.md"), "not counted\n");
    expect(measureDocumentation(folder).map(({ size }) => size)).toEqual([4 + 13 + 4 + 1, 4, 2, 3]);
  });
});

test("counts words as texts between spaces", () => {
  expect(countWords("  one `two three`\n\n")).toBe(3);
  expect(removeImportRules("a <!-- import rules --> b <!-- import rules --> c")).toBe("a  c");
});
