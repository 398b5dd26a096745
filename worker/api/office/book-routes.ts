import { createRoute } from "@hono/zod-openapi";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import { writingOf } from "#worker/api/integration/room.ts";
import type { Interface } from "#worker/api/interface.ts";
import { handBackToken } from "#worker/api/signed-in.ts";
import { bookOfCharges, bookOfDeposits, bookOfDocuments } from "#worker/usecases/documents/office-books.ts";
import * as messages from "./book-messages.ts";
import { depositBookQuery, toDepositBook, toDepositFilter } from "./deposit-messages.ts";
import { refused } from "./errors.ts";
import { toChargeFilter, toDocumentFilter } from "./money-messages.ts";
import { fails, security, staffRequest } from "./room.ts";

const TAGS = ["Money"];
const table = {
  200: { description: "CSV by RFC 4180", content: { "text/csv": { schema: { type: "string" } } } },
  ...fails.reading(),
} as const;
const CSV = { "Content-Type": "text/csv; charset=utf-8" };

const documentsRoute = createRoute({
  method: "get",
  path: "/documents.csv",
  operationId: "exportDocuments",
  tags: TAGS,
  summary: "The documents that are found as a table, a line for each tax rate, by day, serie and number",
  security,
  middleware: [dropEmptyParameters],
  request: { query: messages.documentBookQuery },
  responses: table,
});

const chargesRoute = createRoute({
  method: "get",
  path: "/charges.csv",
  operationId: "exportCharges",
  tags: TAGS,
  summary: "The money that is found as a table, in the order in which it came and went",
  security,
  middleware: [dropEmptyParameters],
  request: { query: messages.chargeBookQuery },
  responses: table,
});

const depositsRoute = createRoute({
  method: "get",
  path: "/deposits.csv",
  operationId: "exportDeposits",
  tags: TAGS,
  summary: "The deposits that are held as a table, what is due back longest first",
  security,
  middleware: [dropEmptyParameters],
  request: { query: depositBookQuery },
  responses: table,
});

/** Registers what an accountant takes away: documents and money, as tables. */
export function registerBookRoutes({ routes }: Interface): void {
  routes.openapi(documentsRoute, async (c) => {
    const { decimal_mark: mark, ...query } = c.req.valid("query");
    const read = await bookOfDocuments(staffRequest(c), toDocumentFilter(query));
    if (!read.ok) return refused(c, read.error);
    handBackToken(c, read.value.freshToken);
    c.header("Content-Disposition", 'attachment; filename="documents.csv"');
    return c.body(messages.toDocumentBook(read.value.value, await writingOf(c), mark), 200, CSV);
  });
  routes.openapi(chargesRoute, async (c) => {
    const { decimal_mark: mark, ...query } = c.req.valid("query");
    const read = await bookOfCharges(staffRequest(c), toChargeFilter(query));
    if (!read.ok) return refused(c, read.error);
    handBackToken(c, read.value.freshToken);
    c.header("Content-Disposition", 'attachment; filename="charges.csv"');
    return c.body(messages.toChargeBook(read.value.value, await writingOf(c), mark), 200, CSV);
  });
  routes.openapi(depositsRoute, async (c) => {
    const query = c.req.valid("query");
    const read = await bookOfDeposits(staffRequest(c), toDepositFilter(query));
    if (!read.ok) return refused(c, read.error);
    handBackToken(c, read.value.freshToken);
    c.header("Content-Disposition", 'attachment; filename="deposits.csv"');
    return c.body(toDepositBook(read.value.value, await writingOf(c), query.decimal_mark), 200, CSV);
  });
}
