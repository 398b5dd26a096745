import { createRoute } from "@hono/zod-openapi";
import { z } from "zod";
import {
  engineFailureResponses,
  engineSecurity,
  getRequestMoment,
  readCatalogueAndVisitor,
} from "#worker/api/booking-engine/shared/engine.ts";
import { engineQuery } from "#worker/api/booking-engine/shared/messages.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { failures } from "#worker/api/failure.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent } from "#worker/api/openapi.ts";
import { createRevalidationMiddleware, notModifiedResponse } from "#worker/api/revalidated.ts";
import { readCategoryAvailabilityCalendar } from "#worker/usecases/bookings/read-availability-calendar.ts";
import * as messages from "./catalogue-messages.ts";
import { rentalExtraAnswer, toRentalExtraMessage } from "./extra-messages.ts";
import { catalogueProductAnswer } from "./offer-messages.ts";
import { toWebsiteSettingsMessage, websiteSettingsAnswer } from "./settings-messages.ts";

const tags = ["Catalogue"];
const productPath = z.object({ code: z.string().meta({ example: "ECON" }) });
const extraPath = z.object({ code: z.string().meta({ example: "GPS" }) });

const readSettings = createRoute({
  method: "get",
  path: "/settings",
  operationId: "readSettings",
  tags,
  summary: "Retrieve booking settings",
  security: engineSecurity,
  request: { query: engineQuery.extend({ product_type: z.string().optional(), product_id: z.string().optional() }) },
  responses: { 200: jsonContent(websiteSettingsAnswer, "The settings"), ...engineFailureResponses.reading() },
});

const listProducts = createRoute({
  method: "get",
  path: "/products",
  operationId: "listProducts",
  tags,
  summary: "List categories",
  security: engineSecurity,
  middleware: [createRevalidationMiddleware({ isPublic: false })],
  request: { query: messages.catalogueProductsQuery },
  responses: {
    ...notModifiedResponse,
    200: jsonContent(messages.catalogueProductsAnswer, "The products"),
    ...engineFailureResponses.reading(),
  },
});

const readProduct = createRoute({
  method: "get",
  path: "/products/{code}",
  operationId: "readProduct",
  tags,
  summary: "Retrieve a category",
  security: engineSecurity,
  middleware: [createRevalidationMiddleware({ isPublic: false })],
  request: { params: productPath, query: engineQuery },
  responses: {
    ...notModifiedResponse,
    200: jsonContent(catalogueProductAnswer, "The product"),
    ...engineFailureResponses.reading(404),
  },
});

const readProductOccupation = createRoute({
  method: "get",
  path: "/products/{code}/occupation",
  operationId: "readProductOccupation",
  tags,
  summary: "List free units of a product by day",
  security: engineSecurity,
  request: { params: productPath, query: messages.availabilityCalendarQuery },
  responses: {
    200: jsonContent(messages.availabilityCalendarAnswer, "The calendar"),
    ...engineFailureResponses.reading(404),
  },
});

const readExtra = createRoute({
  method: "get",
  path: "/extras/{code}",
  operationId: "readExtra",
  tags,
  summary: "Retrieve an extra",
  security: engineSecurity,
  middleware: [createRevalidationMiddleware({ isPublic: false })],
  request: { params: extraPath, query: engineQuery },
  responses: {
    ...notModifiedResponse,
    200: jsonContent(rentalExtraAnswer, "The extra"),
    ...engineFailureResponses.reading(404),
  },
});

/** Registers the routes that read the account's catalogue. */
export function registerCatalogueRoutes({ routes }: ApiRoutes): void {
  routes.openapi(readSettings, async (c) => {
    const { catalogue, visitor } = await readCatalogueAndVisitor(c);
    const reader = { language: visitor.language, ownUrl: c.get("tenant").ownUrl };
    return c.json(toWebsiteSettingsMessage(catalogue, (await getRequestMoment(c)).civil, reader), 200);
  });
  routes.openapi(listProducts, async (c) => {
    const { catalogue, visitor } = await readCatalogueAndVisitor(c);
    return c.json(messages.toCatalogueProductsMessage(catalogue, c.req.valid("query"), visitor), 200);
  });
  routes.openapi(readProduct, async (c) => {
    const { catalogue, visitor } = await readCatalogueAndVisitor(c);
    const product = messages.toCatalogueProductMessage(catalogue, c.req.valid("param").code, visitor);
    return product ? c.json(product, 200) : toErrorResponse(c, failures.unknownProduct);
  });
  routes.openapi(readProductOccupation, async (c) => {
    const { from, to, place } = c.req.valid("query");
    const { catalogue } = await readCatalogueAndVisitor(c);
    const places = [...catalogue.places.values()].filter((place) => place.isPickup && place.webPublic);
    const pickup = place === undefined ? places[0] : places.find((item) => item.id === place);
    const calendarRequest = { code: c.req.valid("param").code, branchCode: pickup?.branchCode ?? "", from, to };
    const read = await readCategoryAvailabilityCalendar(c.get("tenant"), calendarRequest, c.get("now"));
    if (!read.ok) return toErrorResponse(c, failures.unknownProduct);
    return c.json(messages.toAvailabilityCalendarMessage(read.value), 200);
  });
  routes.openapi(readExtra, async (c) => {
    const { catalogue, visitor } = await readCatalogueAndVisitor(c);
    const extra = catalogue.extras.get(c.req.valid("param").code);
    return extra ? c.json(toRentalExtraMessage(extra, visitor), 200) : toErrorResponse(c, failures.unknownExtra);
  });
}
