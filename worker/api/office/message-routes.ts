import { createRoute } from "@hono/zod-openapi";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { Interface } from "#worker/api/interface.ts";
import { json, jsonRequest } from "#worker/api/openapi.ts";
import { previewTemplates, resendMessage, sendMessage } from "#worker/usecases/operations/messages.ts";
import { answerOffice } from "./answers.ts";
import * as messages from "./message-messages.ts";
import { reservationParams } from "./request-messages.ts";
import { fails, idempotent, making, officeWrite, security, staffRequest } from "./room.ts";

const TAGS = ["Reservations"];

const sendRoute = createRoute({
  method: "post",
  path: "/reservations/{id}/messages",
  operationId: "sendMessage",
  tags: TAGS,
  summary: "Send the customer a message by email",
  security,
  middleware: making,
  request: {
    params: reservationParams,
    headers: idempotent,
    body: jsonRequest(messages.messageBody, "A template, or subject and text", { template: "pickup_details" }),
  },
  responses: { 201: json(messages.messageAnswer, "The queued message"), ...fails.writing(404, 409, 422) },
});

const resendRoute = createRoute({
  method: "post",
  path: "/messages/{id}/resend",
  operationId: "resendMessage",
  tags: TAGS,
  summary: "Send an email to the customer again",
  security,
  request: { params: reservationParams, headers: idempotent },
  responses: { 200: json(messages.messageAnswer, "The message"), ...fails.writing(404, 409, 422) },
});

const templatesRoute = createRoute({
  method: "get",
  path: "/message-templates",
  operationId: "previewMessageTemplates",
  tags: TAGS,
  summary: "Preview the templates of messages for a reservation",
  security,
  middleware: [dropEmptyParameters],
  request: { query: messages.templatesQuery },
  responses: { 200: json(messages.templateList, "The templates in the customer's language"), ...fails.reading(404) },
});

/** Registers the routes of messages to customers. */
export function registerMessageRoutes({ routes }: Interface): void {
  routes.openapi(sendRoute, async (c) => {
    const write = officeWrite(c, c.req.valid("header")["idempotency-key"]);
    const { template, subject, text } = c.req.valid("json");
    const sent = await sendMessage(write, c.req.valid("param").id, { template, subject, text });
    return answerOffice(c, sent, (message, writing) => ({ message: messages.fromMessage(message, writing) }), 201);
  });
  routes.openapi(resendRoute, async (c) => {
    const write = officeWrite(c, c.req.valid("header")["idempotency-key"]);
    const resent = await resendMessage(write, c.req.valid("param").id);
    return answerOffice(c, resent, (message, writing) => ({ message: messages.fromMessage(message, writing) }), 200);
  });
  routes.openapi(templatesRoute, async (c) =>
    answerOffice(
      c,
      await previewTemplates(staffRequest(c), c.req.valid("query").reservation_id),
      messages.fromTemplates,
      200,
    ),
  );
}
