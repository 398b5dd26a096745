const DECLARED = /^\s*<\?xml\s[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/;
/** Encodings in use by XML senders. Others are rejected rather than guessed. */
const ENCODINGS: ReadonlySet<string> = new Set(
  "utf-8 utf8 us-ascii ascii utf-16le utf-16be iso-8859-1 latin1 iso-8859-15 windows-1252 cp1252".split(" "),
);

/**
 * Decodes an XML document by its first bytes, the sent `charset`, then its declaration, in this order. Returns
 * undefined if the encoding is unsupported or the bytes don't match it.
 */
export function decodeXml(bytes: ArrayBuffer, contentType: string): string | undefined {
  const head = new Uint8Array(bytes.slice(0, 200));
  const declaredCharset =
    /;\s*charset\s*=\s*"?([\w.:-]+)/i.exec(contentType)?.[1] ?? DECLARED.exec(decodeAscii(head))?.[1] ?? "utf-8";
  const encoding = detectWideEncoding(head) ?? declaredCharset.toLowerCase();
  // Text without a byte order mark of UTF-16 isn't UTF-16, even if it's declared so. It's read as UTF-8.
  const read = encoding === "utf-16" ? "utf-8" : encoding;
  if (!ENCODINGS.has(read)) return undefined;
  try {
    return new TextDecoder(read, { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return undefined;
  }
}

const decodeAscii = (bytes: Uint8Array) => String.fromCharCode(...bytes).replace(/^\xEF\xBB\xBF/, "");

// Detects the encoding by the byte order mark or the first character `<`.
function detectWideEncoding([first, second]: Uint8Array): string | undefined {
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return "utf-16le";
  return (first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c) ? "utf-16be" : undefined;
}

/** Content of an element to write. Undefined attributes are omitted. */
export type XmlNode = string | undefined | readonly XmlNode[];

/** Writes an element and escapes its content, except for nested elements. */
export function writeXmlElement(
  name: string,
  attributes: Readonly<Record<string, string | number | boolean | undefined>> = {},
  ...children: readonly XmlNode[]
): string {
  const attributeTexts = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeXml(String(value))}"`],
  );
  const inner = (children.flat(3) as readonly (string | undefined)[]).filter((text) => text !== undefined).join("");
  return inner === ""
    ? `<${name}${attributeTexts.join("")}/>`
    : `<${name}${attributeTexts.join("")}>${inner}</${name}>`;
}

/** Escapes text for XML. */
export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
