export interface ZipEntry {
  readonly name: string;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

const LOCAL_HEADER = 0x04034b50;
const CENTRAL_HEADER = 0x02014b50;
const END = 0x06054b50;
/** Names are UTF-8. */
const FLAGS = 0x0800;
/** 1980-01-01, the first day that a ZIP knows. */
const DAY = 0x21;

/** A ZIP file without compression: pictures are compressed already. */
export function zip(entries: readonly ZipEntry[]): Blob {
  const parts: Uint8Array<ArrayBuffer>[] = [];
  const directory: Uint8Array<ArrayBuffer>[] = [];
  let offset = 0;
  for (const { name, bytes } of entries) {
    const encoded = new TextEncoder().encode(name);
    const common = [
      u16(20),
      u16(FLAGS),
      u16(0),
      u16(0),
      u16(DAY),
      u32(crc32(bytes)),
      u32(bytes.length),
      u32(bytes.length),
    ];
    const local = joined([u32(LOCAL_HEADER), ...common, u16(encoded.length), u16(0), encoded]);
    const tail = [u16(encoded.length), u16(0), u16(0), u16(0), u16(0), u32(0), u32(offset), encoded];
    directory.push(joined([u32(CENTRAL_HEADER), u16(20), ...common, ...tail]));
    parts.push(local, bytes);
    offset += local.length + bytes.length;
  }
  const central = joined(directory);
  const count = u16(entries.length);
  const end = joined([u32(END), u16(0), u16(0), count, count, u32(central.length), u32(offset), u16(0)]);
  return new Blob([...parts, central, end], { type: "application/zip" });
}

const u16 = (value: number) => Uint8Array.of(value & 0xff, (value >>> 8) & 0xff);
const u32 = (value: number) => Uint8Array.of(value, value >>> 8, value >>> 16, value >>> 24);

function joined(parts: readonly Uint8Array[]): Uint8Array<ArrayBuffer> {
  const all = new Uint8Array(parts.reduce((total, part) => total + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

const TABLE = Uint32Array.from({ length: 256 }, (_, index) => {
  let value = index;
  for (let bit = 0; bit < 8; bit++) value = value & 1 ? 0xedb88320 ^ (value >>> 1) : value >>> 1;
  return value;
});

function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = (TABLE[(crc ^ byte) & 0xff] ?? 0) ^ (crc >>> 8);
  return (crc ^ 0xffffffff) >>> 0;
}
