import type { Block, Printout } from "#domain/printing/printout.ts";
import * as blocks from "./blocks.ts";
import type { Mark, Measure } from "./marks.ts";
import { Sheet } from "./sheet.ts";
import { layTable } from "./table.ts";
import { laySignatures, layVehicle } from "./figures.ts";

/** The pages of a printout: what stands where on each, before anything is drawn. */
export function layOut(printout: Printout, measure: Measure): readonly (readonly Mark[])[] {
  const sheet = new Sheet(printout, measure);
  for (const block of printout.blocks) layBlock(sheet, block, measure, printout);
  return sheet.finish();
}

function layBlock(sheet: Sheet, block: Block, measure: Measure, { words }: Printout): void {
  switch (block.kind) {
    case "title":
      return blocks.layTitle(sheet, block, measure);
    case "heading":
      return blocks.layHeading(sheet, block, measure);
    case "paragraph":
      return blocks.layParagraph(sheet, block, measure);
    case "parties":
      return blocks.layParties(sheet, block, measure);
    case "facts":
      return blocks.layFacts(sheet, block, measure);
    case "table":
      return layTable(sheet, block, measure, words.carriedOver);
    case "sums":
      return blocks.laySums(sheet, block, measure);
    case "vehicle":
      return layVehicle(sheet, block, measure);
    case "signatures":
      return laySignatures(sheet, block, measure);
    case "record":
      return blocks.layRecord(sheet, block);
    case "newPage":
      return sheet.turn();
  }
}
