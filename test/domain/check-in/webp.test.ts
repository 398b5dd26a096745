import { describe, expect, test } from "vitest";
import { removeWebpMetadata } from "#domain/check-in/webp.ts";
import { createWebpCanvas, createWebpChunk, createWebpFile, createWebpFrame } from "#support/images.ts";

const size = { width: 640, height: 480 };
const secret = new TextEncoder().encode("GPS 39.5,2.6");
const lossless = createWebpChunk("VP8L", Uint8Array.of(0x2f, 0x7f, 0xc2, 0x77, 0x00, 0, 0));

// Proves "security.md": A40
test("rebuilds a WebP from its image, without color profile, location and texts", () => {
  const [profile, exif, xmp, other] = ["ICCP", "EXIF", "XMP ", "abcd"].map((name) => createWebpChunk(name, secret));
  const uploadedImage = createWebpFile(
    createWebpCanvas(size, 0x2c),
    ...[profile, createWebpFrame(size), exif, xmp, other].flatMap((c) => c ?? []),
  );
  expect(removeWebpMetadata(uploadedImage)).toEqual({ ...size, bytes: createWebpFile(createWebpFrame(size)) });
});

test("keeps the transparency of a WebP, and removes its metadata", () => {
  const alpha = createWebpChunk("ALPH", Uint8Array.of(0, 1, 2));
  const uploadedImage = createWebpFile(
    createWebpCanvas(size, 0x3c),
    alpha,
    createWebpFrame(size),
    createWebpChunk("EXIF", secret),
  );
  expect(removeWebpMetadata(uploadedImage)?.bytes).toEqual(
    createWebpFile(createWebpCanvas(size, 0x10), alpha, createWebpFrame(size)),
  );
});

test("reads the size of a lossless WebP", () => {
  expect(removeWebpMetadata(createWebpFile(lossless))).toMatchObject(size);
});

describe("invalid WebP files", () => {
  const small = { width: 1, height: 1 };
  test.each([
    ["whose canvas has another size than its image", createWebpFile(createWebpCanvas(small), createWebpFrame(size))],
    ["with two canvases", createWebpFile(createWebpCanvas(size), createWebpCanvas(size), createWebpFrame(size))],
    ["with two images", createWebpFile(createWebpCanvas(size), createWebpFrame(size), createWebpFrame(size))],
    ["without an image", createWebpFile(createWebpCanvas(size))],
    [
      "that is animated",
      createWebpFile(createWebpCanvas(size, 2), createWebpChunk("ANIM", secret), createWebpFrame(size)),
    ],
    [
      "with frames of an animation",
      createWebpFile(createWebpCanvas(size), createWebpChunk("ANMF", secret), createWebpFrame(size)),
    ],
    [
      "without a key frame",
      createWebpFile(createWebpChunk("VP8 ", Uint8Array.of(1, 0, 0, 0x9d, 1, 0x2a, 9, 0, 9, 0, 1))),
    ],
    [
      "whose first partition is longer than its image",
      createWebpFile(createWebpChunk("VP8 ", Uint8Array.of(0, 0xff, 0xff, 0x9d, 1, 0x2a, 9, 0, 9, 0, 1))),
    ],
    ["of no pixels", createWebpFile(createWebpFrame({ width: 0, height: 9 }))],
    ["of an unknown version", createWebpFile(createWebpChunk("VP8L", Uint8Array.of(0x2f, 1, 0, 0, 0xe0, 0)))],
    ["whose last chunk is cut off", createWebpFile(createWebpFrame(size).slice(0, -4))],
    [
      "with thousands of chunks",
      createWebpFile(...Array(1_001).fill(createWebpChunk("abcd", new Uint8Array())), createWebpFrame(size)),
    ],
  ])("rejects a WebP %s", (_, bytes) => {
    expect(removeWebpMetadata(bytes)).toBeUndefined();
  });
});
