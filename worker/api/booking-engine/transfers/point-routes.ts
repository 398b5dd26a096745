import { createRoute } from "@hono/zod-openapi";
import { z } from "zod";
import { listTransferDestinations, listTransferOrigins } from "#domain/catalogue/transfers.ts";
import { createReason } from "#domain/problems.ts";
import {
  answerEngineRefusal,
  engineFailureResponses,
  engineSecurity,
  getRequestMoment,
  readCatalogueAndVisitor,
} from "#worker/api/booking-engine/shared/engine.ts";
import { createUnknownTransferPointFailure } from "#worker/api/booking-engine/shared/errors.ts";
import { engineQuery } from "#worker/api/booking-engine/shared/messages.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { failures } from "#worker/api/failure.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent } from "#worker/api/openapi.ts";
import { createRevalidationMiddleware, notModifiedResponse } from "#worker/api/revalidated.ts";
import {
  catalogueTransferVehicleAnswer,
  toTransferExtraMessage,
  toTransferVehicleMessage,
  transferExtraAnswer,
} from "./offer-messages.ts";
import * as messages from "./point-messages.ts";

const tags = ["Points and days"];
const idPath = z.object({ id: z.string().meta({ example: "1" }) });

const listOriginPoints = createRoute({
  method: "get",
  path: "/origin-points",
  operationId: "listOriginPoints",
  tags,
  summary: "List origin points",
  security: engineSecurity,
  middleware: [createRevalidationMiddleware({ isPublic: false })],
  request: { query: messages.transferPointsQuery },
  responses: {
    ...notModifiedResponse,
    200: jsonContent(messages.transferPointsAnswer, "The points"),
    ...engineFailureResponses.reading(),
  },
});

const listDestinationPoints = createRoute({
  method: "get",
  path: "/destination-points",
  operationId: "listDestinationPoints",
  tags,
  summary: "List destination points of an origin",
  security: engineSecurity,
  middleware: [createRevalidationMiddleware({ isPublic: false })],
  request: { query: messages.transferDestinationsQuery },
  responses: {
    ...notModifiedResponse,
    200: jsonContent(messages.transferPointsAnswer, "The points"),
    ...engineFailureResponses.reading(),
  },
});

const listTransferDates = createRoute({
  method: "get",
  path: "/dates",
  operationId: "listTransferDates",
  tags,
  summary: "List departure days of transfers",
  security: engineSecurity,
  request: { query: messages.transferDatesQuery },
  responses: { 200: jsonContent(z.array(z.string()), "The days"), ...engineFailureResponses.reading() },
});

const readTransferVehicle = createRoute({
  method: "get",
  path: "/products/{id}",
  operationId: "readTransferVehicle",
  tags: ["Catalogue"],
  summary: "Retrieve a transfer vehicle",
  security: engineSecurity,
  middleware: [createRevalidationMiddleware({ isPublic: false })],
  request: { params: idPath, query: engineQuery },
  responses: {
    ...notModifiedResponse,
    200: jsonContent(catalogueTransferVehicleAnswer, "The vehicle"),
    ...engineFailureResponses.reading(404),
  },
});

const readTransferExtra = createRoute({
  method: "get",
  path: "/extras/{id}",
  operationId: "readTransferExtra",
  tags: ["Catalogue"],
  summary: "Retrieve an extra",
  security: engineSecurity,
  middleware: [createRevalidationMiddleware({ isPublic: false })],
  request: { params: idPath, query: engineQuery },
  responses: {
    ...notModifiedResponse,
    200: jsonContent(transferExtraAnswer, "The extra"),
    ...engineFailureResponses.reading(404),
  },
});

/** Registers the routes that list points, dates, times and vehicles of transfers. */
export function registerTransferPointRoutes({ routes }: ApiRoutes): void {
  routes.openapi(listOriginPoints, async (c) => {
    const { catalogue, visitor } = await readCatalogueAndVisitor(c);
    return c.json(
      messages.toTransferPointsMessage(listTransferOrigins(catalogue.transfers), c.req.valid("query"), visitor),
      200,
    );
  });
  routes.openapi(listDestinationPoints, async (c) => {
    const query = c.req.valid("query");
    const { catalogue, visitor } = await readCatalogueAndVisitor(c);
    const origin = catalogue.transfers.points.get(query.origin_point_id);
    if (!origin)
      return answerEngineRefusal(c, {
        kind: "invalid",
        field: "origin",
        reason: createReason("no_point", query.origin_point_id),
      });
    return c.json(
      messages.toTransferPointsMessage(listTransferDestinations(catalogue.transfers, origin), query, visitor),
      200,
    );
  });
  routes.openapi(listTransferDates, async (c) => {
    const { catalogue } = await readCatalogueAndVisitor(c);
    const query = c.req.valid("query");
    const { transfer_destination_point_id: id } = query;
    if (id !== undefined && !catalogue.transfers.points.has(id))
      return toErrorResponse(c, createUnknownTransferPointFailure(id));
    return c.json(
      messages.listTransferDepartureDates(catalogue.transfers, query, (await getRequestMoment(c)).civil),
      200,
    );
  });
  routes.openapi(readTransferVehicle, async (c) => {
    const { catalogue, visitor } = await readCatalogueAndVisitor(c);
    const vehicle = catalogue.transfers.vehicles.get(Number(c.req.valid("param").id));
    return vehicle
      ? c.json(toTransferVehicleMessage(vehicle, visitor), 200)
      : toErrorResponse(c, failures.unknownProduct);
  });
  routes.openapi(readTransferExtra, async (c) => {
    const { catalogue, visitor } = await readCatalogueAndVisitor(c);
    const extra = catalogue.transfers.extras.get(Number(c.req.valid("param").id));
    return extra ? c.json(toTransferExtraMessage(extra, visitor), 200) : toErrorResponse(c, failures.unknownExtra);
  });
}
