import { globSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { withTemporaryFolder } from "#scripts/files.ts";
import { findBrokenLinks } from "#scripts/markdown-links.ts";
import { PROJECT_ROOT } from "#scripts/processes.ts";

test("finds the target of every relative link in Markdown pages", () => {
  const pages = globSync(["*.md", "docs/**/*.md", ".github/**/*.md", ".changeset/*.md"], { cwd: PROJECT_ROOT });
  expect(pages.length).toBeGreaterThan(60);
  expect(findBrokenLinks(PROJECT_ROOT, pages)).toEqual([]);
});

test("reports links to missing files and headings", async () => {
  await withTemporaryFolder("links", async (folder) => {
    const links = "[a](b.md) [b](b.md#c-d) [c](#here) [d](https://example.com/x) `[e](code.md)`";
    const broken = "[f](none.md) [g](b.md#none) [h](#none)\n\n[i]: none.md";
    writeFileSync(join(folder, "a.md"), `# Here\n\n${links}\n\n${broken}\n`);
    writeFileSync(join(folder, "b.md"), "# C: `d`\n");
    const expected = ["none.md", "b.md#none", "#none", "none.md"].map((link) => `a.md: ${link}`);
    expect(findBrokenLinks(folder, ["a.md"])).toEqual(expected);
  });
});
