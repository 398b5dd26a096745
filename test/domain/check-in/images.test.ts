import fc from "fast-check";
import { expect, test } from "vitest";
import { readImageInfo } from "#domain/check-in/images.ts";
import { aHeic, aJpeg, aPng, aWebp, joinBytes } from "#support/images.ts";

const size = { width: fc.integer({ min: 1, max: 16_000 }), height: fc.integer({ min: 1, max: 16_000 }) };

test("recognizes an image and its size by its structure", () => {
  fc.assert(
    fc.property(fc.record(size), fc.nat(250), (imageSize, seed) => {
      expect(readImageInfo(aJpeg({ ...imageSize, seed }))).toEqual({ contentType: "image/jpeg", ...imageSize });
      expect(readImageInfo(aPng(imageSize))).toEqual({ contentType: "image/png", ...imageSize });
      expect(readImageInfo(aWebp(imageSize))).toEqual({ contentType: "image/webp", ...imageSize });
      expect(readImageInfo(aHeic(imageSize))).toEqual({ contentType: "image/heic", ...imageSize });
    }),
  );
});

test.each(["heic", "heix", "hevc", "mif1", "msf1"])(
  "accepts a HEIC image of the brand %s, and rejects videos and images of other brands",
  (brand) => {
    const size = { width: 4032, height: 3024 };
    expect(readImageInfo(aHeic({ ...size, brand }))).toEqual({ contentType: "image/heic", ...size });
    for (const other of ["avif", "isom", "mp42", "qt  "])
      expect(readImageInfo(aHeic({ ...size, brand: other }))).toBeUndefined();
  },
);

test("rejects a HEIC whose boxes don't fill the file or describe no image", () => {
  const photo = aHeic({ width: 9, height: 9 });
  expect(readImageInfo(photo.slice(0, -1))).toBeUndefined();
  expect(readImageInfo(joinBytes(photo, new TextEncoder().encode("<script>alert(1)</script>")))).toBeUndefined();
  const undescribed = Uint8Array.from(photo);
  undescribed.set(new TextEncoder().encode("free"), new TextDecoder("latin1").decode(photo).indexOf("meta"));
  expect(readImageInfo(undescribed)).toBeUndefined();
});

test("reads any bytes as an image without an exception", () => {
  const starts = [
    aJpeg({ width: 9, height: 9, seed: 1 }),
    aPng({ width: 9, height: 9 }),
    aWebp({ width: 9, height: 9 }),
    aHeic({ width: 9, height: 9 }),
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
        aJpeg({ width: 9, height: 9, seed: 1 }),
        aPng({ width: 9, height: 9 }),
        aWebp({ width: 9, height: 9 }),
        aHeic({ width: 9, height: 9 }),
      ]) {
        expect(readImageInfo(joinBytes(image, bytes))).toBeUndefined();
      }
    }),
  );
});
