import { expect, inject, test } from "vitest";
import { createHostileFile } from "#tools/fuzz/files/hostile-files.ts";
import { readFile } from "#tools/fuzz/files/read-file.ts";

const FILES = inject("isThorough") ? 150 : 60;

// Proves "security.md": A42
test("reads hostile images, texts and tables without an error", async () => {
  let accepted = 0;
  for (let index = 0; index < FILES; index++) {
    const isAccepted = await readFile(createHostileFile("gate", index));
    accepted += isAccepted ? 1 : 0;
  }
  // Files that are all refused at their first byte would show nothing.
  expect(accepted).toBeGreaterThan(FILES / 5);
});
