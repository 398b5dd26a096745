import { createRoute } from "@hono/zod-openapi";
import { limitRequestsByVisitor } from "#worker/api/client-address.ts";
import { allowCrossOriginReading } from "#worker/api/cors.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { engineFailureAnswer } from "#worker/api/failure-messages.ts";
import { createApi, rejectUnsupportedMethods } from "#worker/api/interface.ts";
import { createFailureResponses, jsonContent, serveOpenApiDocument } from "#worker/api/openapi.ts";
import { limitBodySize, requireFormBody } from "#worker/api/request-body.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { isPromotionCodeValid, promotionCodeCheckBody, promotionCodeValidAnswer } from "./promotion-messages.ts";

const PATH = "/check-promotion-code";

const checkPromotionCode = createRoute({
  method: "post",
  path: PATH,
  operationId: "checkPromotionCode",
  tags: ["Promotion codes"],
  summary: "Check a promotion code for a period",
  security: [],
  middleware: [
    limitRequestsByVisitor("promotion_code", toErrorResponse),
    limitBodySize(toErrorResponse),
    requireFormBody(toErrorResponse),
  ],
  request: {
    body: {
      description: "The form of a booking website",
      content: {
        "application/x-www-form-urlencoded": {
          schema: promotionCodeCheckBody,
          example: { code: "WELCOME10", from: "2030-06-10", to: "2030-06-17" },
        },
      },
      required: true,
    },
  },
  responses: {
    200: jsonContent(promotionCodeValidAnswer, "Whether the code is valid for the period", true),
    ...createFailureResponses(engineFailureAnswer).writing(429),
  },
});

const promotionCodes = createApi(toErrorResponse, [PATH]);
promotionCodes.routes.use(PATH, allowCrossOriginReading);
promotionCodes.routes.openapi(checkPromotionCode, async (c) => {
  const { catalogue } = await c.get("tenant").snapshot();
  return c.json(
    isPromotionCodeValid(catalogue, c.req.valid("form"), toCivilNow(catalogue.settings.timezone, c.get("now"))),
    200,
  );
});

/** OpenAPI document of promotion codes outside a cart. */
export const createPromotionCodesOpenApi = serveOpenApiDocument(
  promotionCodes,
  {
    title: "Promotion codes",
    description: "Checks for booking website forms, with or without an engine key.",
    basePath: "/api",
    tags: { "Promotion codes": "Whether a code holds, before there is a cart." },
    schemes: [],
  },
  `${PATH}/openapi.json`,
);
rejectUnsupportedMethods(promotionCodes);

/** Returns `true` or `false` for form validators (docs/interfaces/booking-engine-vehicles.md#changes). */
export const promotionCodeRoutes = promotionCodes.routes;
