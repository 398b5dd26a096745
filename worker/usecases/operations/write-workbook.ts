import { type TableData, toWorkbookParts } from "#domain/reporting/workbook.ts";
import { EMPTY_ZIP_ARCHIVE, ZipArchive } from "./zip-pieces.ts";

/** Creates an Excel workbook of a table. */
export function writeWorkbook(name: string, table: TableData): Uint8Array<ArrayBuffer> {
  const archive = new ZipArchive(EMPTY_ZIP_ARCHIVE);
  const pieces = toWorkbookParts(name, table).flatMap(([path, xml]) => [
    archive.open(path),
    archive.add(xml),
    archive.close(),
  ]);
  return new Uint8Array(Buffer.concat([...pieces, archive.directory()]));
}
