import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { renderPage } from "#docs/build/page.ts";
import { buildDocsPages } from "#docs/build/pages.ts";
import { buildSearchIndex } from "#docs/build/search-index.ts";
import { EXAMPLE_ID, type ExampleCall, moveDatesAroundToday, toCallRequest } from "#docs/src/call.ts";
import { findSearchEntries } from "#docs/src/search.ts";
import { createSnippet } from "#docs/src/snippets.ts";

const { pages, menu, references } = buildDocsPages();
const texts = new Map(pages.map((page) => [`/docs/${page.path}`, renderPage(page, menu)]));
const entries = buildSearchIndex(pages);

// Proves "API documentation pages": Every operation, its call and its address
test("has a section with a call for every operation, which the search finds by path", () => {
  expect(references.length).toBeGreaterThan(5);
  for (const { name, chapters } of references) {
    for (const { slug, operations } of chapters) {
      const text = texts.get(`/docs/reference/${name}/${slug}/`) ?? "";
      for (const { call } of operations) {
        expect(text).toContain(`id="${call.operation}"`);
        expect(text).toContain(`&quot;operation&quot;:&quot;${call.operation}&quot;`);
        const address = `/docs/reference/${name}/${slug}/#${call.operation}`;
        expect(entries.some(([, at, , words]) => at === address && words.includes(call.path))).toBe(true);
      }
    }
  }
});

test("shows what each field and parameter means, with names and values as code", () => {
  let fieldCount = 0;
  for (const [address, text] of texts) {
    if (!/^\/docs\/reference\/[^/]+\/[^/]+\/$/.test(address)) continue;
    const fields = [...text.matchAll(/<li>\s*<code>([^<]+)<\/code>(.*?)(?=<li>|<\/ul>)/gs)];
    fieldCount += fields.length;
    expect(fields.filter(([, , shown = ""]) => !shown.includes("<p>")).map(([, name]) => `${address} ${name}`)).toEqual(
      [],
    );
  }
  expect(fieldCount).toBeGreaterThan(1000);
  const [, page = ""] = [...texts].find(([, text]) => text.includes('id="createBooking"')) ?? [];
  expect(page).toContain("<p><code>reserved</code>, or <code>canceled</code> after a cancellation</p>");
});

test("links documentation pages only to existing pages and headings", () => {
  const documents = new Set(references.map(({ document }) => `/docs/openapi/${document}.json`));
  const brokenLinks = [...texts].flatMap(([address, text]) =>
    [...text.matchAll(/href="([^"]+)"/g)].flatMap(([, href = ""]) => {
      const { origin, pathname, hash } = new URL(href.replaceAll("&amp;", "&"), `http://here${address}`);
      const isAsset = pathname.startsWith("/docs/assets/") || pathname === "/favicon.ico" || documents.has(pathname);
      if (origin !== "http://here" || isAsset) return [];
      const targetText = texts.get(pathname);
      const isThere = targetText !== undefined && (hash === "" || targetText.includes(`id="${hash.slice(1)}"`));
      return isThere ? [] : [`${address} → ${href}`];
    }),
  );
  expect(brokenLinks).toEqual([]);
});

test("uses each HTML ID once per documentation page, and a different title for every page", () => {
  const twice = [...texts].flatMap(([address, text]) => {
    const ids = [...text.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id);
    return ids.filter((id, at) => ids.indexOf(id) !== at).map((id) => `${address}#${id}`);
  });
  expect(twice).toEqual([]);
  const titles = [...texts.values()].map((text) => /<title>(.*)<\/title>/.exec(text)?.[1]);
  expect(new Set(titles).size).toBe(titles.length);
});

// Proves "errors.md": Every code that an interface answers with is explained
test("explains every error code of the interfaces", () => {
  const page = readFileSync("docs/interfaces/errors.md", "utf8");
  const files = globSync("worker/{api,usecases,domain}/**/*.ts").filter(
    (file) => !/messages|examples|routes\.ts/.test(file),
  );
  const text = files.map((file) => readFileSync(file, "utf8")).join("\n");
  const codes = [...text.matchAll(/(?:\bcode: |conflict\()"([a-z]+(?:_[a-z]+)+)"/g)].map(([, code]) => code);
  expect(new Set(codes).size).toBeGreaterThan(80);
  expect([...new Set(codes)].filter((code) => !page.includes(`\`${code}\``))).toEqual([]);
});

test("finds operations, error codes, events and headings by search, in any word order", () => {
  const first = (query: string) => findSearchEntries(entries, query)[0]?.[1];
  expect(first("createBooking")).toBe("/docs/reference/agency/bookings/#createBooking");
  expect(first("bad_signature")).toBe("/docs/errors/#bad_signature");
  expect(first("booking.created")).toBe("/docs/guides/webhooks/#booking.created");
  expect(first("signed calls")).toBe("/docs/guides/conventions/#signed-calls");
  expect(findSearchEntries(entries, "location-list ota").length).toBeGreaterThan(0);
  // The search finds words of the texts, and common terms for which the pages use other words.
  expect(first("pagination")).toMatch(/^\/docs\//);
  expect(first("rate limits")).toBe("/docs/guides/rate-limits/");
  expect(first("versioning")).toBe("/docs/guides/versions/");
  expect(first("sandbox")).toBe("/docs/start/sandbox/");
  expect(first("bidirectional brotli")).toBeUndefined();
  expect(first("brotli zstandard")).toContain("limits");
  expect(findSearchEntries(entries, "upgrade_price").map(([, at]) => at)).toContain(
    "/docs/reference/check-in/field-work/#objects",
  );
  expect(findSearchEntries(entries, "xyzzy")).toEqual([]);
  expect(findSearchEntries(entries, " ")).toEqual([]);
});

test("moves the dates of documented examples near today, on the same days of the week", () => {
  expect(moveDatesAroundToday("2030-06-10 10/06/2030 2030-06-13", "2026-11-22")).toBe(
    "2027-01-18 18/01/2027 2027-01-21",
  );
  expect(moveDatesAroundToday("2030-06-10", "2026-11-01")).toBe("2027-01-11");
  expect(moveDatesAroundToday("2026", "2028-02-29")).toBe("2028");
  expect(moveDatesAroundToday("2026-01-01..2026-12-31", "2028-02-29")).toBe("2028-01-01..2028-12-31");
  expect(moveDatesAroundToday('{"agency_reservation_id": "EXAMPLE-1"}', "2028-02-29")).toContain(
    '"EXAMPLE-2028-02-29"',
  );
  expect(moveDatesAroundToday("Staff-acme-2026!", "2028-02-29")).toBe("Staff-acme-2026!");
});

const call: ExampleCall = {
  operation: "example",
  method: "POST",
  path: "/api/cart/{free_access_id}",
  parameters: [
    { name: "free_access_id", in: "path", example: EXAMPLE_ID, isRequired: true },
    { name: "lang", in: "query", example: "en", isRequired: false },
    { name: "idempotency-key", in: "header", isRequired: true },
  ],
  body: { type: "application/json", example: { name: 'O\'Neill "Ann" \\ $1' } },
  credential: "signature",
  as: "ota",
};

test("uses the reader's own cart, parameters and body in a documented call", () => {
  expect(toCallRequest(call, "2026-11-22", { freeAccessId: "abc", values: { lang: "" } }).path).toBe("/api/cart/abc");
  const callRequest = toCallRequest(call, "2026-11-22", { values: { free_access_id: "a/b", lang: "de" }, body: "{}" });
  expect([callRequest.path, callRequest.body]).toEqual(["/api/cart/a%2Fb?lang=de", "{}"]);
});

test("escapes special characters in code snippets of each language, and reads secrets from variables", () => {
  const callRequest = toCallRequest(call, "2026-11-22");
  expect(createSnippet("curl", "https://acme", callRequest)).toContain(`"O'\\''Neill \\"Ann\\" \\\\ $1"`);
  expect(createSnippet("php", "https://acme", callRequest)).toContain(`"O\\'Neill \\\\"Ann\\\\" \\\\\\\\ $1"`);
  expect(createSnippet("python", "https://acme", callRequest)).toContain(`r'''{`);
  for (const language of ["curl", "node", "python", "php"] as const)
    expect(createSnippet(language, "https://acme", callRequest)).toMatch(/RENTAL_SECRET/);
});
