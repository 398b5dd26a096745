import type { Block, Printout } from "#domain/printing/printout.ts";
import * as blocks from "./blocks.ts";
import { laySignatures, layVehicle } from "./figures.ts";
import type { Mark, Measure } from "./marks.ts";
import { Sheet } from "./sheet.ts";
import { layTable } from "./table.ts";

/** The pages of a printout: what stands where on each, before anything is drawn. */
export function layOut(printout: Printout, measure: Measure): readonly (readonly Mark[])[] {
  const sheet = new Sheet(printout, measure);
  printout.blocks.forEach((block, index) => {
    if (block.kind === "heading") sheet.need(roomAfterHeading(printout.blocks[index + 1]));
    layBlock(sheet, block, measure, printout);
  });
  return sheet.finish();
}

// A heading is not left alone at the end of a page.
function roomAfterHeading(next: Block | undefined): number {
  if (next?.kind === "vehicle") return 215;
  return next?.kind === "signatures" ? 150 : 62;
}

function layBlock(sheet: Sheet, block: Block, measure: Measure, { words }: Printout): void {
  switch (block.kind) {
    case "title":
      blocks.layTitle(sheet, block, measure);
      break;
    case "heading":
      blocks.layHeading(sheet, block, measure);
      break;
    case "paragraph":
      blocks.layParagraph(sheet, block, measure);
      break;
    case "parties":
      blocks.layParties(sheet, block, measure);
      break;
    case "facts":
      blocks.layFacts(sheet, block, measure);
      break;
    case "table":
      layTable(sheet, block, measure, words.carriedOver);
      break;
    case "sums":
      blocks.laySums(sheet, block, measure);
      break;
    case "vehicle":
      layVehicle(sheet, block, measure);
      break;
    case "signatures":
      laySignatures(sheet, block, measure);
      break;
    case "record":
      blocks.layRecord(sheet, block);
      break;
    case "newPage":
      sheet.turn();
      break;
  }
}
