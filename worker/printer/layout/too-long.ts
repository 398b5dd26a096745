import { hasTooManyAccents, MAX_PRINTED_LABEL_LENGTH } from "#domain/printing/print-limits.ts";
import type { Printout, PrintoutBlock } from "#domain/printing/printout.ts";

/** The printout exceeds a limit of pages, lines or marks. */
export class PrintoutTooLongError extends Error {
  override readonly name = "PrintoutTooLong";
}

/** Maximum number of letters of a printout. 200 full pages have about 1,200,000. Each letter takes microseconds. */
const MAX_LETTERS = 1_500_000;

/** Maximum number of different letters. Fonts are cut to the letters used, which takes time for each. */
const MAX_DISTINCT_LETTERS = 5_000;

/** Returns the different letters of all texts. Images and the embedded invoice aren't drawn as text. */
export function collectLetters(printout: Printout): ReadonlySet<string> {
  const letters = new Set<string>();
  for (const text of listTexts(printout)) for (const letter of text.normalize("NFC")) letters.add(letter);
  return letters;
}

/** Whether the texts can be laid out in limited time. Checked before any letter is measured. */
export function hasPrintableTexts(printout: Printout): boolean {
  const texts = listTexts(printout.blocks);
  return (
    texts.reduce((sum, { length }) => sum + length, 0) <= MAX_LETTERS &&
    printout.blocks.every(hasShortLabels) &&
    !texts.some(hasTooManyAccents) &&
    collectLetters(printout).size <= MAX_DISTINCT_LETTERS
  );
}

function hasShortLabels(block: PrintoutBlock): boolean {
  return block.kind === "paragraph" || listTexts(block).every(({ length }) => length <= MAX_PRINTED_LABEL_LENGTH);
}

/** Returns the printout with a notice instead of its blocks. */
export function replaceWithNotice(printout: Printout): Printout {
  const notice: readonly PrintoutBlock[] = [
    { kind: "title", text: printout.title, facts: [] },
    { kind: "paragraph", text: printout.words.tooLong, isSmall: false },
  ];
  return { ...printout, blocks: notice };
}

const NOT_TEXTS: ReadonlySet<string> = new Set(["base64", "invoiceXml"]);

function listTexts(value: unknown): readonly string[] {
  if (typeof value === "string") return [value];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => (NOT_TEXTS.has(name) ? [] : listTexts(member)));
}
