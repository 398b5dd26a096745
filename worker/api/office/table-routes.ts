import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { loadMessageFormat } from "#worker/api/integration/integration-api.ts";
import type { MessageFormat } from "#worker/api/integration/messages.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import { declareStepUp } from "#worker/api/step-up.ts";
import { listOfficeCustomers } from "#worker/usecases/access/office-customers.ts";
import { listReservations } from "#worker/usecases/contracts/list-reservations.ts";
import { listOfficeVehicles } from "#worker/usecases/fleet/office-vehicles.ts";
import { exportList } from "#worker/usecases/operations/export-list.ts";
import { listQuotes } from "#worker/usecases/quotes/office-quotes.ts";
import { listExpenses } from "#worker/usecases/reporting/expenses.ts";
import { getToday } from "./answers.ts";
import { toCustomerFilter, toCustomerListRowMessage } from "./customer-messages.ts";
import { answerOfficeRefusal } from "./errors.ts";
import { toExpenseFilter, toOfficeExpenseMessage } from "./expense-messages.ts";
import { answerExpenseRefusal } from "./expense-routes.ts";
import { type TableColumns, toExportTable } from "./export-table-messages.ts";
import { officeSecurity } from "./office-api.ts";
import { toQuoteFilter, toQuoteMessage } from "./quote-messages.ts";
import { toReservationFilter } from "./request-messages.ts";
import { toListedReservationMessage } from "./reservation-messages.ts";
import { answerTableFile, createTableResponses, TABLE_FORMATS, type TableFormat } from "./table-files.ts";
import * as messages from "./table-messages.ts";
import { toListedVehicleMessage, toVehicleFilter } from "./vehicle-messages.ts";

const NAMES = {
  reservations: { csv: "exportReservations", xlsx: "exportReservationsWorkbook", tag: "Reservations" },
  vehicles: { csv: "exportVehicles", xlsx: "exportVehiclesWorkbook", tag: "Fleet" },
  customers: { csv: "exportCustomers", xlsx: "exportCustomersWorkbook", tag: "Customers" },
  expenses: { csv: "exportExpenses", xlsx: "exportExpensesWorkbook", tag: "Expenses" },
  quotes: { csv: "exportQuotes", xlsx: "exportQuotesWorkbook", tag: "Quotes" },
} as const;
type List = keyof typeof NAMES;

function defineTableRoute<Name extends List>(list: Name, format: TableFormat) {
  return createRoute({
    method: "get",
    path: `/${list}.${format}`,
    operationId: NAMES[list][format],
    ...declareStepUp("people"),
    tags: [NAMES[list].tag],
    summary: `Export ${list} as a table`,
    security: officeSecurity,
    middleware: [dropEmptyParameters],
    request: { query: messages.tableExportQueries[list] as (typeof messages.tableExportQueries)[Name] },
    responses: createTableResponses(format),
  });
}

/** Registers the routes that return the lists as CSV tables or workbooks. */
export function registerTableRoutes({ routes }: ApiRoutes): void {
  for (const format of TABLE_FORMATS) {
    routes.openapi(defineTableRoute("reservations", format), async (c) => {
      const { decimal_mark: mark, ...query } = c.req.valid("query");
      const sorted = query.sort && { sort: query.sort, after: undefined };
      const listed = await exportList(toStaffRequest(c), "reservations", (page) =>
        listReservations(toStaffRequest(c), { ...toReservationFilter(query), sorted, ...page }),
      );
      if (!listed.ok) return answerOfficeRefusal(c, listed.error);
      const file = {
        name: "reservations",
        format,
        mark,
        columns: messages.RESERVATION_COLUMNS,
        fromRow: toListedReservationMessage,
      };
      return answerRowsAsTableFile(c, listed.value, file);
    });
    routes.openapi(defineTableRoute("vehicles", format), async (c) => {
      const { decimal_mark: mark, ...query } = c.req.valid("query");
      const sorted = query.sort && { sort: query.sort, after: undefined };
      const listed = await exportList(toStaffRequest(c), "vehicles", (page) =>
        listOfficeVehicles(toStaffRequest(c), { ...toVehicleFilter(query), sorted, ...page }),
      );
      if (!listed.ok) return answerOfficeRefusal(c, listed.error);
      const file = {
        name: "vehicles",
        format,
        mark,
        columns: messages.VEHICLE_COLUMNS,
        fromRow: toListedVehicleMessage,
      };
      return answerRowsAsTableFile(c, listed.value, file);
    });
    routes.openapi(defineTableRoute("customers", format), async (c) => {
      const { decimal_mark: mark, ...query } = c.req.valid("query");
      const sorted = query.sort && { sort: query.sort, after: undefined };
      const listed = await exportList(toStaffRequest(c), "customers", (page) =>
        listOfficeCustomers(toStaffRequest(c), { ...toCustomerFilter(query), sorted, ...page }),
      );
      if (!listed.ok) return answerOfficeRefusal(c, listed.error);
      const file = {
        name: "customers",
        format,
        mark,
        columns: messages.CUSTOMER_COLUMNS,
        fromRow: toCustomerListRowMessage,
      };
      return answerRowsAsTableFile(c, listed.value, file);
    });
    routes.openapi(defineTableRoute("expenses", format), async (c) => {
      const { decimal_mark: mark, ...query } = c.req.valid("query");
      const sorted = query.sort && { sort: query.sort, after: undefined };
      const today = await getToday(c);
      const listed = await exportList(toStaffRequest(c), "expenses", (page) =>
        listExpenses(toStaffRequest(c), { ...toExpenseFilter(query, today), sorted, ...page }),
      );
      if (!listed.ok)
        return listed.error.kind === "invalid"
          ? answerOfficeRefusal(c, listed.error)
          : answerExpenseRefusal(c, listed.error);
      const fromRow = (row: Parameters<typeof toOfficeExpenseMessage>[0], { decimals }: MessageFormat) =>
        toOfficeExpenseMessage(row, decimals);
      const file = { name: "expenses", format, mark, columns: messages.EXPENSE_COLUMNS, fromRow };
      return answerRowsAsTableFile(c, listed.value, file);
    });
    routes.openapi(defineTableRoute("quotes", format), async (c) => {
      const { decimal_mark: mark, ...query } = c.req.valid("query");
      const sorted = query.sort && { sort: query.sort, after: undefined };
      const listed = await exportList(toStaffRequest(c), "quotes", (page) =>
        listQuotes(toStaffRequest(c), { ...toQuoteFilter(query), sorted, ...page }),
      );
      if (!listed.ok) return answerOfficeRefusal(c, listed.error);
      const file = { name: "quotes", format, mark, columns: messages.QUOTE_COLUMNS, fromRow: toQuoteMessage };
      return answerRowsAsTableFile(c, listed.value, file);
    });
  }
}

/** Format of a table, and how it's built from the rows of its list. */
interface TableFile<Row, Message> {
  readonly name: string;
  readonly format: TableFormat;
  readonly mark: "." | ",";
  readonly columns: TableColumns<Message>;
  readonly fromRow: (row: Row, messageFormat: MessageFormat) => Message;
}

/** Returns the rows of a list as a table. */
export async function answerRowsAsTableFile<Row, Message>(
  c: Context<AppEnvironment>,
  listed: { readonly value: { readonly rows: readonly Row[] }; readonly freshToken: string | undefined },
  { name, format, mark, columns, fromRow }: TableFile<Row, Message>,
) {
  setFreshTokenHeader(c, listed.freshToken);
  const messageFormat = await loadMessageFormat(c);
  const rows = listed.value.rows.map((row) => fromRow(row, messageFormat));
  return answerTableFile(c, name, format, { table: toExportTable(columns, rows, messageFormat), mark });
}
