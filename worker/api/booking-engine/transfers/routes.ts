import { createBookingEngineApi } from "#worker/api/booking-engine/shared/engine.ts";
import { engineTags } from "#worker/api/booking-engine/shared/tags.ts";
import { addFallbackRoutes } from "#worker/api/interface.ts";
import { serveOpenApiDocument } from "#worker/api/openapi.ts";
import { registerTransferCartRoutes } from "./cart-routes.ts";
import { registerTransferPointRoutes } from "./point-routes.ts";
import { registerTransferReservationRoutes } from "./reservation-routes.ts";

const engine = createBookingEngineApi((tenant, id) => tenant.transferCart(id));
registerTransferPointRoutes(engine);
registerTransferCartRoutes(engine);
registerTransferReservationRoutes(engine);

/** OpenAPI document of the transfer booking engine. */
export const createTransferEngineOpenApi = serveOpenApiDocument(engine, {
  title: "Transfer booking engine",
  description: "API for websites that sell transfers: points, carts, checkout and reservations.",
  basePath: "/api/booking-transfer/frontend",
  tags: {
    "Points and days": "Where transfers begin and lead to, and on which days.",
    Catalogue: "Vehicles with a driver, and extras.",
    ...engineTags,
    Reservation: "A reservation as its customer sees it. Anyone with its secret id can read it.",
  },
  schemes: ["engineKey", "token"],
});
addFallbackRoutes(engine);

export const transferEngineRoutes = engine.routes;
