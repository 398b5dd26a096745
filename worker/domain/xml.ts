/** XML element with names without prefixes. */
export interface XmlElement {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: readonly XmlElement[];
  readonly text: string;
}

/** Rules for documents of one kind of sender. */
export interface XmlRules {
  /** Maximum number of tags, texts and comments. */
  readonly maxTokens: number;
  /** Whether CDATA is read as text, and an unknown entity as written. Otherwise they are invalid. */
  readonly isLenient: boolean;
  /** Maximum characters of a text or tag. Unlimited if not set. */
  readonly maxTextLength?: number;
}

/** Rules for messages of partners, who may be hostile. CDATA and custom entities are used by attacks only. */
export const PARTNER_XML_RULES: XmlRules = { maxTokens: 8_000, isLenient: false };
/** Rules for answers of authorities. A code list has thousands of entries, a submission a thousand records. */
export const AUTHORITY_XML_RULES: XmlRules = { maxTokens: 1_000_000, isLenient: true };

const MAX_DEPTH = 32;
const MAX_ATTRIBUTES = 40;

const TOKEN =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<\/([\w.:-]+)\s*>|<([A-Za-z_][\w.:-]*)((?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/y;
const ATTRIBUTE = /([\w.:-]+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/g;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ["amp", "&"],
  ["lt", "<"],
  ["gt", ">"],
  ["quot", '"'],
  ["apos", "'"],
]);

/** Receives the parts of a document in order, with names without prefixes. */
export interface XmlVisitor {
  /** Returns false to stop reading. */
  readonly open: (name: string, attributes: Readonly<Record<string, string>>) => boolean;
  readonly close: (name: string) => void;
  readonly text: (text: string) => void;
}

/**
 * Reads an XML document part by part, without storing it. Returns `invalid` if it isn't well-formed, contains a
 * document type, or exceeds a limit. Entities are never expanded, except for characters.
 */
function walkXml(source: string, rules: XmlRules, visitor: XmlVisitor): Walked {
  const parts = walkXmlInSlices(source, rules, visitor);
  for (;;) {
    const { done, value } = parts.next();
    if (done) return value;
  }
}

/** Number of tokens, and of characters, read before yielding. Either takes a few milliseconds. */
const TOKENS_PER_SLICE = 2_000;
const CHARACTERS_PER_SLICE = 100_000;

/** Reads an XML document like `walkXml`, and yields every few milliseconds. */
export function* walkXmlInSlices(source: string, rules: XmlRules, visitor: XmlVisitor): Generator<undefined, Walked> {
  const open: string[] = [];
  const token = new RegExp(TOKEN);
  const text = source.replace(/^\uFEFF/, "");
  let roots = 0;
  let [tokens, nextPause] = [0, { tokens: TOKENS_PER_SLICE, at: CHARACTERS_PER_SLICE }];
  for (; token.lastIndex < text.length; tokens++) {
    const match = matchToken(token, text, rules);
    if (!match || tokens > rules.maxTokens) return "invalid";
    if (tokens >= nextPause.tokens || token.lastIndex >= nextPause.at) {
      nextPause = { tokens: tokens + TOKENS_PER_SLICE, at: token.lastIndex + CHARACTERS_PER_SLICE };
      yield;
    }
    roots += Number(match[3] !== undefined && open.length === 0);
    const read = readToken(open, match, rules, visitor);
    if (read !== "done") return read;
  }
  return open.length === 0 && roots === 1 ? "done" : "invalid";
}

const MARKED_ENDS = [
  ["<!--", "-->"],
  ["<?", "?>"],
  ["<![CDATA[", "]]>"],
] as const;

// Returns null for a token of megabytes, which the expression would read at once. A tag contains no "<", so
// it's too long if no "<" follows within twice the limit.
function matchToken(
  token: RegExp,
  text: string,
  { maxTextLength: maxLength = Number.POSITIVE_INFINITY }: XmlRules,
): RegExpExecArray | null {
  const at = token.lastIndex;
  if (text.length - at <= maxLength) return token.exec(text);
  const [, end] = MARKED_ENDS.find(([start]) => text.startsWith(start, at)) ?? [];
  const limit = end === undefined ? 2 * maxLength : maxLength;
  if (text.slice(at, at + limit).includes(end ?? "<", 1)) return token.exec(text);
  return end === undefined ? matchLastTag(token, text.slice(at, at + maxLength)) : null;
}

// Finds the document's last tag. No "<" follows it, so only the text up to the limit is searched.
function matchLastTag(token: RegExp, part: string): RegExpExecArray | null {
  const match = new RegExp(TOKEN).exec(part);
  if (match?.[2] === undefined && match?.[3] === undefined) return null;
  token.lastIndex += match[0].length;
  return match;
}

type Walked = "done" | "stopped" | "invalid";

function readToken(open: string[], match: RegExpExecArray, rules: XmlRules, visitor: XmlVisitor): Walked {
  const { isLenient, maxTextLength = Number.POSITIVE_INFINITY } = rules;
  const [token, data, closed, opened, attributes = "", isEmpty, characters] = match;
  if (token.length > maxTextLength) return "invalid";
  if (opened !== undefined) {
    const read = parseAttributes(attributes, isLenient);
    return read ? begin(open, { name: opened, attributes: read, isEmpty: isEmpty === "/" }, visitor) : "invalid";
  }
  if (closed !== undefined) return end(open, closed, visitor);
  if (data !== undefined) return isLenient ? addText(open, data, visitor) : "invalid";
  return characters === undefined ? "done" : addText(open, unescapeXml(characters, isLenient), visitor);
}

interface Tag {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly isEmpty: boolean;
}

function begin(open: string[], { name, attributes, isEmpty }: Tag, visitor: XmlVisitor): Walked {
  if (open.length >= MAX_DEPTH) return "invalid";
  if (!visitor.open(getLocalName(name), attributes)) return "stopped";
  if (isEmpty) visitor.close(getLocalName(name));
  else open.push(name);
  return "done";
}

function end(open: string[], name: string, visitor: XmlVisitor): Walked {
  if (open.pop() !== name) return "invalid";
  visitor.close(getLocalName(name));
  return "done";
}

function addText(open: readonly string[], text: string | undefined, visitor: XmlVisitor): Walked {
  if (text === undefined || (open.length === 0 && text.trim() !== "")) return "invalid";
  if (open.length > 0) visitor.text(text);
  return "done";
}

interface Open {
  readonly name: string;
  readonly attributes: Readonly<Record<string, string>>;
  readonly children: XmlElement[];
  text: string;
}

/** Parses an XML document. Returns undefined if `walkXml` finds it invalid. */
export function parseXml(source: string, rules: XmlRules): XmlElement | undefined {
  const open: Open[] = [{ name: "", attributes: {}, children: [], text: "" }];
  const read = walkXml(source, rules, {
    open: (name, attributes) => open.push({ name, attributes, children: [], text: "" }) > 0,
    close: () => {
      const ended = open.pop();
      if (ended) open.at(-1)?.children.push({ ...ended, text: ended.text.trim() });
    },
    text: (text) => {
      const inner = open.at(-1);
      if (inner) inner.text += text;
    },
  });
  return read === "done" ? open[0]?.children[0] : undefined;
}

function parseAttributes(source: string, isLenient: boolean): Readonly<Record<string, string>> | undefined {
  const attributes = new Map<string, string>();
  for (const [, name = "", double, single] of source.matchAll(ATTRIBUTE)) {
    const value = unescapeXml(double ?? single ?? "", isLenient);
    if (value === undefined || attributes.has(name) || attributes.size >= MAX_ATTRIBUTES) return undefined;
    attributes.set(name, value);
  }
  return Object.fromEntries([...attributes].map(([name, value]) => [getLocalName(name), value]));
}

const ENTITY = /&(#\d{1,7}|#x[0-9A-Fa-f]{1,6}|\w+);/g;
const BARE_AMPERSAND = /&(?!#\d{1,7};|#x[0-9A-Fa-f]{1,6};|\w+;)/;

// Supports the five predefined entities and numeric character references. Calls no function for a bare ampersand,
// because a text of 300,000 of them would take a quarter of a second.
function unescapeXml(text: string, isLenient: boolean): string | undefined {
  if (!text.includes("&")) return text;
  if (!isLenient && BARE_AMPERSAND.test(text)) return undefined;
  let isKnown = true;
  const read = text.replaceAll(ENTITY, (entity, name: string) => {
    const value = ENTITIES.get(name) ?? decodeCharacter(name);
    if (value === undefined) isKnown = false;
    return value ?? entity;
  });
  return isKnown || isLenient ? read : undefined;
}

function decodeCharacter(name: string): string | undefined {
  const code = /^#x/.test(name) ? Number.parseInt(name.slice(2), 16) : Number(name.slice(1));
  const isSpace = code === 9 || code === 10 || code === 13;
  const isRead = isSpace || (code >= 32 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff));
  const isCharacter = name.startsWith("#") && isRead;
  return isCharacter ? String.fromCodePoint(code) : undefined;
}

function getLocalName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

/** Returns the first element along a path of names, if any. */
export function findElementByPath(element: XmlElement | undefined, ...path: readonly string[]): XmlElement | undefined {
  let match = element;
  for (const name of path) match = match?.children.find((child) => child.name === name);
  return match;
}

/** Returns all child elements with a name. */
export function listChildren(element: XmlElement | undefined, name: string): readonly XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

/** Returns the first descendant with that name. */
export function findDescendant(element: XmlElement | undefined, name: string): XmlElement | undefined {
  if (!element || element.name === name) return element;
  for (const child of element.children) {
    const firstMatch = findDescendant(child, name);
    if (firstMatch) return firstMatch;
  }
  return undefined;
}

/** Returns all descendants with that name. Doesn't search inside the returned elements. */
export function findOutermostDescendants(element: XmlElement, name: string): readonly XmlElement[] {
  return element.children.flatMap((child) => (child.name === name ? [child] : findOutermostDescendants(child, name)));
}

/** Returns the text of the first descendant with that name. Undefined if missing or empty. */
export function getChildText(element: XmlElement | undefined, name: string): string | undefined {
  return findDescendant(element, name)?.text || undefined;
}
