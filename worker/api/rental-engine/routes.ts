import "./cart-routes.ts";
import "./booking-routes.ts";
import "./catalogue-routes.ts";
import { closeInterface } from "#worker/api/interface.ts";
import { describeInterface } from "#worker/api/openapi.ts";
import { engine } from "./engine.ts";

/** The OpenAPI document of the vehicle-rental booking engine. */
export const describeRentalEngine = describeInterface(engine, {
  title: "Vehicle-rental booking engine",
  basePath: "/api/booking/frontend",
  signed: false,
});
closeInterface(engine);

export const rentalEngineRoutes = engine.routes;
