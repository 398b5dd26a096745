import { createRoute } from "@hono/zod-openapi";
import { z } from "zod";
import { listDestinations, listOrigins } from "#domain/transfers/transfers.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { failures } from "#worker/api/failure.ts";
import { json } from "#worker/api/openapi.ts";
import { failed } from "#worker/api/rental-engine/cart-routes.ts";
import { catalogueFor, momentOf, refused } from "#worker/api/rental-engine/engine.ts";
import { unknownPoint } from "#worker/api/rental-engine/errors.ts";
import { callQuery } from "#worker/api/rental-engine/messages.ts";
import { engine } from "./engine.ts";
import { describeExtra, describeVehicle } from "./offer-messages.ts";
import * as messages from "./point-messages.ts";

const { routes } = engine;

routes.openapi(
  createRoute({
    method: "get",
    path: "/origin-points",
    summary: "Points that a transfer can begin at",
    request: { query: messages.pointsQuery },
    responses: { 200: json(messages.pointsAnswer, "The points"), ...failed },
  }),
  async (c) => {
    const { catalogue, visitor } = await catalogueFor(c);
    return c.json(messages.fromPoints(listOrigins(catalogue.transfers), c.req.valid("query"), visitor), 200);
  },
);

routes.openapi(
  createRoute({
    method: "get",
    path: "/destination-points",
    summary: "Points that a transfer from an origin can lead to",
    request: { query: messages.destinationsQuery },
    responses: { 200: json(messages.pointsAnswer, "The points"), ...failed },
  }),
  async (c) => {
    const query = c.req.valid("query");
    const { catalogue, visitor } = await catalogueFor(c);
    const origin = catalogue.transfers.points.get(query.origin_point_id);
    if (!origin)
      return refused(c, { kind: "invalid", field: "origin", reason: `there is no point ${query.origin_point_id}` });
    return c.json(messages.fromPoints(listDestinations(catalogue.transfers, origin), query, visitor), 200);
  },
);

routes.openapi(
  createRoute({
    method: "get",
    path: "/dates",
    summary: "Days on which transfers depart",
    request: { query: messages.datesQuery },
    responses: { 200: json(z.array(z.string()), "The days"), ...failed },
  }),
  async (c) => {
    const { catalogue } = await catalogueFor(c);
    const query = c.req.valid("query");
    const { transfer_destination_point_id: id } = query;
    if (id !== undefined && !catalogue.transfers.points.has(id)) return toErrorResponse(c, unknownPoint(id));
    return c.json(messages.toDates(catalogue.transfers, query, (await momentOf(c)).civil), 200);
  },
);

const idParameter = z.object({ id: z.string().max(20) });
const described = z.looseObject({});

routes.openapi(
  createRoute({
    method: "get",
    path: "/products/{id}",
    summary: "One vehicle",
    request: { params: idParameter, query: callQuery },
    responses: { 200: json(described, "The vehicle"), ...failed },
  }),
  async (c) => {
    const { catalogue, visitor } = await catalogueFor(c);
    const vehicle = catalogue.transfers.vehicles.get(Number(c.req.valid("param").id));
    return vehicle ? c.json(describeVehicle(vehicle, visitor), 200) : toErrorResponse(c, failures.unknownProduct);
  },
);

routes.openapi(
  createRoute({
    method: "get",
    path: "/extras/{id}",
    summary: "One extra",
    request: { params: idParameter, query: callQuery },
    responses: { 200: json(described, "The extra"), ...failed },
  }),
  async (c) => {
    const { catalogue, visitor } = await catalogueFor(c);
    const extra = catalogue.transfers.extras.get(Number(c.req.valid("param").id));
    return extra ? c.json(describeExtra(extra, visitor), 200) : toErrorResponse(c, failures.unknownExtra);
  },
);
