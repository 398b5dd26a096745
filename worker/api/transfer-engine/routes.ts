import "./point-routes.ts";
import "./cart-routes.ts";
import "./reservation-routes.ts";
import { closeInterface } from "#worker/api/interface.ts";
import { describeInterface } from "#worker/api/openapi.ts";
import { engine } from "./engine.ts";

/** The OpenAPI document of the transfer booking engine. */
export const describeTransferEngine = describeInterface(engine, {
  title: "Transfer booking engine",
  basePath: "/api/booking-transfer/frontend",
  signed: false,
});
closeInterface(engine);

export const transferEngineRoutes = engine.routes;
