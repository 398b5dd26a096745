import { describe, expect, test } from "vitest";
import { removeHeicMetadata } from "#domain/check-in/heic.ts";
import { readImageInfo } from "#domain/check-in/images.ts";
import { createHeic, joinBytes } from "#support/images.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const number = (value: number, bytes: number) =>
  Uint8Array.from({ length: bytes }, (_, at) => Math.floor(value / 256 ** (bytes - 1 - at)) % 256);
const box = (name: string, ...content: readonly Uint8Array[]) => {
  const inner = joinBytes(...content);
  return joinBytes(number(inner.length + 8, 4), encode(name), inner);
};
const SECRET = encode("GPS 39.57N 2.65E");
const SIZE = box("ispe", number(0, 4), number(90, 4), number(60, 4));
const TYPE = box("ftyp", encode("heic\0\0\0\0mif1heic"));

interface Layout {
  readonly version: number;
  readonly method: number;
  readonly itemType: string;
  readonly length: number;
}

/** Creates a HEIC with a text as its second item, in `mdat` or in `idat`. */
function createHeicPhoto({ version = 0, method = 0, itemType = "Exif", length = SECRET.length }: Partial<Layout> = {}) {
  const idBytes = version < 2 ? 2 : 4;
  const entry = (id: number, type: string) =>
    box("infe", number(2, 1), number(0, 3), number(id, 2), number(0, 2), encode(type), number(0, 1));
  const items = box("iinf", number(0, 4), number(2, 2), entry(1, "hvc1"), entry(2, itemType));
  const place = (id: number, offset: number, size: number) =>
    joinBytes(
      number(id, idBytes),
      version > 0 ? number(id === 2 ? method : 0, 2) : new Uint8Array(),
      ...[number(0, 2), number(0, 4), number(1, 2), number(offset, 4), number(size, 4)],
    );
  const write = (offset: number) =>
    joinBytes(
      TYPE,
      box(
        "meta",
        ...[number(0, 4), box("iprp", box("ipco", SIZE)), items],
        box(
          "iloc",
          ...[number(version, 1), number(0, 3), Uint8Array.of(0x44, 0x40), number(2, idBytes)],
          ...[place(1, 0, 1), place(2, offset, length)],
        ),
        ...(method === 1 ? [box("idat", encode("left"), SECRET, encode("right"))] : []),
      ),
      box("mdat", encode("pixels"), method === 1 ? new Uint8Array() : SECRET, encode("pixels")),
    );
  if (method === 1) return write(4);
  return write(new TextDecoder("latin1").decode(write(0)).indexOf("GPS"));
}

const toText = (bytes: Uint8Array | undefined) => new TextDecoder("latin1").decode(bytes);
const eraseSecret = (photo: Uint8Array) => toText(photo).replace(toText(SECRET), "\0".repeat(SECRET.length));

describe("a HEIC", () => {
  // Proves "security.md": A40
  test.each<[string, Partial<Layout>]>([
    ["Exif of a phone", {}],
    ["XMP", { itemType: "mime" }],
    ["Exif at a location of version 1", { version: 1 }],
    ["Exif at a location of version 2", { version: 2 }],
    ["Exif among the properties", { version: 1, method: 1 }],
  ])("removes the location from a HEIC and keeps its image and positions: %s", (_, layout) => {
    const photo = createHeicPhoto(layout);
    expect(toText(removeHeicMetadata(photo))).toBe(eraseSecret(photo));
    expect(readImageInfo(removeHeicMetadata(photo) ?? photo)).toEqual({
      contentType: "image/heic",
      width: 90,
      height: 60,
    });
  });

  test("leaves a HEIC without metadata unchanged", () => {
    const photos = [
      createHeic({ width: 9, height: 9 }),
      createHeicPhoto({ itemType: "hvc1" }),
      removeHeicMetadata(createHeicPhoto()) ?? SECRET,
    ];
    for (const photo of photos) expect(removeHeicMetadata(Uint8Array.from(photo))).toEqual(photo);
  });

  // Proves "security.md": A40
  test.each(["free", "skip", "uuid", "udta"])("erases the content of a HEIC's box %s", (name) => {
    const photo = joinBytes(createHeicPhoto({ itemType: "hvc1" }), box(name, SECRET));
    expect(removeHeicMetadata(photo)?.subarray(-SECRET.length)).toEqual(new Uint8Array(SECRET.length));
  });

  // Samsung phones append bytes after the boxes. Others use a 64-bit size, or a box up to the end of the
  // file.
  test.each<[string, (photo: Uint8Array<ArrayBuffer>) => Uint8Array<ArrayBuffer>]>([
    ["bytes after its boxes", (photo) => joinBytes(photo, encode("SEFHk\0\0\0trailer-SEFT"))],
    [
      "a box of 64 bits",
      (photo) => joinBytes(photo, number(1, 4), encode("mpvd"), number(0, 7), number(19, 1), SIZE.subarray(0, 3)),
    ],
    ["a box up to its end", (photo) => joinBytes(photo, number(0, 4), encode("mdat"), SIZE)],
  ])("removes the location from a HEIC and keeps the image with %s", (_, extend) => {
    const photo = extend(createHeicPhoto());
    expect(toText(removeHeicMetadata(photo))).toBe(eraseSecret(photo));
  });

  test.each(["udta", "meta"])("erases the metadata box %s of the video in a HEIC file", (name) => {
    const photo = joinBytes(TYPE, box("moov", box("mvhd", SIZE), box(name, SECRET)));
    expect(toText(removeHeicMetadata(photo))).toBe(eraseSecret(photo));
  });

  test.each<[string, Uint8Array<ArrayBuffer>]>([
    ["names more bytes than it has", createHeicPhoto({ length: 1_000_000 })],
    ["refers to further items", createHeicPhoto({ version: 1, method: 2 })],
    [
      "has a list of items cut off",
      box("meta", number(0, 4), box("iinf", number(0, 6), number(99, 4), encode("infe"))),
    ],
    [
      "has thousands of boxes in a video",
      box(
        "moov",
        new Uint8Array(8 * 65_537).map((_, at) => (at % 8 === 3 ? 8 : 0)),
      ),
    ],
    [
      "has no item locations",
      box("meta", number(0, 4), box("iinf", number(0, 6), box("infe", number(2, 1), number(0, 7), encode("Exif")))),
    ],
    ["has item locations without a length", joinBytes(TYPE, withLayout(createHeicPhoto(), 0x4000))],
    ["has half a megabyte of items", joinBytes(TYPE, box("meta", number(0, 4), box("iinf", new Uint8Array(500_000))))],
  ])("rejects a HEIC that %s", (_, bytes) => {
    expect(removeHeicMetadata(bytes)).toBeUndefined();
  });

  test("reads boxes nested thousands of times without an exception, and finds no image in them", () => {
    for (const name of ["meta", "iprp", "ipco", "moov"]) {
      let nested: Uint8Array<ArrayBuffer> = SIZE;
      for (let level = 0; level < 2_000; level++)
        nested = box(name, name === "meta" ? number(0, 4) : SIZE.subarray(0, 0), nested);
      const bytes = joinBytes(TYPE, nested);
      expect([name, removeHeicMetadata(bytes) === undefined || readImageInfo(bytes) === undefined]).toEqual([
        name,
        true,
      ]);
    }
  });

  test("cleans a HEIC without an exception whatever byte is changed", () => {
    const photo = createHeicPhoto({ version: 1 });
    for (let at = 0; at < photo.length; at++) {
      const changed = Uint8Array.from(photo);
      changed[at] = 255;
      expect(() => removeHeicMetadata(changed)).not.toThrow();
    }
  });
});

function withLayout(photo: Uint8Array, layout: number): Uint8Array<ArrayBuffer> {
  const changed = Uint8Array.from(photo.subarray(TYPE.length));
  new DataView(changed.buffer).setUint16(toText(changed).indexOf("iloc") + 8, layout);
  return changed;
}
