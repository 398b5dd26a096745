/** XML element with names without prefixes. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

const DEEPEST = 32;
const MAX_TOKENS = 8_000;
const MAX_ATTRIBUTES = 40;

const TOKEN =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<\/([\w.:-]+)\s*>|<([A-Za-z_][\w.:-]*)((?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/y;
const ATTRIBUTE = /([\w.:-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

interface Open {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

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
  // UTF-16 declared for bytes in another encoding is a copied declaration.
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

/**
 * Parses an XML document. Returns undefined if it is invalid or contains constructs that only attacks need: a document
 * type, custom entities, CDATA, or more depth or elements than any message.
 */
export function parseXml(source: string): XmlElement | undefined {
  const root: Open = { name: "", attributes: {}, children: [], text: "" };
  const open: Open[] = [root];
  const token = new RegExp(TOKEN);
  const text = source.replace(/^\uFEFF/, "");
  for (let elements = 0; token.lastIndex < text.length; elements++) {
    const match = token.exec(text);
    if (!match || elements > MAX_TOKENS || !take(open, match)) return undefined;
  }
  const [only, ...more] = root.children;
  return open.length === 1 && more.length === 0 && root.text.trim() === "" ? only : undefined;
}

function take(open: Open[], [, closed, opened, attributes = "", isEmpty, characters]: RegExpExecArray): boolean {
  if (closed !== undefined) return close(open, closed);
  if (opened !== undefined) return begin(open, opened, attributes, isEmpty === "/");
  return characters === undefined || addText(open, characters);
}

function begin(open: Open[], name: string, source: string, isEmpty: boolean): boolean {
  const attributes = readAttributes(source);
  if (!attributes || open.length > DEEPEST) return false;
  const element = { name, attributes, children: [], text: "" };
  if (!isEmpty) open.push(element);
  else open.at(-1)?.children.push({ ...element, name: local(name) });
  return true;
}

function close(open: Open[], name: string): boolean {
  const ended = open.length > 1 ? open.pop() : undefined;
  if (ended?.name !== name) return false;
  open.at(-1)?.children.push({ ...ended, name: local(name), text: ended.text.trim() });
  return true;
}

function addText(open: readonly Open[], characters: string): boolean {
  const text = unescapeXml(characters);
  const inner = open.at(-1);
  if (text === undefined || !inner) return false;
  inner.text += text;
  return true;
}

function readAttributes(source: string): Readonly<Record<string, string>> | undefined {
  const attributes = new Map<string, string>();
  for (const [, name = "", double, single] of source.matchAll(ATTRIBUTE)) {
    const value = unescapeXml(double ?? single ?? "");
    if (value === undefined || attributes.has(name) || attributes.size >= MAX_ATTRIBUTES) return undefined;
    attributes.set(name, value);
  }
  return Object.fromEntries([...attributes].map(([name, value]) => [local(name), value]));
}

// Supports the five predefined entities and numeric character references. Custom entities are rejected.
function unescapeXml(text: string): string | undefined {
  let isKnown = true;
  const read = text.replaceAll(/&(#\d{1,7}|#x[0-9A-Fa-f]{1,6}|\w+)?(;)?/g, (_, name: string | undefined, end) => {
    const value = end === undefined ? undefined : (ENTITIES.get(name ?? "") ?? decodeEntity(name ?? ""));
    if (value === undefined) isKnown = false;
    return value ?? "";
  });
  return isKnown ? read : undefined;
}

function decodeEntity(name: string): string | undefined {
  const code = /^#x/.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  const isSpace = code === 9 || code === 10 || code === 13;
  const isRead = isSpace || (code >= 32 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff));
  const isCharacter = name.startsWith("#") && isRead;
  return isCharacter ? String.fromCodePoint(code) : undefined;
}

function local(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** Returns the first element along a path of names, if any. */
export function at(element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  let match = element;
  for (const name of path) match = match?.children.find((child) => child.name === name);
  return match;
}

/** Returns all child elements with a name. */
export function all(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

/** Content of an element to write. Undefined attributes are omitted. */
export type XmlNode = string | undefined | readonly XmlNode[];

/** Writes an element and escapes its content, except for nested elements. */
export function xml(
  name: string,
  attributes: Readonly<Record<string, string | number | boolean | undefined>> = {},
  ...children: readonly XmlNode[]
): string {
  const written = Object.entries(attributes).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeXml(String(value))}"`],
  );
  const inner = (children.flat(3) as readonly (string | undefined)[]).filter((text) => text !== undefined).join("");
  return inner === "" ? `<${name}${written.join("")}/>` : `<${name}${written.join("")}>${inner}</${name}>`;
}

/** Escapes text for XML. */
export function escapeXml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;");
}
