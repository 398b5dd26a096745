import { createBookingEngineApi } from "#worker/api/booking-engine/shared/engine.ts";
import { engineTags } from "#worker/api/booking-engine/shared/tags.ts";
import { addFallbackRoutes } from "#worker/api/interface.ts";
import { serveOpenApiDocument } from "#worker/api/openapi.ts";
import { registerBookingRoutes } from "./booking-routes.ts";
import { registerCartRoutes } from "./cart-routes.ts";
import { registerCatalogueRoutes } from "./catalogue-routes.ts";
import { registerFormChoiceRoutes } from "./form-choice-routes.ts";
import { registerPlaceRoutes } from "./place-routes.ts";

const engine = createBookingEngineApi((tenant, id) => tenant.cart(id));
registerCartRoutes(engine);
registerBookingRoutes(engine);
registerPlaceRoutes(engine);
registerCatalogueRoutes(engine);
registerFormChoiceRoutes(engine);

/** OpenAPI document of the vehicle rental booking engine. */
export const createRentalEngineOpenApi = serveOpenApiDocument(engine, {
  title: "Vehicle-rental booking engine",
  description: "API for websites that rent out vehicles: catalogue, carts, checkout and bookings.",
  basePath: "/api/booking/frontend",
  tags: {
    ...engineTags,
    Booking: "A booking as its customer sees it. Anyone with its secret id can read it and complete its contract.",
    "Places and times": "Where and when vehicles are delivered and collected.",
    Catalogue: "Products of the company and their rules.",
    Forms: "Choices for the fields of website forms.",
  },
  schemes: ["engineKey", "token"],
});
addFallbackRoutes(engine);

export const rentalEngineRoutes = engine.routes;
