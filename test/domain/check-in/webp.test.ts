import { describe, expect, test } from "vitest";
import { cleanWebp } from "#domain/check-in/webp.ts";
import { webpCanvas, webpChunk, webpFile, webpFrame } from "#support/images.ts";

const size = { width: 640, height: 480 };
const secret = new TextEncoder().encode("GPS 39.5,2.6");
const lossless = webpChunk("VP8L", Uint8Array.of(0x2f, 0x7f, 0xc2, 0x77, 0x00, 0, 0));

// Proves "security.md": A40
test("rebuilds a WebP from its image, without color profile, location and texts", () => {
  const [profile, exif, xmp, other] = ["ICCP", "EXIF", "XMP ", "abcd"].map((name) => webpChunk(name, secret));
  const uploadedImage = webpFile(
    webpCanvas(size, 0x2c),
    ...[profile, webpFrame(size), exif, xmp, other].flatMap((c) => c ?? []),
  );
  expect(cleanWebp(uploadedImage)).toEqual({ ...size, bytes: webpFile(webpFrame(size)) });
});

test("keeps the transparency of a WebP, and removes its metadata", () => {
  const alpha = webpChunk("ALPH", Uint8Array.of(0, 1, 2));
  const uploadedImage = webpFile(webpCanvas(size, 0x3c), alpha, webpFrame(size), webpChunk("EXIF", secret));
  expect(cleanWebp(uploadedImage)?.bytes).toEqual(webpFile(webpCanvas(size, 0x10), alpha, webpFrame(size)));
});

test("reads the size of a lossless WebP", () => {
  expect(cleanWebp(webpFile(lossless))).toMatchObject(size);
});

describe("invalid WebP files", () => {
  const small = { width: 1, height: 1 };
  test.each([
    ["whose canvas has another size than its image", webpFile(webpCanvas(small), webpFrame(size))],
    ["with two canvases", webpFile(webpCanvas(size), webpCanvas(size), webpFrame(size))],
    ["with two images", webpFile(webpCanvas(size), webpFrame(size), webpFrame(size))],
    ["without an image", webpFile(webpCanvas(size))],
    ["that is animated", webpFile(webpCanvas(size, 2), webpChunk("ANIM", secret), webpFrame(size))],
    ["with frames of an animation", webpFile(webpCanvas(size), webpChunk("ANMF", secret), webpFrame(size))],
    ["without a key frame", webpFile(webpChunk("VP8 ", Uint8Array.of(1, 0, 0, 0x9d, 1, 0x2a, 9, 0, 9, 0, 1)))],
    [
      "whose first partition is longer than its image",
      webpFile(webpChunk("VP8 ", Uint8Array.of(0, 0xff, 0xff, 0x9d, 1, 0x2a, 9, 0, 9, 0, 1))),
    ],
    ["of no pixels", webpFile(webpFrame({ width: 0, height: 9 }))],
    ["of an unknown version", webpFile(webpChunk("VP8L", Uint8Array.of(0x2f, 1, 0, 0, 0xe0, 0)))],
    ["whose last chunk is cut off", webpFile(webpFrame(size).slice(0, -4))],
    ["with thousands of chunks", webpFile(...Array(1_001).fill(webpChunk("abcd", new Uint8Array())), webpFrame(size))],
  ])("rejects a WebP %s", (_, bytes) => {
    expect(cleanWebp(bytes)).toBeUndefined();
  });
});
