import { createRoute } from "@hono/zod-openapi";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent } from "#worker/api/openapi.ts";
import { toStaffRequest } from "#worker/api/signed-in.ts";
import { listOfficeCustomers } from "#worker/usecases/access/office-customers.ts";
import { listReservations } from "#worker/usecases/contracts/list-reservations.ts";
import { listOfficeDocuments } from "#worker/usecases/documents/office-documents.ts";
import { listOfficeVehicles } from "#worker/usecases/fleet/office-vehicles.ts";
import { listQuotes } from "#worker/usecases/quotes/office-quotes.ts";
import { answerOffice } from "./answers.ts";
import { answerOfficeRefusal } from "./errors.ts";
import { officeFailureResponses, officeSecurity } from "./office-api.ts";
import * as messages from "./search-messages.ts";

const MAX_RESULTS = 5;

const searchRoute = createRoute({
  method: "get",
  path: "/search",
  operationId: "searchOffice",
  tags: ["Reservations"],
  summary: "Search reservations, customers, vehicles, documents and quotes",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { query: messages.searchQuery },
  responses: { 200: jsonContent(messages.searchAnswer, "Results by kind"), ...officeFailureResponses.reading() },
});

/** Registers the route that searches all lists. */
export function registerSearchRoutes({ routes }: ApiRoutes): void {
  routes.openapi(searchRoute, async (c) => {
    const request = toStaffRequest(c);
    const { q: text } = c.req.valid("query");
    const page = { text, after: undefined, pageSize: MAX_RESULTS, branchCode: undefined };
    const period = { dateFrom: undefined, dateTo: undefined };
    // The lists are read at the same time.
    const [reservations, customers, vehicles, quotes, documents] = await Promise.all([
      listReservations(request, {
        ...{ ...page, ...period, status: undefined, kind: undefined, categoryCode: undefined },
        ...{ customerId: undefined, needsAttention: false },
      }),
      listOfficeCustomers(request, { ...page, customerType: undefined }),
      listOfficeVehicles(request, {
        ...{ ...page, categoryCode: undefined, branchGroupId: undefined, active: undefined, state: undefined },
      }),
      listQuotes(request, { ...page, status: undefined, customerId: undefined }),
      listOfficeDocuments(request, {
        ...{ ...page, ...period, bookingId: undefined, customerId: undefined, form: undefined },
        ...{ status: undefined, isPaid: undefined },
      }),
    ]);
    if (!reservations.ok) return answerOfficeRefusal(c, reservations.error);
    if (!customers.ok) return answerOfficeRefusal(c, customers.error);
    if (!vehicles.ok) return answerOfficeRefusal(c, vehicles.error);
    if (!quotes.ok) return answerOfficeRefusal(c, quotes.error);
    return answerOffice(
      c,
      documents,
      ({ rows }) => ({
        reservations: reservations.value.value.rows.slice(0, MAX_RESULTS).map(messages.toFoundReservationMessage),
        customers: customers.value.value.rows.map(messages.toFoundCustomerMessage),
        vehicles: vehicles.value.value.rows.map(messages.toFoundVehicleMessage),
        documents: rows.map(messages.toFoundDocumentMessage),
        quotes: quotes.value.value.rows.map(messages.toFoundQuoteMessage),
      }),
      200,
    );
  });
}
