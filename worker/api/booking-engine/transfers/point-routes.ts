import { createRoute } from "@hono/zod-openapi";
import { z } from "zod";
import { listDestinations, listOrigins } from "#domain/catalogue/transfers.ts";
import { reason } from "#domain/problems.ts";
import { catalogueFor, fails, getMoment, refused, security } from "#worker/api/booking-engine/shared/engine.ts";
import { unknownPoint } from "#worker/api/booking-engine/shared/errors.ts";
import { callQuery } from "#worker/api/booking-engine/shared/messages.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { failures } from "#worker/api/failure.ts";
import type { Interface } from "#worker/api/interface.ts";
import { json } from "#worker/api/openapi.ts";
import { revalidated, unchanged } from "#worker/api/revalidated.ts";
import { describeExtra, describeVehicle, extraAnswer, vehicleAnswer } from "./offer-messages.ts";
import * as messages from "./point-messages.ts";

const tags = ["Points and days"];
const idPath = z.object({ id: z.string().meta({ example: "1" }) });

const listOriginPoints = createRoute({
  method: "get",
  path: "/origin-points",
  operationId: "listOriginPoints",
  tags,
  summary: "List origin points",
  security,
  middleware: [revalidated({ isPublic: false })],
  request: { query: messages.pointsQuery },
  responses: { ...unchanged, 200: json(messages.pointsAnswer, "The points"), ...fails.reading() },
});

const listDestinationPoints = createRoute({
  method: "get",
  path: "/destination-points",
  operationId: "listDestinationPoints",
  tags,
  summary: "List destination points of an origin",
  security,
  middleware: [revalidated({ isPublic: false })],
  request: { query: messages.destinationsQuery },
  responses: { ...unchanged, 200: json(messages.pointsAnswer, "The points"), ...fails.reading() },
});

const listTransferDates = createRoute({
  method: "get",
  path: "/dates",
  operationId: "listTransferDates",
  tags,
  summary: "List departure days of transfers",
  security,
  request: { query: messages.datesQuery },
  responses: { 200: json(z.array(z.string()), "The days"), ...fails.reading() },
});

const readTransferVehicle = createRoute({
  method: "get",
  path: "/products/{id}",
  operationId: "readTransferVehicle",
  tags: ["Catalogue"],
  summary: "Retrieve a transfer vehicle",
  security,
  middleware: [revalidated({ isPublic: false })],
  request: { params: idPath, query: callQuery },
  responses: { ...unchanged, 200: json(vehicleAnswer, "The vehicle"), ...fails.reading(404) },
});

const readTransferExtra = createRoute({
  method: "get",
  path: "/extras/{id}",
  operationId: "readTransferExtra",
  tags: ["Catalogue"],
  summary: "Retrieve an extra",
  security,
  middleware: [revalidated({ isPublic: false })],
  request: { params: idPath, query: callQuery },
  responses: { ...unchanged, 200: json(extraAnswer, "The extra"), ...fails.reading(404) },
});

/** Registers the routes that list points, dates, times and vehicles of transfers. */
export function registerPointRoutes({ routes }: Interface): void {
  routes.openapi(listOriginPoints, async (c) => {
    const { catalogue, visitor } = await catalogueFor(c);
    return c.json(messages.toPointsMessage(listOrigins(catalogue.transfers), c.req.valid("query"), visitor), 200);
  });
  routes.openapi(listDestinationPoints, async (c) => {
    const query = c.req.valid("query");
    const { catalogue, visitor } = await catalogueFor(c);
    const origin = catalogue.transfers.points.get(query.origin_point_id);
    if (!origin)
      return refused(c, { kind: "invalid", field: "origin", reason: reason("no_point", query.origin_point_id) });
    return c.json(messages.toPointsMessage(listDestinations(catalogue.transfers, origin), query, visitor), 200);
  });
  routes.openapi(listTransferDates, async (c) => {
    const { catalogue } = await catalogueFor(c);
    const query = c.req.valid("query");
    const { transfer_destination_point_id: id } = query;
    if (id !== undefined && !catalogue.transfers.points.has(id)) return toErrorResponse(c, unknownPoint(id));
    return c.json(messages.toTransferDates(catalogue.transfers, query, (await getMoment(c)).civil), 200);
  });
  routes.openapi(readTransferVehicle, async (c) => {
    const { catalogue, visitor } = await catalogueFor(c);
    const vehicle = catalogue.transfers.vehicles.get(Number(c.req.valid("param").id));
    return vehicle ? c.json(describeVehicle(vehicle, visitor), 200) : toErrorResponse(c, failures.unknownProduct);
  });
  routes.openapi(readTransferExtra, async (c) => {
    const { catalogue, visitor } = await catalogueFor(c);
    const extra = catalogue.transfers.extras.get(Number(c.req.valid("param").id));
    return extra ? c.json(describeExtra(extra, visitor), 200) : toErrorResponse(c, failures.unknownExtra);
  });
}
