import { describe, expect, test, vi } from "vitest";
import {
  AUTHORITY_XML_RULES,
  findDescendant,
  findElementByPath,
  findOutermostDescendants,
  getChildText,
  listChildren,
  PARTNER_XML_RULES,
  parseXml,
  walkXmlInSlices,
  type XmlRules,
} from "#domain/xml.ts";

const RULES = { partners: PARTNER_XML_RULES, authorities: AUTHORITY_XML_RULES };
const KINDS = Object.keys(RULES) as (keyof typeof RULES)[];
const createDeepXml = (levels: number) => `${"<a>".repeat(levels)}x${"</a>".repeat(levels)}`;

describe.each(KINDS)("XML of a message from %s", (kind) => {
  const parse = (text: string) => parseXml(text, RULES[kind]);

  test.each([
    ["a document type", '<!DOCTYPE r [<!ENTITY x "y">]><r/>'],
    ["an external entity", '<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>'],
    ["nested entities", '<!DOCTYPE r [<!ENTITY a "x"><!ENTITY b "&a;&a;">]><r>&b;</r>'],
    ["too many levels", createDeepXml(33)],
    ["an unclosed element", "<a><b></a>"],
    ["a closing tag alone", "</a>"],
    ["two roots", "<a/><b/>"],
    ["text outside of the root", "<a/>x"],
    ["an unfinished comment", "<a><!-- </a>"],
    ["an unfinished tag", `<a ${"b ".repeat(20_000)}`],
    ["a repeated attribute", '<a b="1" b="2"/>'],
    ["too many attributes", `<a ${Array.from({ length: 41 }, (_, index) => `b${index}="1"`).join(" ")}/>`],
    ["a tag in an attribute", '<a b="<c>"/>'],
    ["JSON", '{"a":1}'],
    ["an empty text", ""],
  ])("rejects XML with %s", (_, text) => {
    expect(parse(text)).toBeUndefined();
  });

  test("ignores prefixes, comments, instructions and the byte order mark of XML", () => {
    const text = `\uFEFF<?xml version="1.0"?><!-- a --><s:a xmlns:s="urn:x" s:b='"1"'> <s:c>x &amp; y</s:c><c/> </s:a>`;
    expect(parse(text)).toEqual({
      name: "a",
      attributes: { s: "urn:x", b: '"1"' },
      children: [
        { name: "c", attributes: {}, children: [], text: "x & y" },
        { name: "c", attributes: {}, children: [], text: "" },
      ],
      text: "",
    });
  });

  test("decodes an XML character by name or number once only", () => {
    expect(parse("<a>&lt;b&gt; &quot;&apos;&#65;&#x1F600; &amp;lt;</a>")?.text).toBe("<b> \"'A😀 &lt;");
  });

  test("parses XML with elements nested 32 levels deep", () => {
    expect(parse(createDeepXml(32))?.name).toBe("a");
  });
});

test("limits the tokens of partners' XML messages, and allows an authority's long list", () => {
  const many = (count: number) => `<r>${"<a/>".repeat(count)}</r>`;
  expect(parseXml(many(7_999), PARTNER_XML_RULES)?.children).toHaveLength(7_999);
  expect(parseXml(many(8_000), PARTNER_XML_RULES)).toBeUndefined();
  expect(parseXml(many(100_000), AUTHORITY_XML_RULES)?.children).toHaveLength(100_000);
  expect(parseXml(many(1_000_000), AUTHORITY_XML_RULES)).toBeUndefined();
});

// Proves "security.md": A72
test.each([
  `<a b="${" ".repeat(1_000)}"/>`,
  `<a${" ".repeat(1_000)}/>`,
  `<a>${"b".repeat(1_000)}</a>`,
  `<!--${" ".repeat(1_000)}--><a/>`,
  `<?${"?".repeat(1_000)}?><a/>`,
  `<![CDATA[${"]".repeat(1_000)}]]><a/>`,
])("rejects a part of XML above the length limit without matching it by a pattern: %#", (long) => {
  const rules: XmlRules = { ...AUTHORITY_XML_RULES, maxTextLength: 400 };
  const match = vi.spyOn(RegExp.prototype, "exec");
  const source = `<r>${long}</r>`;
  expect(parseXml(source, rules)).toBeUndefined();
  const matched = match.mock.results.map(({ value }) => value?.input === source && value[0].length);
  match.mockRestore();
  expect(matched.filter((length) => length > 400)).toEqual([]);
  expect(parseXml(`<r>${long.replaceAll(/(.)\1{9,}/g, "$1$1")}</r>`, rules)).toBeDefined();
});

// Proves "security.md": A72
test("decodes a text of many ampersands without a callback for each one", () => {
  const { replaceAll } = String.prototype;
  let calls = 0;
  const replaced = vi.spyOn(String.prototype, "replaceAll").mockImplementation(function (
    this: string,
    pattern: string | RegExp,
    replace: unknown,
  ) {
    const count = (...match: readonly string[]) => {
      calls++;
      return typeof replace === "function" ? replace(...match) : replace;
    };
    return Reflect.apply(replaceAll, this, [pattern, count]);
  } as typeof replaceAll);
  const read = parseXml(`<r>${"& &amp;a; &a".repeat(2_000)}</r>`, AUTHORITY_XML_RULES);
  replaced.mockRestore();
  expect(read?.text).toBe("& &a; &a".repeat(2_000));
  expect(calls).toBe(2_000);
});

test("pauses after 100,000 characters of XML, however few tags contain them", () => {
  const visitor = { open: () => true, close: () => undefined, text: () => undefined };
  const source = `<r>${`${"a".repeat(60_000)}<b/>`.repeat(10)}</r>`;
  expect([...walkXmlInSlices(source, AUTHORITY_XML_RULES, visitor)]).toHaveLength(5);
});

test.each(["</r>", "<b/></r>", "<b/><!-- -->\n</r  >"])(
  "accepts spaces after the end of XML up to the length limit, and rejects more: %s",
  (end) => {
    const rules: XmlRules = { ...AUTHORITY_XML_RULES, maxTextLength: 40 };
    for (const spaces of [30, 36, 37, 38, 39, 40])
      expect(parseXml(`<r>${end}${" ".repeat(spaces)}`, rules)).toBeDefined();
    expect(parseXml(`<r>${end}${" ".repeat(41)}`, rules)).toBeUndefined();
    expect(parseXml(`<r></r${" ".repeat(41)}>`, rules)).toBeUndefined();
  },
);

test.each([
  ["CDATA", "<a><![CDATA[<b>&amp;]]></a>", "<b>&amp;"],
  ["an unknown entity", "<a>x&nbsp;y &constructor;</a>", "x&nbsp;y &constructor;"],
  ["a bare ampersand", "<a>x & y</a>", "x & y"],
  ["an impossible character", "<a>&#0;&#xD800;</a>", "&#0;&#xD800;"],
])("reads %s in an authority's XML as text, and rejects it from a partner", (_, text, read) => {
  expect(parseXml(text, AUTHORITY_XML_RULES)?.text).toBe(read);
  expect(parseXml(text, PARTNER_XML_RULES)).toBeUndefined();
});

test("finds XML elements by a path or at any level", () => {
  const root = parseXml("<a><b><c>1</c><c>2</c></b><b><d/></b></a>", PARTNER_XML_RULES);
  expect(findElementByPath(root, "b", "c")?.text).toBe("1");
  expect(findElementByPath(root, "c")).toBeUndefined();
  expect(listChildren(root, "b")).toHaveLength(2);
  expect(findDescendant(root, "c")?.text).toBe("1");
  expect(root && findOutermostDescendants(root, "c").map(({ text }) => text)).toEqual(["1", "2"]);
  expect([getChildText(root, "c"), getChildText(root, "d"), getChildText(root, "e")]).toEqual([
    "1",
    undefined,
    undefined,
  ]);
});
