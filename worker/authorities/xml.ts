import { AUTHORITY_XML_RULES, parseXml, type XmlElement } from "#domain/xml.ts";

/** Error for invalid XML. */
export class NotXmlError extends Error {
  override readonly name = "NotXml";
}

/** Parses a message of an authority. Throws `NotXmlError` if it is invalid. */
export function parseAuthorityXml(text: string): XmlElement {
  const root = parseXml(text, AUTHORITY_XML_RULES);
  if (!root) throw new NotXmlError("not well-formed");
  return root;
}

type Child = string | undefined | false;

/** Formats an element with its defined children. */
export function writeElement(name: string, ...children: readonly Child[]): string {
  return `<${name}>${children.filter((child) => child).join("")}</${name.split(" ")[0]}>`;
}

/** Formats an element with text. Undefined without text. */
export function writeTextElement(name: string, text: string | undefined): string | undefined {
  return text === undefined ? undefined : `<${name}>${escaped(text)}</${name}>`;
}

/** Formats an element with text and attributes. Undefined without text. */
export function writeAttributedElement(
  name: string,
  attributes: Readonly<Record<string, string>>,
  text: string | undefined,
): string | undefined {
  const attributeTexts = Object.entries(attributes).map(
    ([attribute, value]) => ` ${attribute}="${escaped(value).replaceAll('"', "&quot;")}"`,
  );
  return text === undefined ? undefined : `<${name}${attributeTexts.join("")}>${escaped(text)}</${name}>`;
}

function escaped(text: string): string {
  return writable(text).replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}

// XML doesn't allow control characters, lone surrogates, or the last two code points of the first plane.
const UNWRITABLE = /[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu;

function writable(text: string): string {
  return text.toWellFormed().replaceAll(UNWRITABLE, "");
}
