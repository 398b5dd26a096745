import { createRoute } from "@hono/zod-openapi";
import { getAgency } from "#worker/api/agency.ts";
import { dropEmptyBodyMembers, dropEmptyExceptPromotionCode } from "#worker/api/drop-empty-members.ts";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import { type ApiRoutes, addFallbackRoutes, createApi } from "#worker/api/interface.ts";
import { createFailureResponses, jsonContent, jsonRequest, serveOpenApiDocument } from "#worker/api/openapi.ts";
import { limitBodySize, requireJsonBody } from "#worker/api/request-body.ts";
import { createRevalidationMiddleware, notModifiedResponse } from "#worker/api/revalidated.ts";
import { requirePartnerSignature } from "#worker/api/signed.ts";
import { getOrigin } from "#worker/tenancy/request-url.ts";
import { cancelAgencyBooking, readAgencyBooking } from "#worker/usecases/bookings/agency-booking.ts";
import { bookForAgency } from "#worker/usecases/bookings/book-for-agency.ts";
import { searchAgencyAvailability } from "#worker/usecases/bookings/search-availability.ts";
import { listPlaces } from "#worker/usecases/catalogue/list-places.ts";
import { changeAgencyBooking } from "#worker/usecases/contracts/agency-change.ts";
import { createFreeAccessId } from "#worker/usecases/shared/new-ids.ts";
import * as availability from "./availability-messages.ts";
import * as bookings from "./booking-messages.ts";
import { toOtaChangeFailure, toOtaErrorResponse, toOtaFailure } from "./errors.ts";
import * as messages from "./messages.ts";

const signedRead = [requirePartnerSignature("ota", toOtaErrorResponse), dropEmptyParameters];
const signedBody = [
  limitBodySize(toOtaErrorResponse),
  requirePartnerSignature("ota", toOtaErrorResponse),
  requireJsonBody(toOtaErrorResponse),
];
const signedWrite = [...signedBody, dropEmptyBodyMembers];

const fails = createFailureResponses(messages.agencyFailureAnswer, 401, 403, 429);
const security = [{ signature: [] }];

const RESERVATION = {
  reservation: {
    agency_reservation_id: "EXAMPLE-1",
    date_from: "2030-06-10",
    time_from: "10:00",
    date_to: "2030-06-13",
    time_to: "10:00",
    pickup_place: 1,
    return_place: 1,
    customer_name: "Ana",
    customer_surname: "Ruiz",
    products: [{ code: "ECON", quantity: 1 }],
    extras: [{ code: "GPS", quantity: 1 }],
  },
};

const listPlacesRoute = createRoute({
  method: "get",
  path: "/location-list",
  operationId: "listLocations",
  tags: ["Availability"],
  summary: "List pickup and return places",
  security,
  middleware: [...signedRead, createRevalidationMiddleware({ isPublic: false })],
  request: { query: messages.agencyPlacesQuery },
  responses: {
    ...notModifiedResponse,
    200: jsonContent(messages.agencyPlacesAnswer, "The places"),
    ...fails.reading(404),
  },
});

const searchRoute = createRoute({
  method: "get",
  path: "/availability",
  operationId: "searchAvailability",
  tags: ["Availability"],
  summary: "Search availability",
  security,
  middleware: signedRead,
  request: { query: availability.agencyAvailabilityQuery },
  responses: {
    200: jsonContent(availability.agencyAvailabilityAnswer, "Available products and extras"),
    ...fails.reading(),
  },
});

const bookRoute = createRoute({
  method: "post",
  path: "/booking",
  operationId: "createBooking",
  tags: ["Bookings"],
  summary: "Create a booking (idempotent)",
  security,
  middleware: signedWrite,
  request: { body: jsonRequest(bookings.agencyBookingBody, "The booking", RESERVATION) },
  responses: { 200: jsonContent(bookings.agencyBookingAnswer, "The stored booking"), ...fails.writing(409) },
});

const readRoute = createRoute({
  method: "get",
  path: "/booking",
  operationId: "readBooking",
  tags: ["Bookings"],
  summary: "Retrieve a booking by reference",
  security,
  middleware: signedRead,
  request: { query: bookings.agencyReferenceQuery },
  responses: { 200: jsonContent(bookings.agencyBookingAnswer, "The stored booking"), ...fails.reading(404) },
});

const changeRoute = createRoute({
  method: "post",
  path: "/change-booking",
  operationId: "changeBooking",
  tags: ["Bookings"],
  summary: "Change a booking (idempotent)",
  security,
  middleware: [...signedBody, dropEmptyExceptPromotionCode],
  request: {
    body: jsonRequest(bookings.agencyChangeBody, "What changes", {
      reservation: { agency_reservation_id: "EXAMPLE-1", time_to: "12:00" },
    }),
  },
  responses: { 200: jsonContent(bookings.agencyBookingAnswer, "The changed booking"), ...fails.writing(404, 409) },
});

const cancelRoute = createRoute({
  method: "post",
  path: "/cancel-booking",
  operationId: "cancelBooking",
  tags: ["Bookings"],
  summary: "Cancel a booking (idempotent)",
  security,
  middleware: signedWrite,
  request: {
    body: jsonRequest(bookings.agencyCancellationBody, "The booking", {
      reservation: { agency_reservation_id: "EXAMPLE-1" },
    }),
  },
  responses: {
    200: jsonContent(bookings.agencyCancellationAnswer, "The booking is cancelled", {
      success: true,
      response: { status: "canceled" },
    }),
    ...fails.writing(404, 409),
  },
});

/** Registers the routes for agencies: places, availability and bookings. */
function registerAgencyRoutes({ routes }: ApiRoutes): void {
  routes.openapi(listPlacesRoute, async (c) => {
    const query = c.req.valid("query");
    const listed = await listPlaces(c.get("tenant"), query["pickup-place-id"]);
    if (!listed.ok) return toOtaErrorResponse(c, toOtaFailure(listed.error, "placesQuery"));
    const { places, catalogue } = listed.value;
    return c.json(
      {
        success: true,
        response: messages.toAgencyPlacesMessage(places, catalogue, query["customer-language"]),
      } as const,
      200,
    );
  });
  routes.openapi(searchRoute, async (c) => {
    const { tenant, now, partner } = c.var;
    const query = c.req.valid("query");
    const request = availability.toRentalRequest(query, partner.agency?.salesChannel);
    const searchResult = await searchAgencyAvailability(tenant, request, { now, partner });
    if (!searchResult.ok) return toOtaErrorResponse(c, toOtaFailure(searchResult.error, "query"));
    return c.json(
      {
        success: true,
        response: availability.toAvailabilityMessage(
          searchResult.value,
          query["customer-language"],
          getOrigin(c.req.url),
        ),
      } as const,
      200,
    );
  });
  routes.openapi(bookRoute, async (c) => {
    const { tenant, now, partner } = c.var;
    const agency = getAgency(partner);
    const request = bookings.toAgencyBookingRequest(c.req.valid("json"), agency.salesChannel);
    const booked = await bookForAgency(tenant, agency, request, { now, freeAccessId: createFreeAccessId() });
    if (!booked.ok) return toOtaErrorResponse(c, toOtaFailure(booked.error, "body"));
    const { booking, catalogue } = booked.value;
    return c.json({ success: true, response: bookings.toAgencyBookingMessage(booking, catalogue) } as const, 200);
  });
  routes.openapi(readRoute, async (c) => {
    const { tenant, partner } = c.var;
    const reference = c.req.valid("query")["agency-reservation-id"];
    const read = await readAgencyBooking(tenant, getAgency(partner), reference);
    if (!read.ok) return toOtaErrorResponse(c, toOtaFailure(read.error, "query"));
    return c.json(
      { success: true, response: bookings.toAgencyBookingMessage(read.value.booking, read.value.catalogue) } as const,
      200,
    );
  });
  routes.openapi(changeRoute, async (c) => {
    const { tenant, now, partner } = c.var;
    const change = bookings.toAgencyChange(c.req.valid("json"));
    const changed = await changeAgencyBooking(tenant, getAgency(partner), change, now);
    if (!changed.ok) return toOtaErrorResponse(c, toOtaChangeFailure(changed.error));
    const { booking, catalogue } = changed.value;
    return c.json({ success: true, response: bookings.toAgencyBookingMessage(booking, catalogue) } as const, 200);
  });
  routes.openapi(cancelRoute, async (c) => {
    const { tenant, now, partner } = c.var;
    const { reservation } = c.req.valid("json");
    const cancelled = await cancelAgencyBooking(tenant, getAgency(partner), reservation.agency_reservation_id, now);
    if (!cancelled.ok) return toOtaErrorResponse(c, toOtaChangeFailure(cancelled.error));
    return c.json({ success: true, response: { status: "canceled" } } as const, 200);
  });
}

const ota = createApi(toOtaErrorResponse);
registerAgencyRoutes(ota);

/** OpenAPI document of the agency API. */
export const createOtaOpenApi = serveOpenApiDocument(ota, {
  title: "Agency (OTA) interface",
  description: "API for agencies: places, availability and own bookings. Each request is signed.",
  basePath: "/api/booking/ota",
  tags: {
    Availability: "Where, when and what can be booked, and at which price.",
    Bookings: "The agency's own bookings, by its own references.",
  },
  schemes: ["signature"],
});
addFallbackRoutes(ota);

export const otaRoutes = ota.routes;
