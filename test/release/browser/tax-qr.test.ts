import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, expect, inject, test } from "vitest";
import { prepareZXingModule, readBarcodes } from "zxing-wasm/reader";
import { OFFICE_START_TIMEOUT_MS, openOffice } from "../../browser/office-page.ts";

const MODULES = join(import.meta.dirname, "../../../node_modules");
/** Resolution of a printer with 200 dots per inch. */
const SCALE = 200 / 72;
const READER = "http://pdf.test/";

const office = await openOffice(inject("port"));
afterAll(() => office.close());

interface Listed {
  readonly data: readonly { readonly document_id: number; readonly number: string; readonly total: string }[];
}

// Renders the first page of a PDF as a picture in a browser.
async function renderImage(pdf: string): Promise<Buffer> {
  const page = await office.browser.newPage();
  await page.route(`${READER}**`, async (route) => {
    if (!route.request().url().endsWith(".mjs")) return route.fulfill({ contentType: "text/html", body: "<canvas>" });
    return route.fulfill({
      contentType: "text/javascript",
      body: await readFile(join(MODULES, "unpdf/dist/pdfjs.mjs")),
    });
  });
  await page.goto(READER);
  const picture = await page.evaluate<string>(`(async () => {
    const { getDocument } = await import("./pdfjs.mjs");
    const data = Uint8Array.from(atob("${pdf}"), (one) => one.charCodeAt(0));
    const sheet = await (await getDocument({ data }).promise).getPage(1);
    const viewport = sheet.getViewport({ scale: ${SCALE} });
    const canvas = document.querySelector("canvas");
    Object.assign(canvas, { width: viewport.width, height: viewport.height });
    await sheet.render({ canvas, canvasContext: canvas.getContext("2d"), viewport }).promise;
    return canvas.toDataURL("image/png").split(",")[1];
  })()`);
  await page.close();
  return Buffer.from(picture, "base64");
}

// Proves "security, privacy and operation": The code on a printed invoice is read from its picture
test(
  "reads the tax record's URL from the QR code of a printed invoice",
  async () => {
    await office.signInAs("staff");
    const token = await office.token();
    const { body } = await office.ask("GET", "/api/v1/office/tax-records?page_size=1", { token });
    const [listed] = (body as Listed).data;
    if (!listed) throw new Error("the demo has no tax record");
    const { document_id: id, number, total } = listed;
    const record = await office.ask("GET", `/api/v1/office/documents/${id}/verifactu`, { token });
    const pdf = await office.page.evaluate<string>(`(async () => {
      const answer = await fetch("/api/v1/office/documents/${id}.pdf", { headers: { Authorization: "${token}" } });
      const bytes = new Uint8Array(await answer.arrayBuffer());
      return btoa(Array.from(bytes, (one) => String.fromCharCode(one)).join(""));
    })()`);
    const picture = await renderImage(pdf);
    const wasmBinary = (await readFile(join(MODULES, "zxing-wasm/dist/reader/zxing_reader.wasm")))
      .buffer as ArrayBuffer;
    await prepareZXingModule({ overrides: { wasmBinary }, fireImmediately: true });
    const codes = await readBarcodes(new Uint8Array(picture), { formats: ["QRCode"] });
    expect(codes).toHaveLength(1);
    const [code] = codes;
    expect(code?.text).toBe((record.body as { readonly qr_url: string }).qr_url);
    expect(code?.text).toContain(`numserie=${encodeURIComponent(number)}`);
    expect(code?.text).toContain(`importe=${total}`);
    expect(code?.ecLevel).toBe("M");
    // 30 to 40 mm wide.
    const { topLeft, topRight } = code?.position ?? { topLeft: { x: 0 }, topRight: { x: 0 } };
    const millimetres = ((topRight.x - topLeft.x) / 200) * 25.4;
    expect(millimetres).toBeGreaterThanOrEqual(30);
    expect(millimetres).toBeLessThanOrEqual(40);
  },
  OFFICE_START_TIMEOUT_MS,
);
