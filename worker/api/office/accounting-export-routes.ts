import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { loadMessageFormat } from "#worker/api/integration/integration-api.ts";
import type { MessageFormat } from "#worker/api/integration/messages.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import { declareStepUp } from "#worker/api/step-up.ts";
import {
  type ExportRowsResult,
  readChargesForExport,
  readDepositsForExport,
  readDocumentsForExport,
} from "#worker/usecases/payments/accounting-exports.ts";
import * as messages from "./accounting-export-messages.ts";
import { getToday } from "./answers.ts";
import { depositExportQuery, toDepositExportTable, toDepositFilter } from "./deposit-messages.ts";
import { answerOfficeRefusal } from "./errors.ts";
import type { ExportTable } from "./export-table-messages.ts";
import { toChargeFilter, toDocumentFilter } from "./money-messages.ts";
import { officeSecurity } from "./office-api.ts";
import {
  answerTableFile,
  createTableResponses,
  OPERATION_ID_SUFFIXES,
  TABLE_FORMATS,
  type TableFormat,
} from "./table-files.ts";

const TAGS = ["Money"];

/** Registers the routes of tables for accountants: documents, charges and deposits. */
export function registerAccountingExportRoutes({ routes }: ApiRoutes): void {
  for (const format of TABLE_FORMATS) {
    const common = {
      method: "get" as const,
      ...declareStepUp("people"),
      tags: TAGS,
      security: officeSecurity,
      middleware: [dropEmptyParameters],
      responses: createTableResponses(format),
    };
    const documentsRoute = createRoute({
      ...common,
      path: `/documents.${format}`,
      operationId: `exportDocuments${OPERATION_ID_SUFFIXES[format]}`,
      summary: "Export documents as a table",
      request: { query: messages.documentExportTableQuery },
    });
    const chargesRoute = createRoute({
      ...common,
      path: `/charges.${format}`,
      operationId: `exportCharges${OPERATION_ID_SUFFIXES[format]}`,
      summary: "Export money movements as a table",
      request: { query: messages.chargeExportTableQuery },
    });
    const depositsRoute = createRoute({
      ...common,
      path: `/deposits.${format}`,
      operationId: `exportDeposits${OPERATION_ID_SUFFIXES[format]}`,
      summary: "Export held deposits as a table",
      request: { query: depositExportQuery },
    });
    routes.openapi(documentsRoute, async (c) => {
      const { decimal_mark: mark, ...query } = c.req.valid("query");
      const sorted = query.sort && { sort: query.sort, after: undefined };
      const book = await readDocumentsForExport(toStaffRequest(c), { ...toDocumentFilter(query), sorted });
      return answerBook(c, { name: "documents", format, book, mark, toBook: messages.toDocumentExportTable });
    });
    routes.openapi(chargesRoute, async (c) => {
      const { decimal_mark: mark, ...query } = c.req.valid("query");
      const sorted = query.sort && { sort: query.sort, after: undefined };
      const filter = toChargeFilter(query, await getToday(c));
      const book = await readChargesForExport(toStaffRequest(c), { ...filter, sorted });
      return answerBook(c, { name: "charges", format, book, mark, toBook: messages.toChargeExportTable });
    });
    routes.openapi(depositsRoute, async (c) => {
      const { decimal_mark: mark, ...query } = c.req.valid("query");
      const book = await readDepositsForExport(toStaffRequest(c), toDepositFilter(query));
      return answerBook(c, { name: "deposits", format, book, mark, toBook: toDepositExportTable });
    });
  }
}

interface AnsweredBook<Row> {
  readonly name: string;
  readonly format: TableFormat;
  readonly book: ExportRowsResult<Row>;
  readonly mark: "." | ",";
  readonly toBook: (rows: readonly Row[], messageFormat: MessageFormat) => ExportTable;
}

async function answerBook<Row>(c: Context<AppEnvironment>, { name, format, book, mark, toBook }: AnsweredBook<Row>) {
  if (!book.ok) return answerOfficeRefusal(c, book.error);
  setFreshTokenHeader(c, book.value.freshToken);
  return answerTableFile(c, name, format, { table: toBook(book.value.value, await loadMessageFormat(c)), mark });
}
