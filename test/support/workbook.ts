import { strToU8, zipSync } from "fflate";

type Cell = string | number;

/** Creates an Excel workbook of these sheets, with inline texts and numeric cells. */
export function createWorkbook(
  sheets: Readonly<Record<string, readonly (readonly Cell[])[]>>,
): Uint8Array<ArrayBuffer> {
  const names = Object.keys(sheets);
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  const list = names.map((name, at) => `<sheet name="${name}" sheetId="${at + 1}" r:id="rId${at + 1}"/>`);
  const relations = names.map(
    (_, at) => `<Relationship Id="rId${at + 1}" Type="${office}/worksheet" Target="worksheets/sheet${at + 1}.xml"/>`,
  );
  const file = (content: string) => strToU8(`<?xml version="1.0" encoding="UTF-8"?>${content}`);
  const namespace = "http://schemas.openxmlformats.org";
  return zipSync({
    "[Content_Types].xml": file(`<Types xmlns="${namespace}/package/2006/content-types"/>`),
    "xl/workbook.xml": file(
      `<workbook xmlns="${namespace}/spreadsheetml/2006/main" xmlns:r="${office}"><sheets>${list.join("")}</sheets></workbook>`,
    ),
    "xl/_rels/workbook.xml.rels": file(
      `<Relationships xmlns="${namespace}/package/2006/relationships">${relations.join("")}</Relationships>`,
    ),
    ...Object.fromEntries(
      names.map((name, at) => [
        `xl/worksheets/sheet${at + 1}.xml`,
        file(
          `<worksheet xmlns="${namespace}/spreadsheetml/2006/main"><sheetData>${(sheets[name] ?? []).map(createSheetRow).join("")}</sheetData></worksheet>`,
        ),
      ]),
    ),
  });
}

function createSheetRow(cells: readonly Cell[], index: number): string {
  const line = index + 1;
  const cellElements = cells.map((cell, at) => {
    const place = `${String.fromCharCode(65 + at)}${line}`;
    if (typeof cell === "number") return `<c r="${place}"><v>${cell}</v></c>`;
    return `<c r="${place}" t="inlineStr"><is><t xml:space="preserve">${cell}</t></is></c>`;
  });
  return `<row r="${line}">${cellElements.join("")}</row>`;
}

/** Creates a workbook with one sheet from the XML of its rows, and other parts by their paths. */
export function createSheetWorkbook(
  rows: string,
  { is1904 = false, parts = {} }: { readonly is1904?: boolean; readonly parts?: Readonly<Record<string, string>> } = {},
): Uint8Array<ArrayBuffer> {
  const office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships";
  return zipSync({
    "xl/workbook.xml": strToU8(
      `<workbook xmlns:r="${office}"><workbookPr date1904="${is1904}"/><sheets><sheet name="Sheet1" r:id="rId1"/></sheets></workbook>`,
    ),
    "xl/_rels/workbook.xml.rels": strToU8(
      `<Relationships><Relationship Id="rId1" Type="${office}/worksheet" Target="/xl/worksheets/sheet1.xml"/></Relationships>`,
    ),
    "xl/worksheets/sheet1.xml": strToU8(`<worksheet><sheetData>${rows}</sheetData></worksheet>`),
    ...Object.fromEntries(Object.entries(parts).map(([path, content]) => [path, strToU8(content)])),
  });
}
