import { createRoute } from "@hono/zod-openapi";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent } from "#worker/api/openapi.ts";
import { toStaffRequest } from "#worker/api/signed-in.ts";
import { createCustomerListRead } from "#worker/usecases/access/office-customers.ts";
import { createReservationListRead } from "#worker/usecases/contracts/list-reservations.ts";
import { createDocumentListRead } from "#worker/usecases/documents/office-documents.ts";
import { createVehicleListRead } from "#worker/usecases/fleet/office-vehicles.ts";
import { readLists } from "#worker/usecases/office/list-reads.ts";
import { createQuoteListRead } from "#worker/usecases/quotes/office-quotes.ts";
import { answerOffice } from "./answers.ts";
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
    const found = await readLists(request, {
      reservations: createReservationListRead(request, {
        ...{ ...page, ...period, status: undefined, kind: undefined, categoryCode: undefined },
        ...{ customerId: undefined, needsAttention: false },
      }),
      customers: createCustomerListRead(request, { ...page, customerType: undefined }),
      vehicles: createVehicleListRead(request, {
        ...{ ...page, categoryCode: undefined, branchGroupId: undefined, active: undefined, state: undefined },
      }),
      quotes: createQuoteListRead(request, { ...page, status: undefined, customerId: undefined }),
      documents: createDocumentListRead(request, {
        ...{ ...page, ...period, bookingId: undefined, customerId: undefined, form: undefined },
        ...{ status: undefined, isPaid: undefined },
      }),
    });
    return answerOffice(
      c,
      found,
      ({ reservations, customers, vehicles, quotes, documents }) => ({
        reservations: reservations.rows.map(messages.toFoundReservationMessage),
        customers: customers.rows.map(messages.toFoundCustomerMessage),
        vehicles: vehicles.rows.map(messages.toFoundVehicleMessage),
        documents: documents.rows.map(messages.toFoundDocumentMessage),
        quotes: quotes.rows.map(messages.toFoundQuoteMessage),
      }),
      200,
    );
  });
}
