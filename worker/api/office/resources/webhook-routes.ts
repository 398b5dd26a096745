import { createRoute } from "@hono/zod-openapi";
import { WEBHOOK_EVENTS } from "#domain/catalogue/webhook-events.ts";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { Interface } from "#worker/api/interface.ts";
import { getCurrencyDecimals } from "#worker/api/office/answers.ts";
import {
  creationMiddlewares,
  fails,
  idempotent,
  officeWrite,
  security,
  staffRequest,
} from "#worker/api/office/room.ts";
import { json, jsonRequest } from "#worker/api/openapi.ts";
import { returnFreshToken } from "#worker/api/signed-in.ts";
import { stepUp } from "#worker/api/step-up.ts";
import {
  createWebhook,
  listDeliveries,
  replayWebhook,
  rotateWebhookSecret,
  sendWebhookTest,
} from "#worker/usecases/webhooks/office-webhooks.ts";
import { toResourceError } from "./resource-errors.ts";
import { resourceExamples } from "./resource-examples.ts";
import * as messages from "./webhook-messages.ts";

const tags = ["Webhooks"];
const params = messages.webhookParams;
const conflict = { 409: json(messages.webhookConflict, "Conflict with the current state. See `code`") };

const createWebhookRoute = createRoute({
  method: "post",
  path: "/webhooks",
  operationId: "createWebhook",
  ...stepUp("access"),
  tags,
  summary: "Create a webhook",
  security,
  middleware: creationMiddlewares,
  request: {
    headers: idempotent,
    body: jsonRequest(messages.webhookBody, "What it is", resourceExamples("webhooks").created),
  },
  responses: {
    201: json(messages.webhookWithSecret, "The webhook with its secret"),
    ...fails.writing(422),
    ...conflict,
  },
});

const rotateRoute = createRoute({
  method: "post",
  path: "/webhooks/{id}/rotate-secret",
  operationId: "rotateWebhookSecret",
  ...stepUp("access"),
  tags,
  summary: "Rotate the secret of a webhook",
  security,
  request: { params, headers: idempotent },
  responses: {
    200: json(messages.webhookWithSecret, "The webhook with its new secret"),
    ...fails.reading(404, 422),
    ...conflict,
  },
});

const testRoute = createRoute({
  method: "post",
  path: "/webhooks/{id}/test",
  operationId: "testWebhook",
  ...stepUp("access"),
  tags,
  summary: "Send a test event",
  security,
  request: { params, headers: idempotent },
  responses: { 200: json(messages.deliveryAnswer, "Result of the delivery"), ...fails.reading(404, 422) },
});

const replayRoute = createRoute({
  method: "post",
  path: "/webhooks/{id}/replay",
  operationId: "replayWebhook",
  ...stepUp("access"),
  tags,
  summary: "Redeliver events",
  security,
  middleware: creationMiddlewares,
  request: { params, headers: idempotent, body: jsonRequest(messages.replayBody, "From when", { from: "2026-11-20" }) },
  responses: { 200: json(messages.replayAnswer, "Number of events to deliver"), ...fails.writing(404, 422) },
});

const deliveriesRoute = createRoute({
  method: "get",
  path: "/webhooks/{id}/deliveries",
  operationId: "listWebhookDeliveries",
  tags,
  summary: "List deliveries of a webhook",
  security,
  middleware: [dropEmptyParameters],
  request: { params, query: messages.deliveriesQuery },
  responses: { 200: json(messages.deliveriesAnswer, "A page of the list"), ...fails.reading(404) },
});

/** Registers the routes of webhook addresses beyond the usual list and form routes. */
export function registerWebhookRoutes({ routes }: Interface): void {
  routes.openapi(createWebhookRoute, async (c) => {
    const write = officeWrite(c, c.req.valid("header")["idempotency-key"]);
    const createdWebhook = await createWebhook(write, c.req.valid("json"));
    if (!createdWebhook.ok) return toResourceError(c, messages.WEBHOOK_RESOURCE, createdWebhook.error);
    returnFreshToken(c, createdWebhook.value.freshToken);
    return c.json(messages.toWebhookWithSecretMessage(createdWebhook.value.value, await getCurrencyDecimals(c)), 201);
  });
  routes.openapi(rotateRoute, async (c) => {
    const write = officeWrite(c, c.req.valid("header")["idempotency-key"]);
    const rotationResult = await rotateWebhookSecret(write, String(c.req.valid("param").id));
    if (!rotationResult.ok) return toResourceError(c, messages.WEBHOOK_RESOURCE, rotationResult.error);
    returnFreshToken(c, rotationResult.value.freshToken);
    return c.json(messages.toWebhookWithSecretMessage(rotationResult.value.value, await getCurrencyDecimals(c)), 200);
  });
  routes.openapi(testRoute, async (c) => {
    const write = officeWrite(c, c.req.valid("header")["idempotency-key"]);
    const uid = `msg_${crypto.randomUUID().replaceAll("-", "")}`;
    const tried = await sendWebhookTest(write, c.req.valid("param").id, uid);
    if (!tried.ok) return toResourceError(c, messages.WEBHOOK_RESOURCE, tried.error);
    returnFreshToken(c, tried.value.freshToken);
    return c.json({ delivery: messages.toDeliveryMessage(tried.value.value) }, 200);
  });
  routes.openapi(replayRoute, async (c) => {
    const write = officeWrite(c, c.req.valid("header")["idempotency-key"]);
    const replay = messages.toReplay(c.req.valid("json"), c.get("now"));
    const rotationResult = await replayWebhook(write, c.req.valid("param").id, replay);
    if (!rotationResult.ok) return toResourceError(c, messages.WEBHOOK_RESOURCE, rotationResult.error);
    returnFreshToken(c, rotationResult.value.freshToken);
    return c.json({ replayed: rotationResult.value.value }, 200);
  });
  routes.openapi(deliveriesRoute, async (c) => {
    const { page_size: pageSize, after, state } = c.req.valid("query");
    const listed = await listDeliveries(staffRequest(c), c.req.valid("param").id, { pageSize, after, state });
    if (!listed.ok) return toResourceError(c, messages.WEBHOOK_RESOURCE, listed.error);
    returnFreshToken(c, listed.value.freshToken);
    const { rows, total, next } = listed.value.value;
    const data = rows.map(messages.toDeliveryMessage);
    return c.json({ data, total, next: next === undefined ? null : String(next) }, 200);
  });
  describeEvents(routes.openAPIRegistry);
}

// OpenAPI lists the calls that an API makes under `webhooks`.
function describeEvents(registry: Interface["routes"]["openAPIRegistry"]): void {
  for (const [type, summary] of Object.entries(WEBHOOK_EVENTS)) {
    registry.registerWebhook({
      method: "post",
      path: type,
      operationId: type,
      tags,
      summary,
      // The receiver verifies the signature, so there is no sign-in.
      security: [],
      request: { body: json(messages.webhookMessage, "Signed by Standard Webhooks 1.0") },
      responses: { 200: { description: "Received. Any 2xx counts, 410 disables the webhook, others are retried" } },
    });
  }
}
