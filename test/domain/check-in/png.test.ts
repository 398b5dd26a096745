import { inflateSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { readImageInfo } from "#domain/check-in/images.ts";
import { removePngMetadata } from "#domain/check-in/png.ts";
import { joinBytes } from "#support/images.ts";
import {
  createAnimatedPng,
  createBlackPixels,
  createBlackPng,
  createPngChunk,
  createPngHeader,
  createPngWithUnterminatedText,
  PNG_SIGNATURE,
} from "#support/png-files.ts";

const size = { width: 10, height: 5 };
const data = createPngChunk("IDAT", createBlackPixels(size));
const header = createPngHeader(size);
const end = createPngChunk("IEND");
const file = (...chunks: readonly Uint8Array[]) => joinBytes(PNG_SIGNATURE, ...chunks);

describe("a cleaned PNG", () => {
  test("keeps only the chunks of a PNG that a decoder needs", () => {
    const plain = createBlackPng(size);
    for (const other of [
      createPngChunk("tEXt", Uint8Array.of(65, 0, 66)),
      createPngChunk("gAMA", new Uint8Array(4)),
      createPngChunk("acTL"),
    ]) {
      expect(removePngMetadata(createBlackPng(size, other))?.bytes).toEqual(plain);
    }
    expect(removePngMetadata(createAnimatedPng(size, { width: 300, height: 300 }, 10))?.bytes).toEqual(plain);
  });

  test("keeps the palette of a PNG and its transparency", () => {
    const indexed = [
      createPngHeader({ ...size, colorType: 3 }),
      createPngChunk("PLTE", new Uint8Array(6)),
      createPngChunk("tRNS", new Uint8Array(2)),
      createPngChunk("IDAT", Uint8Array.of(1)),
      createPngChunk("IDAT", Uint8Array.of(2)),
      end,
    ];
    expect(removePngMetadata(file(...indexed))).toMatchObject({
      bytes: file(...indexed),
      compressed: Uint8Array.of(1, 2),
    });
  });

  test("removes a PNG text chunk without an end", () => {
    expect(removePngMetadata(createPngWithUnterminatedText())).toMatchObject({
      bytes: createBlackPng({ width: 8, height: 8 }),
    });
  });

  test.each([
    [{ ...size, colorType: 0, bitDepth: 1 }, (1 + 2) * 5],
    [{ ...size, colorType: 2, bitDepth: 16 }, (1 + 60) * 5],
    [{ ...size, colorType: 4 }, (1 + 20) * 5],
    [{ ...size, colorType: 6 }, (1 + 40) * 5],
    // Passes of 2×1, 1×1, 3×1, 2×2, 5×1, 5×3 and 10×2 pixels.
    [{ ...size, colorType: 0, interlace: 1 }, 3 + 2 + 4 + 6 + 6 + 18 + 22],
    [{ width: 1, height: 1, colorType: 0, interlace: 1 }, 2],
  ])("calculates the pixel data length for the header %o", (image, length) => {
    expect(removePngMetadata(file(createPngHeader(image), data, end))?.decompressedLength).toBe(length);
  });

  test("calculates the pixel data length of a real PNG", () => {
    const cleaned = removePngMetadata(createBlackPng(size));
    expect(inflateSync(cleaned?.compressed ?? new Uint8Array())).toHaveLength(cleaned?.decompressedLength ?? 0);
  });
});

const invalid: Readonly<Record<string, Uint8Array>> = {
  "no header": file(data, end),
  "a chunk before the header": file(createPngChunk("CgBI", new Uint8Array(4)), header, data, end),
  "a second header": file(header, createPngHeader({ width: 30_000, height: 30_000 }), data, end),
  "a short header": file(createPngChunk("IHDR", new Uint8Array(8).fill(1)), data, end),
  "no width": file(createPngHeader({ width: 0, height: 5 }), data, end),
  "a height beyond 31 bits": file(createPngHeader({ width: 1, height: 0x8000_0000 }), data, end),
  "an unknown color type": file(createPngHeader({ ...size, colorType: 5 }), data, end),
  "a bit depth of another color type": file(createPngHeader({ ...size, bitDepth: 4 }), data, end),
  "an unknown interlace method": file(createPngHeader({ ...size, interlace: 2 }), data, end),
  "no data": file(header, end),
  "no end": file(header, data),
  "an end with content": file(header, data, createPngChunk("IEND", Uint8Array.of(1))),
  "bytes after the end": file(header, data, end, Uint8Array.of(0)),
  "a chunk beyond the end of the file": file(header, data, createPngChunk("tEXt", new Uint8Array(40)).subarray(0, 30)),
  "an unknown required chunk": file(header, createPngChunk("ABCD"), data, end),
  "no palette for its indexes": file(createPngHeader({ ...size, colorType: 3 }), data, end),
  "a palette after the data": file(header, data, createPngChunk("PLTE", new Uint8Array(3)), end),
  "a broken palette": file(header, createPngChunk("PLTE", new Uint8Array(4)), data, end),
  "a transparency of the wrong length": file(header, createPngChunk("tRNS", new Uint8Array(5)), data, end),
};

test.each(Object.entries(invalid))("rejects a PNG with %s as an image", (_, bytes) => {
  expect(removePngMetadata(bytes)).toBeUndefined();
  expect(readImageInfo(bytes)).toBeUndefined();
});

test("cleans or rejects any bytes as a PNG without an exception", () => {
  const names = fc.constantFrom("IHDR", "PLTE", "tRNS", "IDAT", "IEND", "iTXt", "fcTL", "fdAT");
  const chunks = fc.array(fc.tuple(names, fc.uint8Array({ maxLength: 30 })), { maxLength: 12 });
  fc.assert(
    fc.property(chunks, fc.nat(400), (parts, length) => {
      const bytes = file(header, ...parts.map(([name, content]) => createPngChunk(name, content)), end).subarray(
        0,
        length,
      );
      expect(() => removePngMetadata(bytes)).not.toThrow();
    }),
  );
});

test("rejects a PNG with 20,000 chunks or more", () => {
  const many = (count: number) => joinBytes(...Array.from({ length: count }, () => createPngChunk("tEXt")));
  expect(removePngMetadata(file(header, many(19_000), data, end))?.bytes).toEqual(createBlackPng(size));
  expect(removePngMetadata(file(header, many(20_000), data, end))).toBeUndefined();
});
