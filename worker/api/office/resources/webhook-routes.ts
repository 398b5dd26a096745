import { createRoute } from "@hono/zod-openapi";
import { WEBHOOK_EVENTS } from "#domain/catalogue/webhook-events.ts";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { getCurrencyDecimals } from "#worker/api/office/answers.ts";
import {
  idempotencyHeaders,
  officeCreationMiddlewares,
  officeFailureResponses,
  officeSecurity,
  toOfficeWrite,
} from "#worker/api/office/office-api.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import { declareStepUp } from "#worker/api/step-up.ts";
import {
  createWebhook,
  listWebhookDeliveries,
  replayWebhook,
  rotateWebhookSecret,
  sendWebhookTest,
} from "#worker/usecases/webhooks/office-webhooks.ts";
import { toResourceErrorResponse } from "./resource-errors.ts";
import { getResourceExamples } from "./resource-examples.ts";
import * as messages from "./webhook-messages.ts";

const tags = ["Webhooks"];
const params = messages.webhookParams;
const conflict = { 409: jsonContent(messages.webhookConflict, "Conflict with the current state. See `code`") };

const createWebhookRoute = createRoute({
  method: "post",
  path: "/webhooks",
  operationId: "createWebhook",
  ...declareStepUp("access"),
  tags,
  summary: "Create a webhook",
  security: officeSecurity,
  middleware: officeCreationMiddlewares,
  request: {
    headers: idempotencyHeaders,
    body: jsonRequest(messages.webhookBody, "What it is", getResourceExamples("webhooks").created),
  },
  responses: {
    201: jsonContent(messages.webhookWithSecretAnswer, "The webhook with its secret"),
    ...officeFailureResponses.writing(422),
    ...conflict,
  },
});

const rotateRoute = createRoute({
  method: "post",
  path: "/webhooks/{id}/rotate-secret",
  operationId: "rotateWebhookSecret",
  ...declareStepUp("access"),
  tags,
  summary: "Rotate the secret of a webhook",
  security: officeSecurity,
  request: { params, headers: idempotencyHeaders },
  responses: {
    200: jsonContent(messages.webhookWithSecretAnswer, "The webhook with its new secret"),
    ...officeFailureResponses.reading(404, 422),
    ...conflict,
  },
});

const testRoute = createRoute({
  method: "post",
  path: "/webhooks/{id}/test",
  operationId: "testWebhook",
  ...declareStepUp("access"),
  tags,
  summary: "Send a test event",
  security: officeSecurity,
  request: { params, headers: idempotencyHeaders },
  responses: {
    200: jsonContent(messages.webhookDeliveryAnswer, "Result of the delivery"),
    ...officeFailureResponses.reading(404, 422),
  },
});

const replayRoute = createRoute({
  method: "post",
  path: "/webhooks/{id}/replay",
  operationId: "replayWebhook",
  ...declareStepUp("access"),
  tags,
  summary: "Redeliver events",
  security: officeSecurity,
  middleware: officeCreationMiddlewares,
  request: {
    params,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.webhookReplayBody, "From when", { from: "2026-11-20" }),
  },
  responses: {
    200: jsonContent(messages.webhookReplayAnswer, "Number of events to deliver"),
    ...officeFailureResponses.writing(404, 422),
  },
});

const deliveriesRoute = createRoute({
  method: "get",
  path: "/webhooks/{id}/deliveries",
  operationId: "listWebhookDeliveries",
  tags,
  summary: "List deliveries of a webhook",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { params, query: messages.webhookDeliveriesQuery },
  responses: {
    200: jsonContent(messages.webhookDeliveriesAnswer, "A page of the list"),
    ...officeFailureResponses.reading(404),
  },
});

/** Registers the routes of webhook addresses beyond the usual list and form routes. */
export function registerWebhookRoutes({ routes }: ApiRoutes): void {
  routes.openapi(createWebhookRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const createdWebhook = await createWebhook(write, c.req.valid("json"));
    if (!createdWebhook.ok) return toResourceErrorResponse(c, messages.WEBHOOK_RESOURCE, createdWebhook.error);
    setFreshTokenHeader(c, createdWebhook.value.freshToken);
    return c.json(messages.toWebhookWithSecretMessage(createdWebhook.value.value, await getCurrencyDecimals(c)), 201);
  });
  routes.openapi(rotateRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const rotationResult = await rotateWebhookSecret(write, String(c.req.valid("param").id));
    if (!rotationResult.ok) return toResourceErrorResponse(c, messages.WEBHOOK_RESOURCE, rotationResult.error);
    setFreshTokenHeader(c, rotationResult.value.freshToken);
    return c.json(messages.toWebhookWithSecretMessage(rotationResult.value.value, await getCurrencyDecimals(c)), 200);
  });
  routes.openapi(testRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const uid = `msg_${crypto.randomUUID().replaceAll("-", "")}`;
    const tried = await sendWebhookTest(write, c.req.valid("param").id, uid);
    if (!tried.ok) return toResourceErrorResponse(c, messages.WEBHOOK_RESOURCE, tried.error);
    setFreshTokenHeader(c, tried.value.freshToken);
    return c.json({ delivery: messages.toWebhookDeliveryMessage(tried.value.value) }, 200);
  });
  routes.openapi(replayRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const replay = messages.toReplayRange(c.req.valid("json"), c.get("now"));
    const rotationResult = await replayWebhook(write, c.req.valid("param").id, replay);
    if (!rotationResult.ok) return toResourceErrorResponse(c, messages.WEBHOOK_RESOURCE, rotationResult.error);
    setFreshTokenHeader(c, rotationResult.value.freshToken);
    return c.json({ replayed: rotationResult.value.value }, 200);
  });
  routes.openapi(deliveriesRoute, async (c) => {
    const { page_size: pageSize, after, state } = c.req.valid("query");
    const listed = await listWebhookDeliveries(toStaffRequest(c), c.req.valid("param").id, { pageSize, after, state });
    if (!listed.ok) return toResourceErrorResponse(c, messages.WEBHOOK_RESOURCE, listed.error);
    setFreshTokenHeader(c, listed.value.freshToken);
    const { rows, total, next } = listed.value.value;
    const data = rows.map(messages.toWebhookDeliveryMessage);
    return c.json({ data, total, next: next === undefined ? null : String(next) }, 200);
  });
  describeEvents(routes.openAPIRegistry);
}

// OpenAPI lists the calls that an API makes under `webhooks`.
function describeEvents(registry: ApiRoutes["routes"]["openAPIRegistry"]): void {
  for (const [type, summary] of Object.entries(WEBHOOK_EVENTS)) {
    registry.registerWebhook({
      method: "post",
      path: type,
      operationId: type,
      tags,
      summary,
      // The receiver verifies the signature, so there is no sign-in.
      security: [],
      request: { body: jsonContent(messages.webhookPayloadSchema, "Signed by Standard Webhooks 1.0") },
      responses: { 200: { description: "Received. Any 2xx counts, 410 disables the webhook, others are retried" } },
    });
  }
}
