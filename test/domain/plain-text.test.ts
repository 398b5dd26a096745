import { expect, test } from "vitest";
import { isPrintableText, toPrintableLine, toPrintableLines } from "#domain/plain-text.ts";

test.each([
  ["Kratzer links\r\nTank leer", "Kratzer links\nTank leer"],
  ["\u{1f44d}\u{1f3fd} ok \u{1f468}\u200d\u{1f469}\u200d\u{1f467}", "ok"],
  ["a\tb\u2028c\u0000", "a b\nc"],
  ["\u200fשלום \u202e!", "שלום !"],
  ["Ñandú & Søren © €", "Ñandú & Søren © €"],
  ["\ud83d", ""],
])("keeps only the printable characters of %j", (typedText, storedText) => {
  expect(toPrintableLines(typedText)).toBe(storedText);
  expect(toPrintableLine(typedText)).toBe(storedText.replace("\n", " "));
  expect(isPrintableText(toPrintableLine(typedText))).toBe(true);
});
