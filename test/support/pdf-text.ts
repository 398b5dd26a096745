import { getDocumentProxy } from "unpdf";

/** A piece of a page's text with where it begins and how wide it is, in points. */
export interface PdfPiece {
  readonly text: string;
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

/** What a PDF says at each place, a list for each page. */
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

/** What a PDF can be searched for, a text for each page. */
export async function readPdfText(bytes: Uint8Array): Promise<readonly string[]> {
  const pages = await readPdfPieces(bytes);
  return pages.map((page) => page.flatMap(({ text }) => (text.trim() ? [text] : [])).join("\n"));
}
