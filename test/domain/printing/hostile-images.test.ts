import { deflateSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { removeHeicMetadata } from "#domain/check-in/heic.ts";
import { readImageInfo } from "#domain/check-in/images.ts";
import { removeJpegMetadata } from "#domain/check-in/jpeg.ts";
import { removePngMetadata } from "#domain/check-in/png.ts";
import { removeWebpMetadata } from "#domain/check-in/webp.ts";
import { createDocumentPrintout } from "#domain/printing/documents.ts";
import { loadPrinterFonts } from "#support/font-files.ts";
import { createHeic, createJpeg, createWebp, joinBytes } from "#support/images.ts";
import { readPdfText } from "#support/pdf-text.ts";
import {
  createAnimatedPng,
  createBlackPng,
  createPngChunk,
  createPngHeader,
  createPngWithExcessPixels,
  createPngWithMissingPixels,
  createPngWithUnterminatedText,
  PNG_SIGNATURE,
} from "#support/png-files.ts";
import { createDocumentToPrint, createLetterhead, createPrintContext } from "#support/printouts.ts";
import { rebuildImportedLogo } from "#worker/imports/imported-logo.ts";
import { renderPrintoutPdf } from "#worker/printer/pdf/draw.ts";
import { readSafeImage } from "#worker/printer/pdf/safe-image.ts";

const files = loadPrinterFonts();
const toImage = (bytes: Uint8Array, type: "png" | "jpeg" = "png") => ({
  type,
  base64: Buffer.from(bytes).toString("base64"),
});
const size = { width: 100, height: 50 };

async function hasPrintedLogo(bytes: Uint8Array, type: "png" | "jpeg" = "png"): Promise<boolean> {
  const letterhead = createLetterhead({ logo: toImage(bytes, type) });
  const pdf = await renderPrintoutPdf(
    createDocumentPrintout(createDocumentToPrint(), createPrintContext({ letterhead })),
    files,
  );
  const text = Buffer.from(pdf).toString("latin1");
  expect(await readPdfText(pdf)).toHaveLength(1);
  return /\/Subtype \/Image/.test(text);
}

/** Returns copies of a file with another number at each of its first positions. */
function listWithChangedLengths(bytes: Uint8Array): readonly Uint8Array<ArrayBuffer>[] {
  const positions = Array.from({ length: Math.min(bytes.length, 200) - 3 }, (_, at) => at);
  return [0, 1, 0x7fff_ffff, 0xffff_ffff].flatMap((value) =>
    positions.map((at) => {
      const changed = Uint8Array.from(bytes);
      new DataView(changed.buffer).setUint32(at, value);
      return changed;
    }),
  );
}

describe("the printer", () => {
  // Proves "security.md": A38
  test("prints an image file with an unterminated text chunk", async () => {
    expect(await hasPrintedLogo(createPngWithUnterminatedText())).toBe(true);
  });

  // Proves "security.md": A38
  test.each([
    ["PNG", createBlackPng(size)],
    ["JPEG", createJpeg({ ...size, seed: 1 })],
    ["WebP", createWebp(size)],
    ["HEIC", createHeic(size)],
  ] as const)(
    "reads a %s in limited time, whichever of its lengths is zero, one or too long",
    async (format, bytes) => {
      const start = performance.now();
      for (const changed of listWithChangedLengths(bytes)) {
        for (const clean of [
          readImageInfo,
          removePngMetadata,
          removeJpegMetadata,
          removeWebpMetadata,
          removeHeicMetadata,
        ])
          clean(changed);
        if (format === "PNG") await readSafeImage(toImage(changed)).catch(() => undefined);
      }
      expect(performance.now() - start).toBeLessThan(5_000);
      expect(readImageInfo(bytes)).toMatchObject(size);
    },
  );

  // Proves "security.md": A39
  test("prints the first image of an animated file and decodes no other frame", async () => {
    const animated = createAnimatedPng(size, { width: 3000, height: 3000 }, 2);
    expect(await readSafeImage(toImage(animated))).toEqual(createBlackPng(size));
    expect(await hasPrintedLogo(animated)).toBe(true);
  });

  test("omits an image with more or less pixel data than its header declares", async () => {
    const withPixels = (length: number) =>
      joinBytes(
        PNG_SIGNATURE,
        createPngHeader(size),
        createPngChunk("IDAT", deflateSync(new Uint8Array(length))),
        createPngChunk("IEND"),
      );
    const length = (1 + size.width * 3) * size.height;
    expect(await readSafeImage(toImage(withPixels(length)))).toBeDefined();
    for (const other of [0, length - 1, length + 1, 50_000_000]) {
      expect(await readSafeImage(toImage(withPixels(other)))).toBeUndefined();
    }
    expect(await hasPrintedLogo(withPixels(50_000_000))).toBe(false);
  });

  test("omits an image with more pixels than the limit", async () => {
    expect(await readSafeImage(toImage(createBlackPng({ width: 2001, height: 2000 })))).toBeUndefined();
    const jpeg = (width: number) => toImage(createJpeg({ width, height: 2000, seed: 1 }), "jpeg");
    expect(await readSafeImage(jpeg(2001))).toBeUndefined();
    expect(await readSafeImage(jpeg(2000))).toBeDefined();
  });

  test("prints an ordinary PNG and an ordinary JPEG", async () => {
    expect(await hasPrintedLogo(createBlackPng(size))).toBe(true);
    expect(await hasPrintedLogo(createJpeg({ ...size, seed: 1 }), "jpeg")).toBe(true);
  });

  test("omits an image of another type than declared", async () => {
    expect(await readSafeImage(toImage(createBlackPng(size), "jpeg"))).toBeUndefined();
  });
});

describe("an imported logo", () => {
  const importLogo = (bytes: Uint8Array) => rebuildImportedLogo(toImage(bytes).base64);

  // Proves "security.md": A40
  test("is stored without texts and animation frames", () => {
    const plain = createBlackPng(size);
    const withText = createBlackPng(size, createPngChunk("tEXt", new TextEncoder().encode("GPS 39.57N <script>")));
    expect(withText.length).toBeGreaterThan(plain.length);
    for (const bytes of [plain, withText, createAnimatedPng(size, size, 2)])
      expect(importLogo(bytes)).toBe(toImage(plain).base64);
    const jpeg = createJpeg({ ...size, seed: 1 });
    expect(importLogo(jpeg)).toBe(toImage(jpeg).base64);
  });

  // Proves "security.md": A37
  test.each([
    ["fewer pixels than declared", createPngWithMissingPixels()],
    ["more pixels than declared", createPngWithExcessPixels()],
    ["too many pixels to print", createBlackPng({ width: 2001, height: 2000 })],
    ["another format", createWebp(size)],
  ])("is refused with %s", (_, bytes) => {
    expect(importLogo(bytes)).toBeUndefined();
  });
});
