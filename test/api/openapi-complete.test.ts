import { describe, expect, test } from "vitest";
import { openApiDocuments } from "#scripts/openapi-documents.ts";
import {
  listCategoryCodePositions,
  listPositionsWithoutAcriss,
  POSITIONS_WITHOUT_ACRISS,
} from "#support/acriss-positions.ts";
import { listOperations } from "#tools/fuzz/operations.ts";
import { fullApp } from "#worker/entry/full-app.ts";

/** Served routes without documentation, each with its reason. */
const UNDESCRIBED = [
  { routes: /^GET \/api\/.*openapi\.json$/, because: "a document is not in itself" },
  { routes: /^GET \/healthz$/, because: "it says one word, to those who watch the platform and not to a client" },
  {
    routes: /^(GET|POST) \/charge-return\/:gateway$/,
    because: "addresses without an outcome that gateways may still know lead to the described page as well",
  },
  {
    routes: /^POST \/charge-return\/:gateway\/:outcome$/,
    because: "what a gateway posts there is not read: the described GET says what happens",
  },
  {
    routes: /^GET \/((analytics|docs|checkin|office|demo|change-password|verify-email)(\/\*)?)?$/,
    because: "pages for people, in HTML",
  },
  {
    routes: /^GET \/docs\/account\.json$/,
    because: "what can be tried at a demo belongs to the pages that try it",
  },
  { routes: /^(GET|POST) \/quote\//, because: "the page of a quote, in HTML, with its forms" },
  { routes: /^POST \/api\/ota$/, because: "its messages are XML, and OpenTravel's own schemas describe them" },
  {
    routes: /^GET \/calendars\//,
    because: "it is read by calendar programs, whose format RFC 5545 describes",
  },
  {
    routes:
      /^GET \/(widget\/\*|favicon\.ico|logo|company-colors\.css|photos\/:file|terms|privacy|robots\.txt|sitemap\.xml)$/,
    because: "files for websites, browsers and search engines",
  },
  { routes: /^GET \/demo-photos\/:name$/, because: "pictures of the demo companies, in development alone" },
] as const;

/** To the router a parameter is a full path segment, which `{id}.pdf` isn't. */
const PRINTED = ":file{[0-9]+\\.pdf}";

/** Middleware and the 404 and 405 handlers are registered for all methods. */
const served = new Set(
  fullApp.routes
    .filter(({ method }) => method !== "ALL")
    .map(({ method, path }) => `${method} ${path.replace(PRINTED, ":id.pdf").replace(/\{[^/]*\}$/, "")}`),
);

const described = new Set(
  Object.entries(openApiDocuments).flatMap(([family, describeIt]) =>
    listOperations(family, describeIt()).map(({ method, path }) => `${method} ${path.replace(/\{(\w+)\}/g, ":$1")}`),
  ),
);

test("describes every route of the Worker in an OpenAPI document, or names the reason why not", () => {
  const neither = [...served].filter((route) => !described.has(route));
  expect(neither.filter((route) => !UNDESCRIBED.some(({ routes }) => routes.test(route)))).toEqual([]);
});

test("serves every route of the OpenAPI documents", () => {
  expect([...described].filter((route) => !served.has(route))).toEqual([]);
});

test.each(UNDESCRIBED)("lists only served routes as undocumented: $routes: $because", ({ routes }) => {
  expect([...served].filter((route) => routes.test(route) && !described.has(route))).not.toEqual([]);
});

describe("ACRISS code with every category code", () => {
  const all = Object.entries(openApiDocuments).flatMap(([family, describeIt]) => listOperations(family, describeIt()));

  // Proves "conventions.md: limits, caching and problem details": It's part of every response with a category code,
  //   with named exceptions
  test("declares an ACRISS code next to every category code in response schemas", () => {
    expect(all.flatMap(listPositionsWithoutAcriss)).toEqual([]);
    expect(all.flatMap(listCategoryCodePositions).filter(([, has]) => has).length).toBeGreaterThan(60);
  });

  // Responses whose members have no schema.
  const OPEN = ["exportCustomer ", "listChanges data.after."];
  const described = POSITIONS_WITHOUT_ACRISS.filter(({ answers }) => !OPEN.some((open) => answers.test(open)));
  test.each(described)(
    "still needs the exception for responses with a category code but no ACRISS code ($because)",
    ({ answers }) => {
      expect(all.flatMap(listCategoryCodePositions).some(([at, has]) => !has && answers.test(at))).toBe(true);
    },
  );
});
