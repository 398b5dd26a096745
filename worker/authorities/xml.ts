/** An element that was read: its name without prefix, what is in it, and its text. */
export interface XmlElement {
  readonly name: string;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

/** What an XML document is not. */
export class NotXml extends Error {
  override readonly name = "NotXml";
}

type Child = string | undefined | false;

/** An element of elements, those that are there; as text. */
export function node(name: string, ...children: readonly Child[]): string {
  return `<${name}>${children.filter((child) => child).join("")}</${name.split(" ")[0]}>`;
}

/** An element of text; nothing where there is no text. */
export function leaf(name: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : `<${name}>${escaped(text)}</${name}>`;
}

function escaped(text: string): string {
  return writable(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

// XML has no place for control characters, for halves of surrogate pairs, nor for the two last of the first plane.
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
 * Reads a document tolerantly: prefixes and attributes are passed over, as are comments. Throws `NotXml` for anything
 * that does not end what it begins, and for a document type, which no authority sends.
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

/** The first element of that name anywhere within. */
export function find(element: XmlElement | undefined, name: string): XmlElement | undefined {
  if (!element || element.name === name) return element;
  for (const child of element.children) {
    const firstMatch = find(child, name);
    if (firstMatch) return firstMatch;
  }
  return undefined;
}

/** All elements of that name within, none within another. */
export function findAll(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.flatMap((child) => (child.name === name ? [child] : findAll(child, name)));
}

/** The text of the first element of that name within; undefined where there is none, or it is empty. */
export function getChildText(element: XmlElement | undefined, name: string): string | undefined {
  return find(element, name)?.text || undefined;
}
