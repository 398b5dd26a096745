import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { z } from "zod";
import { listHalfHours } from "#domain/bookings/calendar.ts";
import {
  answerEngineRefusal,
  engineFailureResponses,
  engineSecurity,
  getRequestMoment,
  readCatalogueAndVisitor,
} from "#worker/api/booking-engine/shared/engine.ts";
import { createUnknownTransferPointFailure } from "#worker/api/booking-engine/shared/errors.ts";
import { engineQuery } from "#worker/api/booking-engine/shared/messages.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent } from "#worker/api/openapi.ts";
import { createRevalidationMiddleware, notModifiedResponse } from "#worker/api/revalidated.ts";
import { listPlaces } from "#worker/usecases/catalogue/list-places.ts";
import * as messages from "./place-messages.ts";

const tags = ["Places and times"];
const reading = engineFailureResponses.reading();

const listPickupPlaces = createRoute({
  method: "get",
  path: "/pickup-places",
  operationId: "listPickupPlaces",
  tags,
  summary: "List pickup places",
  security: engineSecurity,
  middleware: [createRevalidationMiddleware({ isPublic: false })],
  request: { query: messages.enginePlacesQuery },
  responses: { ...notModifiedResponse, 200: jsonContent(messages.enginePlacesAnswer, "The places"), ...reading },
});

const listReturnPlaces = createRoute({
  method: "get",
  path: "/return-places",
  operationId: "listReturnPlaces",
  tags,
  summary: "List return places",
  security: engineSecurity,
  middleware: [createRevalidationMiddleware({ isPublic: false })],
  request: { query: messages.enginePlacesQuery },
  responses: { ...notModifiedResponse, 200: jsonContent(messages.enginePlacesAnswer, "The places"), ...reading },
});

const listTimeSlots = createRoute({
  method: "get",
  path: "/pickup-return-times",
  operationId: "listTimeSlots",
  tags,
  summary: "List pickup and return time slots",
  security: engineSecurity,
  request: { query: engineQuery },
  responses: { 200: jsonContent(z.array(z.string()), "The slots"), ...reading },
});

const listDates = createRoute({
  method: "get",
  path: "/dates",
  operationId: "listDates",
  tags,
  summary: "List pickup and return days",
  security: engineSecurity,
  request: { query: messages.openDaysQuery },
  responses: { 200: jsonContent(z.array(z.string()), "The days"), ...reading },
});

const listTimes = createRoute({
  method: "get",
  path: "/times",
  operationId: "listTimes",
  tags,
  summary: "List pickup and return times of a day",
  security: engineSecurity,
  request: { query: messages.openTimesQuery },
  responses: { 200: jsonContent(z.array(z.string()), "The times"), ...reading },
});

const listDurations = createRoute({
  method: "get",
  path: "/durations",
  operationId: "listDurations",
  tags,
  summary: "List allowed rental lengths",
  security: engineSecurity,
  request: { query: messages.rentalDurationsQuery },
  responses: { 200: jsonContent(messages.rentalDurationsAnswer, "The numbers of days"), ...reading },
});

async function placesFor(
  c: Context<AppEnvironment>,
  role: "isPickup" | "isReturn",
  query: z.output<typeof messages.enginePlacesQuery>,
) {
  const { catalogue, visitor } = await readCatalogueAndVisitor(c);
  const listResult = await listPlaces(c.get("tenant"), role === "isReturn" ? query.pickup_place : undefined, {
    isWebsite: true,
  });
  if (!listResult.ok) return answerEngineRefusal(c, listResult.error);
  const places = listResult.value.places
    .filter((place) => place[role])
    .filter((place) => query.rental_location_code === undefined || place.branchCode === query.rental_location_code);
  return c.json(messages.toEnginePlacesMessage(places, catalogue, visitor), 200);
}

/** Registers the routes that list places, dates and times of pickup and return. */
export function registerPlaceRoutes({ routes }: ApiRoutes): void {
  routes.openapi(listPickupPlaces, async (c) => placesFor(c, "isPickup", c.req.valid("query")));
  routes.openapi(listReturnPlaces, async (c) => placesFor(c, "isReturn", c.req.valid("query")));
  routes.openapi(listTimeSlots, (c) => c.json(listHalfHours(), 200));
  routes.openapi(listDates, async (c) => {
    const { catalogue } = await readCatalogueAndVisitor(c);
    return c.json(messages.listBranchOpenDays(catalogue, c.req.valid("query"), (await getRequestMoment(c)).civil), 200);
  });
  routes.openapi(listDurations, async (c) => {
    const { catalogue, visitor } = await readCatalogueAndVisitor(c);
    const { civil } = await getRequestMoment(c);
    return c.json(messages.listRentalDurations(catalogue, c.req.valid("query"), civil, visitor), 200);
  });
  routes.openapi(listTimes, async (c) => {
    const { catalogue } = await readCatalogueAndVisitor(c);
    const pointId = c.req.valid("query").transfer_destination_point_id;
    if (pointId !== undefined && !catalogue.transfers.points.has(pointId))
      return toErrorResponse(c, createUnknownTransferPointFailure(pointId));
    return c.json(messages.listOpenTimes(catalogue, c.req.valid("query"), (await getRequestMoment(c)).civil), 200);
  });
}
