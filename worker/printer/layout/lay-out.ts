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
    const next = printout.blocks[index + 1];
    if (block.kind === "heading") sheet.need(roomAfterHeading(next, printout.blocks[index + 2]));
    layBlock(sheet, block, measure, { carriedOver: printout.words.carriedOver, next });
  });
  return sheet.finish();
}

// A heading is not left alone at the end of a page.
function roomAfterHeading(next: Block | undefined, afterNext: Block | undefined): number {
  if (next?.kind === "vehicle") return 215;
  if (next?.kind === "table" && next.rows.length === 1) return 80 + heightOfSums(afterNext);
  return next?.kind === "signatures" ? 150 : 62;
}

// A sum is not left alone at the head of a page: the last row goes with it.
function heightOfSums(block: Block | undefined): number {
  return block?.kind === "sums" ? blocks.sumsHeight(block) + 10 : 0;
}

interface Around {
  readonly carriedOver: string;
  readonly next: Block | undefined;
}

function layBlock(sheet: Sheet, block: Block, measure: Measure, { carriedOver, next }: Around): void {
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
      layTable(sheet, block, measure, { carriedOver, height: heightOfSums(next) });
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
      blocks.layRecord(sheet, block, measure);
      break;
    case "newPage":
      sheet.turn();
      break;
  }
}
