import { createRoute } from "@hono/zod-openapi";
import { z } from "zod";
import { catalogueFor, fails, getMoment, security } from "#worker/api/booking-engine/shared/engine.ts";
import { callQuery } from "#worker/api/booking-engine/shared/messages.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { failures } from "#worker/api/failure.ts";
import type { Interface } from "#worker/api/interface.ts";
import { json } from "#worker/api/openapi.ts";
import { revalidated, unchanged } from "#worker/api/revalidated.ts";
import { readOccupation } from "#worker/usecases/bookings/read-occupation.ts";
import * as messages from "./catalogue-messages.ts";
import { describeExtra, extraAnswer } from "./extra-messages.ts";
import { catalogueProductAnswer } from "./offer-messages.ts";
import { engineSettingsAnswer, toEngineSettingsMessage } from "./settings-messages.ts";

const tags = ["Catalogue"];
const productPath = z.object({ code: z.string().meta({ example: "ECON" }) });
const extraPath = z.object({ code: z.string().meta({ example: "GPS" }) });

const readSettings = createRoute({
  method: "get",
  path: "/settings",
  operationId: "readSettings",
  tags,
  summary: "Retrieve booking settings",
  security,
  request: { query: callQuery.extend({ product_type: z.string().optional(), product_id: z.string().optional() }) },
  responses: { 200: json(engineSettingsAnswer, "The settings"), ...fails.reading() },
});

const listProducts = createRoute({
  method: "get",
  path: "/products",
  operationId: "listProducts",
  tags,
  summary: "List categories",
  security,
  middleware: [revalidated({ isPublic: false })],
  request: { query: messages.productsQuery },
  responses: { ...unchanged, 200: json(messages.productsAnswer, "The products"), ...fails.reading() },
});

const readProduct = createRoute({
  method: "get",
  path: "/products/{code}",
  operationId: "readProduct",
  tags,
  summary: "Retrieve a category",
  security,
  middleware: [revalidated({ isPublic: false })],
  request: { params: productPath, query: callQuery },
  responses: { ...unchanged, 200: json(catalogueProductAnswer, "The product"), ...fails.reading(404) },
});

const readProductOccupation = createRoute({
  method: "get",
  path: "/products/{code}/occupation",
  operationId: "readProductOccupation",
  tags,
  summary: "List free units of a product by day",
  security,
  request: { params: productPath, query: messages.occupationQuery },
  responses: { 200: json(messages.occupationAnswer, "The calendar"), ...fails.reading(404) },
});

const readExtra = createRoute({
  method: "get",
  path: "/extras/{code}",
  operationId: "readExtra",
  tags,
  summary: "Retrieve an extra",
  security,
  middleware: [revalidated({ isPublic: false })],
  request: { params: extraPath, query: callQuery },
  responses: { ...unchanged, 200: json(extraAnswer, "The extra"), ...fails.reading(404) },
});

/** Registers the routes that read the account's catalogue. */
export function registerCatalogueRoutes({ routes }: Interface): void {
  routes.openapi(readSettings, async (c) => {
    const { catalogue, visitor } = await catalogueFor(c);
    const reader = { language: visitor.language, ownUrl: c.get("tenant").ownUrl };
    return c.json(toEngineSettingsMessage(catalogue, (await getMoment(c)).civil, reader), 200);
  });
  routes.openapi(listProducts, async (c) => {
    const { catalogue, visitor } = await catalogueFor(c);
    return c.json(messages.toCatalogueProductsMessage(catalogue, c.req.valid("query"), visitor), 200);
  });
  routes.openapi(readProduct, async (c) => {
    const { catalogue, visitor } = await catalogueFor(c);
    const product = messages.toCatalogueProductMessage(catalogue, c.req.valid("param").code, visitor);
    return product ? c.json(product, 200) : toErrorResponse(c, failures.unknownProduct);
  });
  routes.openapi(readProductOccupation, async (c) => {
    const { from, to, place } = c.req.valid("query");
    const { catalogue } = await catalogueFor(c);
    const places = [...catalogue.places.values()].filter((place) => place.isPickup && place.webPublic);
    const pickup = place === undefined ? places[0] : places.find((item) => item.id === place);
    const calendarRequest = { code: c.req.valid("param").code, branchCode: pickup?.branchCode ?? "", from, to };
    const read = await readOccupation(c.get("tenant"), calendarRequest, c.get("now"));
    if (!read.ok) return toErrorResponse(c, failures.unknownProduct);
    return c.json(messages.toOccupationMessage(read.value), 200);
  });
  routes.openapi(readExtra, async (c) => {
    const { catalogue, visitor } = await catalogueFor(c);
    const extra = catalogue.extras.get(c.req.valid("param").code);
    return extra ? c.json(describeExtra(extra, visitor), 200) : toErrorResponse(c, failures.unknownExtra);
  });
}
