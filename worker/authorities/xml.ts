/** Parsed element: its name without prefix, its children, and its text. */
export interface XmlElement {
  readonly name: string;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

/** Error for invalid XML. */
export class NotXml extends Error {
  override readonly name = "NotXml";
}

type Child = string | undefined | false;

/** Formats an element with its defined children. */
export function node(name: string, ...children: readonly Child[]): string {
  return `<${name}>${children.filter((child) => child).join("")}</${name.split(" ")[0]}>`;
}

/** Formats an element with text. Undefined without text. */
export function leaf(name: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : `<${name}>${escaped(text)}</${name}>`;
}

function escaped(text: string): string {
  return writable(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

// XML doesn't allow control characters, lone surrogates, or the last two code points of the first plane.
const UNWRITABLE = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function writable(text: string): string {
  return text.toWellFormed().replaceAll(UNWRITABLE, "");
}

const TOKEN = /<!\[CDATA\[([\s\S]*?)\]\]>|<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<(\/?)([^\s/>]+)([^>]*?)(\/?)>|([^<]+)/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', apos: "'" };

interface Open {
  readonly name: string;
  readonly children: XmlElement[];
  text: string;
}

/**
 * Parses a document leniently. Ignores prefixes, attributes and comments. Throws `NotXml` for unclosed elements and for
 * a document type, which authorities never send.
 */
export function parseXml(text: string): XmlElement {
  if (text.includes("<!DOCTYPE")) throw new NotXml("a document type");
  const root: Open = { name: "", children: [], text: "" };
  const open: Open[] = [root];
  for (const token of text.matchAll(TOKEN)) readToken(open, token);
  const [first, ...others] = root.children;
  if (open.length !== 1 || !first || others.length > 0) throw new NotXml("not one element");
  return first;
}

function readToken(open: Open[], [, data, slash, name, , closed, plain]: RegExpExecArray): void {
  const top = open.at(-1);
  const text = data ?? (plain === undefined ? undefined : unescaped(plain));
  if (top && text !== undefined) top.text += text;
  if (name === undefined) return;
  const element: Open = { name: localName(name), children: [], text: "" };
  if (slash === "/") close(open, localName(name));
  else if (closed === "/") top?.children.push(element);
  else open.push(element);
}

function close(open: Open[], name: string): void {
  const closedElement = open.pop();
  const parent = open.at(-1);
  if (!closedElement || !parent || closedElement.name !== name) throw new NotXml(`</${name}> without its beginning`);
  parent.children.push({ ...closedElement, text: closedElement.text.trim() });
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

function unescaped(text: string): string {
  return text.replaceAll(/&(#x?[\da-fA-F]+|\w+);/g, (whole, entity: string) => {
    if (!entity.startsWith("#")) return ENTITIES[entity] ?? whole;
    const code = entity.startsWith("#x") ? Number.parseInt(entity.slice(2), 16) : Number(entity.slice(1));
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}

/** Returns the first descendant with that name. */
export function find(element: XmlElement | undefined, name: string): XmlElement | undefined {
  if (!element || element.name === name) return element;
  for (const child of element.children) {
    const firstMatch = find(child, name);
    if (firstMatch) return firstMatch;
  }
  return undefined;
}

/** Returns all descendants with that name, not nested ones. */
export function findAll(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.flatMap((child) => (child.name === name ? [child] : findAll(child, name)));
}

/** Returns the text of the first descendant with that name. Undefined if missing or empty. */
export function getChildText(element: XmlElement | undefined, name: string): string | undefined {
  return find(element, name)?.text || undefined;
}
