import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import type { Writing } from "#worker/api/integration/messages.ts";
import { loadWriting } from "#worker/api/integration/room.ts";
import type { Interface } from "#worker/api/interface.ts";
import { returnFreshToken } from "#worker/api/signed-in.ts";
import { stepUp } from "#worker/api/step-up.ts";
import {
  type Book,
  readChargeBook,
  readDepositBook,
  readDocumentBook,
} from "#worker/usecases/payments/office-books.ts";
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
  ...stepUp("people"),
  tags: TAGS,
  summary: "Export documents as a table",
  security,
  middleware: [dropEmptyParameters],
  request: { query: messages.documentBookQuery },
  responses: table,
});

const chargesRoute = createRoute({
  method: "get",
  path: "/charges.csv",
  operationId: "exportCharges",
  ...stepUp("people"),
  tags: TAGS,
  summary: "Export money movements as a table",
  security,
  middleware: [dropEmptyParameters],
  request: { query: messages.chargeBookQuery },
  responses: table,
});

const depositsRoute = createRoute({
  method: "get",
  path: "/deposits.csv",
  operationId: "exportDeposits",
  ...stepUp("people"),
  tags: TAGS,
  summary: "Export held deposits as a table",
  security,
  middleware: [dropEmptyParameters],
  request: { query: depositBookQuery },
  responses: table,
});

/** Registers the exports for accountants: documents, charges and deposits as tables. */
export function registerBookRoutes({ routes }: Interface): void {
  routes.openapi(documentsRoute, async (c) => {
    const { decimal_mark: mark, ...query } = c.req.valid("query");
    const book = await readDocumentBook(staffRequest(c), toDocumentFilter(query));
    return answerBook(c, { name: "documents", book, mark, toBook: messages.toDocumentBook });
  });
  routes.openapi(chargesRoute, async (c) => {
    const { decimal_mark: mark, ...query } = c.req.valid("query");
    const book = await readChargeBook(staffRequest(c), toChargeFilter(query));
    return answerBook(c, { name: "charges", book, mark, toBook: messages.toChargeBook });
  });
  routes.openapi(depositsRoute, async (c) => {
    const { decimal_mark: mark, ...query } = c.req.valid("query");
    const book = await readDepositBook(staffRequest(c), toDepositFilter(query));
    return answerBook(c, { name: "deposits", book, mark, toBook: toDepositBook });
  });
}

interface AnsweredBook<Row> {
  readonly name: string;
  readonly book: Book<Row>;
  readonly mark: "." | ",";
  readonly toBook: (rows: readonly Row[], writing: Writing, mark: "." | ",") => string;
}

async function answerBook<Row>(c: Context<AppEnvironment>, { name, book, mark, toBook }: AnsweredBook<Row>) {
  if (!book.ok) return refused(c, book.error);
  returnFreshToken(c, book.value.freshToken);
  c.header("Content-Disposition", `attachment; filename="${name}.csv"`);
  return c.body(toBook(book.value.value, await loadWriting(c), mark), 200, CSV);
}
