import { toHex } from "#domain/bytes.ts";

/** Contents of an X.509 certificate that a signature needs (RFC 5280). */
export interface Certificate {
  readonly der: Uint8Array<ArrayBuffer>;
  /** Public key, as WebCrypto imports it. */
  readonly spki: Uint8Array<ArrayBuffer>;
  /** Name of the issuer as text of RFC 4514. */
  readonly issuer: string;
  readonly serialNumber: bigint;
  /** Texts of the subject's name: company, person, tax numbers. */
  readonly subject: readonly string[];
  readonly notBefore: number;
  readonly notAfter: number;
}

/** Element of DER: a tag with its content between two positions. */
interface Element {
  readonly tag: number;
  readonly start: number;
  readonly content: number;
  readonly end: number;
}

const SEQUENCE = 0x30;
const VERSION = 0xa0;

/** Reads a certificate in DER. Throws a `RangeError` if it isn't one. */
export function readCertificate(der: Uint8Array<ArrayBuffer>): Certificate {
  const reader = new DerReader(der);
  const [content] = reader.children(reader.element(0, der.length));
  const fields = reader.children(expect(content, SEQUENCE)).filter(({ tag }) => tag !== VERSION);
  const [serial, , issuer, validity, subject, spki] = fields;
  const [notBefore, notAfter] = reader.children(expect(validity, SEQUENCE));
  return {
    der,
    spki: reader.bytes(expect(spki, SEQUENCE)),
    issuer: writeName(reader, expect(issuer, SEQUENCE)),
    serialNumber: readInteger(reader.content(expect(serial, 0x02))),
    subject: readAttributes(reader, expect(subject, SEQUENCE)).flatMap((attributes) =>
      attributes.flatMap(({ text }) => text ?? []),
    ),
    notBefore: readTime(reader, expect(notBefore)),
    notAfter: readTime(reader, expect(notAfter)),
  };
}

function expect(element: Element | undefined, tag?: number): Element {
  if (!element || (tag !== undefined && element.tag !== tag)) throw new RangeError("not a certificate");
  return element;
}

class DerReader {
  private readonly der: Uint8Array<ArrayBuffer>;

  constructor(der: Uint8Array<ArrayBuffer>) {
    this.der = der;
  }

  element(start: number, limit: number): Element {
    const [tag = 0, first = 0x80] = this.der.subarray(start, start + 2);
    const lengthBytes = first < 0x80 ? 0 : first & 0x7f;
    if (first === 0x80 || lengthBytes > 3) throw new RangeError("not DER");
    const content = start + 2 + lengthBytes;
    const long = this.der.subarray(start + 2, content).reduce((length, byte) => length * 256 + byte, 0);
    const end = content + (lengthBytes === 0 ? first : long);
    if (end > limit) throw new RangeError("not DER");
    return { tag, start, content, end };
  }

  children({ content, end }: Element): readonly Element[] {
    const elements: Element[] = [];
    for (let at = content; at < end; at = elements.at(-1)?.end ?? end) elements.push(this.element(at, end));
    return elements;
  }

  content = ({ content, end }: Element) => this.der.slice(content, end);

  bytes = ({ start, end }: Element) => this.der.slice(start, end);
}

function readInteger(bytes: Uint8Array): bigint {
  return BigInt.asUintN(bytes.length * 8, BigInt(`0x${toHex(bytes) || "0"}`));
}

// UTCTime has years from 1950 to 2049 in two digits, GeneralizedTime all four.
function readTime(reader: DerReader, element: Element): number {
  const text = new TextDecoder().decode(reader.content(element));
  const year = element.tag === 0x17 ? `${Number(text.slice(0, 2)) < 50 ? "20" : "19"}${text.slice(0, 2)}` : "";
  const [, years = "", month, day, hour, minute, second] =
    /^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)Z$/.exec(year + text.slice(year ? 2 : 0)) ?? [];
  const at = Date.parse(`${years}-${month}-${day}T${hour}:${minute}:${second}Z`);
  if (Number.isNaN(at)) throw new RangeError("not a time of a certificate");
  return at;
}

interface Attribute {
  readonly type: string;
  readonly value: Element;
  /** Value as text. Undefined if it isn't one. */
  readonly text: string | undefined;
}

function readAttributes(reader: DerReader, name: Element): readonly (readonly Attribute[])[] {
  return reader.children(name).map((attributes) =>
    reader.children(attributes).map((attribute) => {
      const [type, value] = reader.children(attribute);
      return {
        type: readObjectIdentifier(reader.content(expect(type, 0x06))),
        value: expect(value),
        text: readText(reader, expect(value)),
      };
    }),
  );
}

function readObjectIdentifier(bytes: Uint8Array): string {
  const numbers: number[] = [];
  let number = 0;
  for (const byte of bytes) {
    number = number * 128 + (byte & 0x7f);
    if (byte >= 0x80) continue;
    numbers.push(number);
    number = 0;
  }
  const [first = 0, ...others] = numbers;
  const root = Math.min(Math.floor(first / 40), 2);
  return [root, first - root * 40, ...others].join(".");
}

function readText(reader: DerReader, element: Element): string | undefined {
  const bytes = reader.content(element);
  switch (element.tag) {
    case 0x0c: // UTF8String
    case 0x13: // PrintableString
    case 0x16: // IA5String
      return new TextDecoder().decode(bytes);
    case 0x14: // TeletexString
      return String.fromCharCode(...bytes);
    case 0x1e: // BMPString
      return String.fromCharCode(
        ...Array.from({ length: bytes.length >> 1 }, (_, at) => (bytes[2 * at] ?? 0) * 256 + (bytes[2 * at + 1] ?? 0)),
      );
    default:
      return undefined;
  }
}

// Short names that RFC 4514 requires every reader to understand.
const SHORT_NAMES: Readonly<Record<string, string>> = {
  "2.5.4.3": "CN",
  "2.5.4.6": "C",
  "2.5.4.7": "L",
  "2.5.4.8": "ST",
  "2.5.4.9": "STREET",
  "2.5.4.10": "O",
  "2.5.4.11": "OU",
  "0.9.2342.19200300.100.1.1": "UID",
  "0.9.2342.19200300.100.1.25": "DC",
};

// Writes the parts of a name in reverse order (RFC 4514). A type without a short name is written as a number, with its
// DER value in hexadecimal.
function writeName(reader: DerReader, name: Element): string {
  return readAttributes(reader, name)
    .map((attributes) => attributes.map((attribute) => writeAttribute(reader, attribute)).join("+"))
    .reverse()
    .join(",");
}

function writeAttribute(reader: DerReader, { type, value, text }: Attribute): string {
  const shortName = SHORT_NAMES[type];
  if (shortName === undefined || text === undefined) return `${type}=#${toHex(reader.bytes(value))}`;
  const escaped = text.replaceAll(/[",+;<>\\]/g, "\\$&").replaceAll("\0", "\\00");
  return `${shortName}=${escaped.replace(/^[ #]/, "\\$&").replace(/(?<!^\\?) $/, "\\ ")}`;
}
