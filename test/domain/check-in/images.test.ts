import fc from "fast-check";
import { expect, test } from "vitest";
import { readImageInfo } from "#domain/check-in/images.ts";
import { createHeic, createJpeg, createPng, createWebp, joinBytes } from "#support/images.ts";

const size = { width: fc.integer({ min: 1, max: 16_000 }), height: fc.integer({ min: 1, max: 16_000 }) };

test("recognizes an image and its size by its structure", () => {
  fc.assert(
    fc.property(fc.record(size), fc.nat(250), (imageSize, seed) => {
      expect(readImageInfo(createJpeg({ ...imageSize, seed }))).toEqual({ contentType: "image/jpeg", ...imageSize });
      expect(readImageInfo(createPng(imageSize))).toEqual({ contentType: "image/png", ...imageSize });
      expect(readImageInfo(createWebp(imageSize))).toEqual({ contentType: "image/webp", ...imageSize });
      expect(readImageInfo(createHeic(imageSize))).toEqual({ contentType: "image/heic", ...imageSize });
    }),
  );
});

test.each(["heic", "heix", "hevc", "mif1", "msf1"])(
  "accepts a HEIC image of the brand %s, and rejects videos and images of other brands",
  (brand) => {
    const size = { width: 4032, height: 3024 };
    expect(readImageInfo(createHeic({ ...size, brand }))).toEqual({ contentType: "image/heic", ...size });
    for (const other of ["avif", "isom", "mp42", "qt  "])
      expect(readImageInfo(createHeic({ ...size, brand: other }))).toBeUndefined();
  },
);

test("rejects a HEIC whose boxes don't fill the file or describe no image", () => {
  const photo = createHeic({ width: 9, height: 9 });
  expect(readImageInfo(photo.slice(0, -1))).toBeUndefined();
  expect(readImageInfo(joinBytes(photo, new TextEncoder().encode("<script>alert(1)</script>")))).toBeUndefined();
  const undescribed = Uint8Array.from(photo);
  undescribed.set(new TextEncoder().encode("free"), new TextDecoder("latin1").decode(photo).indexOf("meta"));
  expect(readImageInfo(undescribed)).toBeUndefined();
});

test("reads any bytes as an image without an exception", () => {
  const starts = [
    createJpeg({ width: 9, height: 9, seed: 1 }),
    createPng({ width: 9, height: 9 }),
    createWebp({ width: 9, height: 9 }),
    createHeic({ width: 9, height: 9 }),
  ];
  fc.assert(
    fc.property(
      fc.constantFrom(...starts),
      fc.nat(60),
      fc.uint8Array({ maxLength: 80 }),
      (start, prefixLength, noise) => {
        expect(() => readImageInfo(joinBytes(start.slice(0, prefixLength), noise))).not.toThrow();
      },
    ),
  );
});

test("rejects a file with extra bytes after its image", () => {
  const bytesAfter = fc
    .uint8Array({ minLength: 2, maxLength: 40 })
    .filter((bytes) => bytes.at(-1) !== 0xd9 || bytes.at(-2) !== 0xff);
  fc.assert(
    fc.property(bytesAfter, (bytes) => {
      for (const image of [
        createJpeg({ width: 9, height: 9, seed: 1 }),
        createPng({ width: 9, height: 9 }),
        createWebp({ width: 9, height: 9 }),
        createHeic({ width: 9, height: 9 }),
      ]) {
        expect(readImageInfo(joinBytes(image, bytes))).toBeUndefined();
      }
    }),
  );
});
