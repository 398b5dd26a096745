import { describe, expect, test } from "vitest";
import limits from "#tools/language/limits.json" with { type: "json" };
import {
  countFlaggedPhrases,
  countFlaggedPhrasesByKind,
  listFilePassages,
  listPassages,
  TEXT_KINDS,
} from "#tools/language/oddness.ts";

describe("odd phrases per 1,000 words", () => {
  const rates = countFlaggedPhrasesByKind(listPassages("."));

  test.each(TEXT_KINDS)("counts at most as many odd phrases in %s as their limit", (kind) => {
    expect(rates[kind], `Reword the new text by docs/glossary.md. Odd phrases in ${kind}`).toBeLessThanOrEqual(
      limits[kind],
    );
  });

  test.each(TEXT_KINDS)("limits odd phrases in %s to little more than the present number", (kind) => {
    expect(limits[kind], `Lower the limit of ${kind} in test/tools/language/limits.json`).toBeLessThanOrEqual(
      Math.round((rates[kind] + 0.3) * 10) / 10,
    );
  });
});

describe("counting odd phrases", () => {
  test.each([
    ["Who calls is told of what waits.", 3],
    ["Returns the caller's pending tasks.", 0],
    ["It is no image.", 1],
    ["The file isn't an image.", 0],
    ["undefined where there is none", 1],
  ])("counts the odd phrases of %j", (text, hits) => {
    expect(countFlaggedPhrases({ kind: "comments", text }).hits).toBe(hits);
  });

  test("counts odd words in a name of the code", () => {
    expect(countFlaggedPhrases({ kind: "names", text: "toldStateOf" })).toEqual({ words: 3, hits: 2 });
    expect(countFlaggedPhrases({ kind: "names", text: "getPaymentStatus" })).toEqual({ words: 3, hits: 0 });
  });

  test("separates comments, names, messages and test titles", () => {
    const code = '// Checks it.\nconst total = "// not a comment";\nthrow new Error("must be text");\n';
    expect(listFilePassages("a.ts", code).map(({ kind, text }) => [kind, text.trim()])).toEqual([
      ["comments", "Checks it."],
      ["messages", "must be text"],
      ["names", "a"],
      ["names", "total"],
    ]);
    expect(listFilePassages("a.test.ts", 'test("rejects it", () => {});')[0]).toMatchObject({
      kind: "tests",
      text: "rejects it",
    });
  });
});
