import { describe, expect, test } from "vitest";
import { readImage } from "#domain/check-in/images.ts";
import { cleanJpeg, listJpegParts } from "#domain/check-in/jpeg.ts";
import { aJpeg, joinBytes } from "#support/images.ts";

const plain = aJpeg({ width: 100, height: 50, seed: 1 });
const head = plain.subarray(0, 2);
const body = plain.subarray(2);
const segment = (code: number, content: Uint8Array) =>
  joinBytes(Uint8Array.from([0xff, code, (content.length + 2) >> 8, (content.length + 2) & 0xff]), content);
const frame = segment(0xc0, Uint8Array.from([8, 0, 9, 0, 9, 1, 1, 0x11, 0]));

describe("a JPEG", () => {
  // Proves "security.md": A40
  test("keeps only the tables, frame and scans of a JPEG", () => {
    const cleaned = cleanJpeg(plain);
    const withText = joinBytes(head, segment(0xe1, new Uint8Array(500)), segment(0xfe, new Uint8Array(9)), body);
    expect(cleanJpeg(withText)).toEqual(cleaned);
    expect(readImage(cleaned ?? new Uint8Array())).toEqual(readImage(plain));
  });

  test("keeps a JPEG's orientation in either byte order, and removes the location", () => {
    const exif = (isLittle: boolean, orientation: number) => {
      const tiff = new DataView(new ArrayBuffer(60));
      tiff.setUint16(0, isLittle ? 0x4949 : 0x4d4d);
      tiff.setUint16(2, 42, isLittle);
      tiff.setUint32(4, 8, isLittle);
      tiff.setUint16(8, 2, isLittle);
      // The camera's name, then the orientation.
      for (const [at, tag, value] of [
        [10, 0x010f, 0],
        [22, 0x0112, orientation],
      ] as const) {
        tiff.setUint16(at, tag, isLittle);
        tiff.setUint16(at + 2, 3, isLittle);
        tiff.setUint32(at + 4, 1, isLittle);
        tiff.setUint16(at + 8, value, isLittle);
      }
      const content = joinBytes(
        new TextEncoder().encode("Exif\0\0"),
        new Uint8Array(tiff.buffer),
        new TextEncoder().encode("39.57N"),
      );
      return joinBytes(head, segment(0xe1, content), body);
    };
    const turned = cleanJpeg(exif(true, 6)) ?? new Uint8Array();
    expect(turned).toEqual(cleanJpeg(exif(false, 6)));
    expect(new TextDecoder("latin1").decode(turned)).not.toContain("39.57N");
    expect(turned.length).toBe((cleanJpeg(plain)?.length ?? 0) + 36);
    expect(cleanJpeg(turned)).toEqual(turned);
    expect(readImage(turned)).toEqual(readImage(plain));
    for (const orientation of [0, 1, 9]) expect(cleanJpeg(exif(true, orientation))).toEqual(cleanJpeg(plain));
  });

  test.each([
    ["a byte of 255", [0xff, 0x00]],
    ["the first restart", [0xff, 0xd0]],
    ["the last restart", [0xff, 0xd7]],
    ["a byte of filling", [0xff]],
  ])("keeps %s in its data, and loses a comment after it", (_, bytes) => {
    const scan = segment(0xda, Uint8Array.from([1, 1, 0, 0, 63, 0]));
    const data = joinBytes(head, frame, scan, Uint8Array.from([1, ...bytes]));
    const end = Uint8Array.from([0xff, 0xd9]);
    expect(cleanJpeg(joinBytes(data, segment(0xfe, new Uint8Array(9)), end))).toEqual(cleanJpeg(joinBytes(data, end)));
    expect(cleanJpeg(joinBytes(data, end))).toHaveLength(data.length + end.length);
  });

  test("removes bytes after the image of a JPEG", () => {
    expect(cleanJpeg(joinBytes(plain, new TextEncoder().encode("<script>"), plain))).toEqual(cleanJpeg(plain));
  });

  test("reads a scan of many restart markers in slices", () => {
    const scan = segment(0xda, Uint8Array.from([1, 1, 0, 0, 63, 0]));
    const restarts = new Uint8Array(200_000).map((_, at) => (at % 2 ? 0xd0 : 0xff));
    const jpeg = joinBytes(head, frame, scan, restarts, Uint8Array.from([0xff, 0xd9]));
    const slices = listJpegParts(jpeg);
    let count = 0;
    let step = slices.next();
    for (; !step.done; step = slices.next()) count++;
    expect(count).toBeGreaterThan(20);
    expect(step.value).toEqual([jpeg]);
  });

  test("rejects a JPEG with two frames, an unknown segment, no end or many scans", () => {
    expect(readImage(joinBytes(head, frame, body))).toBeUndefined();
    expect(cleanJpeg(joinBytes(head, frame, body))).toBeUndefined();
    expect(cleanJpeg(joinBytes(head, segment(0xdc, Uint8Array.from([0, 9])), body))).toBeUndefined();
    expect(cleanJpeg(plain.subarray(0, -2))).toBeUndefined();
    const scan = segment(0xda, Uint8Array.from([1, 1, 0, 0, 63, 0]));
    const scans = Array.from({ length: 50 }, () => scan);
    expect(cleanJpeg(joinBytes(head, frame, ...scans, Uint8Array.from([0xff, 0xd9])))).toBeUndefined();
    expect(cleanJpeg(joinBytes(head, frame, scan, Uint8Array.from([0xff, 0xd9])))).toBeDefined();
    expect(cleanJpeg(joinBytes(head, frame, scan, frame, Uint8Array.from([0xff, 0xd9])))).toBeUndefined();
  });

  test("rejects a JPEG that is cut off at any length", () => {
    for (let length = 0; length < plain.length; length++) expect(cleanJpeg(plain.subarray(0, length))).toBeUndefined();
  });
});
