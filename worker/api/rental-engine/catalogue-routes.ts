import { createRoute } from "@hono/zod-openapi";
import { z } from "zod";
import { listSlots } from "#domain/catalogue/calendar.ts";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { failures } from "#worker/api/failure.ts";
import { json } from "#worker/api/openapi.ts";
import { readOccupation } from "#worker/usecases/bookings/read-occupation.ts";
import { listPlaces } from "#worker/usecases/catalogue/list-places.ts";
import { failed } from "./cart-routes.ts";
import * as messages from "./catalogue-messages.ts";
import { catalogueFor, engine, momentOf, refused } from "./engine.ts";
import { unknownPoint } from "./errors.ts";
import { callQuery, fromSettings, settingsAnswer, type Visitor } from "./messages.ts";
import { describeExtra } from "./offer-messages.ts";

const { routes } = engine;

const listed = z.array(z.looseObject({}));
const described = z.looseObject({});
const codeParameter = z.object({ code: z.string().max(64) });

routes.openapi(
  createRoute({
    method: "get",
    path: "/settings",
    summary: "What a website has to know of the account",
    request: { query: callQuery.extend({ product_type: z.string().optional(), product_id: z.string().optional() }) },
    responses: { 200: json(settingsAnswer, "The settings"), ...failed },
  }),
  async (c) => c.json(fromSettings((await catalogueFor(c)).catalogue, (await momentOf(c)).civil), 200),
);

for (const role of ["pickup", "return"] as const) {
  routes.openapi(
    createRoute({
      method: "get",
      path: `/${role}-places`,
      summary: role === "pickup" ? "Pickup places" : "Return places, those valid for a pickup place where it is given",
      request: { query: messages.placesQuery },
      responses: { 200: json(messages.placesAnswer, "The places"), ...failed },
    }),
    async (c) => {
      const query = c.req.valid("query");
      const { catalogue, visitor } = await catalogueFor(c);
      const found = await listPlaces(c.var.tenant, role === "return" ? query.pickup_place : undefined);
      if (!found.ok) return refused(c, found.error);
      const places = found.value.places
        .filter((place) => (role === "pickup" ? place.isPickup : place.isReturn))
        .filter((place) => query.rental_location_code === undefined || place.branchCode === query.rental_location_code);
      return c.json(messages.fromPlaces(places, catalogue, visitor), 200);
    },
  );
}

routes.openapi(
  createRoute({
    method: "get",
    path: "/pickup-return-times",
    summary: "Pickup and return time slots",
    request: { query: callQuery },
    responses: { 200: json(z.array(z.string()), "The slots"), ...failed },
  }),
  (c) => c.json(listSlots(), 200),
);

routes.openapi(
  createRoute({
    method: "get",
    path: "/dates",
    summary: "Days on which vehicles are delivered or collected",
    request: { query: messages.datesQuery },
    responses: { 200: json(z.array(z.string()), "The days"), ...failed },
  }),
  async (c) => {
    const { catalogue } = await catalogueFor(c);
    return c.json(messages.toDates(catalogue, c.req.valid("query"), (await momentOf(c)).civil), 200);
  },
);

routes.openapi(
  createRoute({
    method: "get",
    path: "/times",
    summary: "Times of a day at which vehicles are delivered or collected",
    request: { query: messages.timesQuery },
    responses: { 200: json(z.array(z.string()), "The times"), ...failed },
  }),
  async (c) => {
    const { catalogue } = await catalogueFor(c);
    const pointId = c.req.valid("query").transfer_destination_point_id;
    if (pointId !== undefined && !catalogue.transfers.points.has(pointId))
      return toErrorResponse(c, unknownPoint(pointId));
    return c.json(messages.toTimes(catalogue, c.req.valid("query"), (await momentOf(c)).civil), 200);
  },
);

routes.openapi(
  createRoute({
    method: "get",
    path: "/products",
    summary: "The catalogue of products",
    request: { query: messages.productsQuery },
    responses: {
      200: json(
        z.object({ total: z.number(), offset: z.number(), limit: z.number(), data: z.array(z.unknown()) }),
        "The products",
      ),
      ...failed,
    },
  }),
  async (c) => {
    const { catalogue, visitor } = await catalogueFor(c);
    return c.json(messages.fromCatalogueProducts(catalogue, c.req.valid("query"), visitor), 200);
  },
);

routes.openapi(
  createRoute({
    method: "get",
    path: "/products/{code}",
    summary: "One product",
    request: { params: codeParameter, query: callQuery },
    responses: { 200: json(described, "The product"), ...failed },
  }),
  async (c) => {
    const { catalogue, visitor } = await catalogueFor(c);
    const product = messages.fromCatalogueProduct(catalogue, c.req.valid("param").code, visitor);
    return product ? c.json(product, 200) : toErrorResponse(c, failures.unknownProduct);
  },
);

routes.openapi(
  createRoute({
    method: "get",
    path: "/products/{code}/occupation",
    summary: "The calendar of a product: free units by day",
    request: { params: codeParameter, query: messages.occupationQuery },
    responses: { 200: json(described, "The calendar"), ...failed },
  }),
  async (c) => {
    const { from, to, place } = c.req.valid("query");
    const { catalogue } = await catalogueFor(c);
    const places = [...catalogue.places.values()].filter((one) => one.isPickup && one.webPublic);
    const pickup = place === undefined ? places[0] : places.find((one) => one.id === place);
    const branchGroupId = (pickup && catalogue.branches.get(pickup.branchCode)?.branchGroupId) ?? 0;
    const read = await readOccupation(
      c.var.tenant,
      { code: c.req.valid("param").code, branchGroupId, from, to },
      c.var.now,
    );
    if (!read.ok) return toErrorResponse(c, failures.unknownProduct);
    const { settings } = read.value.catalogue;
    const days = read.value.days.map(({ date, free }) => [
      date,
      { free, available: free > 0, selectable_day: free > 0 },
    ]);
    return c.json(
      {
        occupation: Object.fromEntries(days),
        prices: {},
        min_days: settings.minimumDays,
        max_days: settings.maximumDays,
      },
      200,
    );
  },
);

routes.openapi(
  createRoute({
    method: "get",
    path: "/extras/{code}",
    summary: "One extra",
    request: { params: codeParameter, query: callQuery },
    responses: { 200: json(described, "The extra"), ...failed },
  }),
  async (c) => {
    const { catalogue, visitor } = await catalogueFor(c);
    const extra = catalogue.extras.get(c.req.valid("param").code);
    return extra ? c.json(describeExtra(extra, visitor), 200) : toErrorResponse(c, failures.unknownExtra);
  },
);

/** Lists that need nothing but the catalogue and the visitor's language. */
const lists: Readonly<
  Record<string, readonly [summary: string, list: (catalogue: Catalogue, visitor: Visitor) => readonly object[]]>
> = {
  families: ["Families of products", ({ families }, visitor) => messages.fromFamilies(families, visitor)],
  "rental-locations": ["Branches", ({ branches }) => [...branches.values()].map(({ code, name }) => ({ code, name }))],
  "driver-age-rules": [
    "Driver age rules",
    ({ driverAgeRules }, visitor) => driverAgeRules.map((rule) => messages.fromDriverAgeRule(rule, visitor)),
  ],
  nacionalities: ["Nationalities", (_, visitor) => messages.toNationalities(visitor)], // sic
  "document-types": ["Kinds of identity documents", (_, visitor) => messages.toDocumentTypes(visitor)],
  "license-types": ["Kinds of driving licences", () => messages.toLicenseTypes()],
};

for (const [path, [summary, list]] of Object.entries(lists)) {
  routes.openapi(
    createRoute({
      method: "get",
      path: `/${path}`,
      summary,
      request: { query: callQuery },
      responses: { 200: json(listed, "The list"), ...failed },
    }),
    async (c) => {
      const { catalogue, visitor } = await catalogueFor(c);
      return c.json(list(catalogue, visitor) as Record<string, never>[], 200);
    },
  );
}
