import { getDocumentProxy } from "unpdf";

/** Text on a page with its position and width in points. */
export interface PdfPiece {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** Returns the positioned texts of a PDF by page. */
export async function readPdfPieces(bytes: Uint8Array): Promise<readonly (readonly PdfPiece[])[]> {
  const pdf = await getDocumentProxy(new Uint8Array(bytes));
  const pages = Array.from({ length: pdf.numPages }, async (_, index) => {
    const { items } = await (await pdf.getPage(index + 1)).getTextContent();
    return items.flatMap((item) =>
      "str" in item ? [{ text: item.str, x: item.transform[4], y: item.transform[5], width: item.width }] : [],
    );
  });
  return Promise.all(pages);
}

/** Returns the searchable text of a PDF by page. */
export async function readPdfText(bytes: Uint8Array): Promise<readonly string[]> {
  const pages = await readPdfPieces(bytes);
  return pages.map((page) => page.flatMap(({ text }) => (text.trim() ? [text] : [])).join("\n"));
}
