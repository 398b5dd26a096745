import { describe, expect, test, vi } from "vitest";
import { readImageInfo } from "#domain/check-in/images.ts";
import { listJpegPartsWithoutMetadata, removeJpegMetadata } from "#domain/check-in/jpeg.ts";
import { createDemoRandom } from "#scripts/demo/random.ts";
import { createJpeg, joinBytes } from "#support/images.ts";
import { createRandomPhoto } from "#tools/platform/photo.ts";

const plain = createJpeg({ width: 100, height: 50, seed: 1 });
const head = plain.subarray(0, 2);
const body = plain.subarray(2);
const segment = (code: number, content: Uint8Array) =>
  joinBytes(Uint8Array.from([0xff, code, (content.length + 2) >> 8, (content.length + 2) & 0xff]), content);
const frame = segment(0xc0, Uint8Array.from([8, 0, 9, 0, 9, 1, 1, 0x11, 0]));

const scan = segment(0xda, Uint8Array.from([1, 1, 0, 0, 63, 0]));
const end = Uint8Array.from([0xff, 0xd9]);

describe("a JPEG", () => {
  test("leaves a clean JPEG unchanged, as tools expect that compare the stored file with the sent one", () => {
    const { bytes } = createRandomPhoto(createDemoRandom("photo"));
    expect(removeJpegMetadata(Uint8Array.from(bytes))).toEqual(bytes);
  });

  // Proves "security.md": A40
  test("keeps only the tables, frame and scans of a JPEG", () => {
    const cleaned = removeJpegMetadata(plain);
    const withText = joinBytes(head, segment(0xe1, new Uint8Array(500)), segment(0xfe, new Uint8Array(9)), body);
    expect(removeJpegMetadata(withText)).toEqual(cleaned);
    expect(readImageInfo(cleaned ?? new Uint8Array())).toEqual(readImageInfo(plain));
  });

  // Proves "security.md": A40
  test("keeps the color segments of a JPEG, and removes thumbnails and texts in segments of the same codes", () => {
    const encode = (text: string) => new TextEncoder().encode(text);
    const jfif = joinBytes(encode("JFIF\0"), Uint8Array.of(1, 1, 0, 0, 1, 0, 1));
    const adobe = joinBytes(encode("Adobe"), Uint8Array.of(0, 100, 0, 0, 0, 0, 1));
    const rest = plain.subarray(plain.indexOf(0xc0) - 1);
    const whole = joinBytes(head, segment(0xe0, joinBytes(jfif, Uint8Array.of(0, 0))), segment(0xee, adobe), rest);
    expect(removeJpegMetadata(whole)).toEqual(whole);
    const hidden = encode("39.57N <script>");
    const others = [
      segment(0xe0, joinBytes(jfif, Uint8Array.of(5, 1), hidden)),
      segment(0xe0, joinBytes(encode("JFXX\0"), hidden)),
      segment(0xe0, hidden),
      segment(0xee, joinBytes(adobe, hidden)),
      segment(0xee, encode("39.57N <scrip>")),
    ];
    expect(removeJpegMetadata(joinBytes(head, ...others, rest))).toEqual(joinBytes(head, rest));
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
    const turned = removeJpegMetadata(exif(true, 6)) ?? new Uint8Array();
    expect(turned).toEqual(removeJpegMetadata(exif(false, 6)));
    expect(new TextDecoder("latin1").decode(turned)).not.toContain("39.57N");
    expect(turned.length).toBe((removeJpegMetadata(plain)?.length ?? 0) + 36);
    expect(removeJpegMetadata(turned)).toEqual(turned);
    expect(readImageInfo(turned)).toEqual(readImageInfo(plain));
    for (const orientation of [0, 1, 9])
      expect(removeJpegMetadata(exif(true, orientation))).toEqual(removeJpegMetadata(plain));
  });

  test.each([
    ["a byte of 255", [0xff, 0x00]],
    ["the first restart marker", [0xff, 0xd0]],
    ["the last restart marker", [0xff, 0xd7]],
    ["a fill byte", [0xff]],
  ])("keeps %s in a JPEG's image data, and removes a comment after it", (_, bytes) => {
    const data = joinBytes(head, frame, scan, Uint8Array.from([1, ...bytes]));
    expect(removeJpegMetadata(joinBytes(data, segment(0xfe, new Uint8Array(9)), end))).toEqual(
      removeJpegMetadata(joinBytes(data, end)),
    );
    expect(removeJpegMetadata(joinBytes(data, end))).toHaveLength(data.length + end.length);
  });

  test("removes bytes after the image of a JPEG", () => {
    expect(removeJpegMetadata(joinBytes(plain, new TextEncoder().encode("<script>"), plain))).toEqual(
      removeJpegMetadata(plain),
    );
  });

  test("scans the restart markers of a large JPEG in small slices", () => {
    const restarts = new Uint8Array(200_000).map((_, at) => (at % 2 ? 0xd0 : 0xff));
    const jpeg = joinBytes(head, frame, scan, restarts, end);
    const slices = listJpegPartsWithoutMetadata(jpeg);
    let count = 0;
    let step = slices.next();
    for (; !step.done; step = slices.next()) count++;
    expect(count).toBeGreaterThan(20);
    expect(step.value).toEqual([jpeg]);
  });

  test("rejects a JPEG with two frames, an unknown segment, no end or many scans", () => {
    expect(readImageInfo(joinBytes(head, frame, body))).toBeUndefined();
    expect(removeJpegMetadata(joinBytes(head, frame, body))).toBeUndefined();
    expect(removeJpegMetadata(joinBytes(head, segment(0xdc, Uint8Array.from([0, 9])), body))).toBeUndefined();
    expect(removeJpegMetadata(plain.subarray(0, -2))).toBeUndefined();
    const scans = Array.from({ length: 50 }, () => scan);
    expect(removeJpegMetadata(joinBytes(head, frame, ...scans, end))).toBeUndefined();
    expect(removeJpegMetadata(joinBytes(head, frame, scan, end))).toBeDefined();
    expect(removeJpegMetadata(joinBytes(head, frame, scan, frame, end))).toBeUndefined();
  });

  test.each([
    ["lossless", [0xc3, 8, 1]],
    ["hierarchical", [0xc5, 8, 1]],
    ["arithmetically coded", [0xc9, 8, 1]],
    ["progressive and arithmetically coded", [0xca, 8, 1]],
    ["12-bit", [0xc1, 12, 1]],
    ["two-color", [0xc0, 8, 2]],
    ["five-color", [0xc0, 8, 5]],
    ["header longer than its colors need", [0xc0, 8, 3, 1]],
  ])("rejects a JPEG that browsers can't display: %s", (_, [code = 0, bits = 0, components = 0, extra = 0]) => {
    const header = Uint8Array.from([bits, 0, 9, 0, 9, components, ...Array<number>(components * 3 + extra).fill(1)]);
    expect(readImageInfo(joinBytes(head, segment(code, header), scan, end))).toBeUndefined();
  });

  test.each([
    ["baseline", 0xc0, 1],
    ["extended", 0xc1, 3],
    ["progressive", 0xc2, 3],
    ["CMYK", 0xc0, 4],
  ])("reads type and size of a %s JPEG", (_, code, components) => {
    const header = Uint8Array.from([8, 0, 9, 0, 7, components, ...Array<number>(components * 3).fill(1)]);
    const bytes = joinBytes(head, segment(code, header), scan, end);
    expect(readImageInfo(bytes)).toEqual({ contentType: "image/jpeg", width: 7, height: 9 });
  });

  // Proves "security.md": A70
  test("stops reading a JPEG of thousands of frame headers at the second", () => {
    const frames = joinBytes(head, ...Array<Uint8Array>(2_000).fill(frame), end);
    const reads = vi.spyOn(DataView.prototype, "getUint16");
    expect(readImageInfo(frames)).toBeUndefined();
    expect(reads.mock.calls.length).toBeLessThan(50);
    reads.mockRestore();
  });

  test("rejects a JPEG that is cut off at any length", () => {
    for (let length = 0; length < plain.length; length++)
      expect(removeJpegMetadata(plain.subarray(0, length))).toBeUndefined();
  });
});
