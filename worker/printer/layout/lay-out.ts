import type { Printout, PrintoutBlock } from "#domain/printing/printout.ts";
import * as blocks from "./blocks.ts";
import { layOutSignatures, layOutVehicleDamages } from "./damages-and-signatures.ts";
import type { MeasureText, PageMark } from "./marks.ts";
import { PrintoutPages } from "./printout-pages.ts";
import { layOutTable } from "./table.ts";
import { PrintoutTooLongError, replaceWithNotice } from "./too-long.ts";

/**
 * Lays out a printout's pages: the position of every mark, before drawing. A printout beyond a limit is replaced by a
 * notice.
 */
export function layOutPrintout(printout: Printout, measure: MeasureText): readonly (readonly PageMark[])[] {
  try {
    return layBlocks(printout, measure);
  } catch (error) {
    if (!(error instanceof PrintoutTooLongError)) throw error;
    return layBlocks(replaceWithNotice(printout), measure);
  }
}

function layBlocks(printout: Printout, measure: MeasureText): readonly (readonly PageMark[])[] {
  const sheet = new PrintoutPages(printout, measure);
  printout.blocks.forEach((block, index) => {
    const following = printout.blocks.slice(index + 1, index + 4);
    if (block.kind === "heading") sheet.need(measureAfterHeading(following));
    layBlock(sheet, block, measure, { carriedOver: printout.words.carriedOver, following });
  });
  return sheet.finish();
}

// Returns the space to keep after a heading, so that a heading is never the last element of a page.
function measureAfterHeading([next, ...others]: readonly PrintoutBlock[]): number {
  if (next?.kind === "vehicle") return 215;
  if (next?.kind === "table" && next.rows.length === 1) return 80 + measureSums(others);
  return next?.kind === "signatures" ? 150 : 62;
}

// Returns the height of sums and their note, which stay on the same page as the last row of the table.
function measureSums([sums, note]: readonly PrintoutBlock[]): number {
  if (sums?.kind !== "sums") return 0;
  return blocks.getSumsHeight(sums) + (note?.kind === "paragraph" ? NOTE_HEIGHT : 10);
}

const NOTE_HEIGHT = 32;

interface Around {
  readonly carriedOver: string;
  readonly following: readonly PrintoutBlock[];
}

function layBlock(
  sheet: PrintoutPages,
  block: PrintoutBlock,
  measure: MeasureText,
  { carriedOver, following }: Around,
): void {
  switch (block.kind) {
    case "title":
      blocks.layOutTitle(sheet, block, measure);
      break;
    case "heading":
      blocks.layOutHeading(sheet, block, measure);
      break;
    case "paragraph":
      blocks.layOutParagraph(sheet, block, measure);
      break;
    case "parties":
      blocks.layOutParties(sheet, block, measure);
      break;
    case "facts":
      blocks.layOutLabelledValues(sheet, block, measure);
      break;
    case "table":
      layOutTable(sheet, block, measure, { carriedOver, height: measureSums(following) });
      break;
    case "sums":
      blocks.layOutSums(sheet, block, measure);
      break;
    case "vehicle":
      layOutVehicleDamages(sheet, block, measure);
      break;
    case "signatures":
      layOutSignatures(sheet, block, measure);
      break;
    case "record":
      blocks.layOutTaxQrCode(sheet, block, measure);
      break;
    case "newPage":
      sheet.turn();
      break;
  }
}
