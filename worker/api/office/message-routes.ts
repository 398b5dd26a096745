import { createRoute } from "@hono/zod-openapi";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { toStaffRequest } from "#worker/api/signed-in.ts";
import { declareNoStepUp } from "#worker/api/step-up.ts";
import { mailDocument } from "#worker/usecases/operations/mail-document.ts";
import {
  changeMessageTemplate,
  previewTemplateText,
  readMessageTemplates,
} from "#worker/usecases/operations/message-templates.ts";
import {
  previewMessageTemplates,
  resendCustomerMail,
  sendCustomerMessage,
} from "#worker/usecases/operations/messages.ts";
import { attachEInvoice } from "#worker/usecases/printing/attach-e-invoice.ts";
import { answerOffice } from "./answers.ts";
import * as messages from "./message-messages.ts";
import { idParams } from "./money-messages.ts";
import {
  idempotencyHeaders,
  officeCreationMiddlewares,
  officeFailureResponses,
  officeSecurity,
  officeWriteMiddlewares,
  toOfficeWrite,
} from "./office-api.ts";
import { reservationParams } from "./request-messages.ts";

const TAGS = ["Reservations"];

const sendRoute = createRoute({
  method: "post",
  path: "/reservations/{id}/messages",
  operationId: "sendMessage",
  tags: TAGS,
  summary: "Send the customer a message by email",
  security: officeSecurity,
  middleware: officeCreationMiddlewares,
  request: {
    params: reservationParams,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.customerMailBody, "A template, or subject and text", { template: "pickup_details" }),
  },
  responses: {
    201: jsonContent(messages.customerMailAnswer, "The queued message"),
    ...officeFailureResponses.writing(404, 409, 422),
  },
});

const resendRoute = createRoute({
  method: "post",
  path: "/messages/{id}/resend",
  operationId: "resendMessage",
  tags: TAGS,
  summary: "Send an email to the customer again",
  security: officeSecurity,
  request: { params: reservationParams, headers: idempotencyHeaders },
  responses: {
    200: jsonContent(messages.customerMailAnswer, "The message"),
    ...officeFailureResponses.writing(404, 409, 422),
  },
});

const mailDocumentRoute = createRoute({
  method: "post",
  path: "/documents/{id}/mail",
  operationId: "mailDocument",
  ...declareNoStepUp("money", "No money moves"),
  tags: ["Money"],
  summary: "Send a document to its payer by email",
  security: officeSecurity,
  request: { params: idParams, headers: idempotencyHeaders },
  responses: {
    201: jsonContent(messages.customerMailAnswer, "The queued mail"),
    ...officeFailureResponses.writing(404, 409, 422),
  },
});

const templatesRoute = createRoute({
  method: "get",
  path: "/message-templates",
  operationId: "previewMessageTemplates",
  tags: TAGS,
  summary: "Preview the templates of messages for a reservation",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { query: messages.templatesQuery },
  responses: {
    200: jsonContent(messages.messageTemplateList, "The templates"),
    ...officeFailureResponses.reading(404),
  },
});

const TEXT = { subject: "Thank you, {name}", text: "Hello {name},\n\nsee you soon. {company}" };

const changeTemplateRoute = createRoute({
  method: "put",
  path: "/message-templates/{template}/{language}",
  operationId: "changeMessageTemplate",
  tags: ["Settings"],
  summary: "Replace the text of a message template",
  security: officeSecurity,
  middleware: officeWriteMiddlewares,
  request: {
    params: messages.templateParams,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.messageTemplateBody, "Subject and text with placeholders", TEXT),
  },
  responses: {
    200: jsonContent(messages.messageTemplateAnswer, "The template"),
    ...officeFailureResponses.writing(422),
  },
});

const resetTemplateRoute = createRoute({
  method: "delete",
  path: "/message-templates/{template}/{language}",
  operationId: "resetMessageTemplate",
  tags: ["Settings"],
  summary: "Reset a message template to the platform's text",
  security: officeSecurity,
  request: { params: messages.templateParams, headers: idempotencyHeaders },
  responses: {
    200: jsonContent(messages.messageTemplateAnswer, "The platform's text"),
    ...officeFailureResponses.reading(422),
  },
});

const previewRoute = createRoute({
  method: "post",
  path: "/message-templates/preview",
  operationId: "previewMessageText",
  tags: ["Settings"],
  summary: "Preview a message template with example data",
  security: officeSecurity,
  middleware: officeWriteMiddlewares,
  request: {
    body: jsonRequest(messages.templatePreviewBody, "The text and its language", { language: "en", ...TEXT }),
  },
  responses: {
    200: jsonContent(messages.templatePreviewAnswer, "The mail as customers get it"),
    ...officeFailureResponses.writing(),
  },
});

/** Registers the routes of messages to customers. */
export function registerMessageRoutes({ routes }: ApiRoutes): void {
  routes.openapi(sendRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const { template, subject, text } = c.req.valid("json");
    const outcome = await sendCustomerMessage(write, c.req.valid("param").id, { template, subject, text });
    return answerOffice(
      c,
      outcome,
      (message, messageFormat) => ({ message: messages.toCustomerMailMessage(message, messageFormat) }),
      201,
    );
  });
  routes.openapi(resendRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const resent = await resendCustomerMail(write, c.req.valid("param").id, attachEInvoice);
    return answerOffice(
      c,
      resent,
      (message, messageFormat) => ({ message: messages.toCustomerMailMessage(message, messageFormat) }),
      200,
    );
  });
  routes.openapi(mailDocumentRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const mailed = await mailDocument(write, c.req.valid("param").id, attachEInvoice);
    return answerOffice(
      c,
      mailed,
      (message, messageFormat) => ({ message: messages.toCustomerMailMessage(message, messageFormat) }),
      201,
    );
  });
  routes.openapi(templatesRoute, async (c) => {
    const { reservation_id: id } = c.req.valid("query");
    const request = toStaffRequest(c);
    const templates =
      id === undefined ? await readMessageTemplates(request) : await previewMessageTemplates(request, id);
    return answerOffice(c, templates, messages.toMessageTemplatesMessage, 200);
  });
  routes.openapi(previewRoute, async (c) => {
    const { language, ...text } = c.req.valid("json");
    return answerOffice(c, await previewTemplateText(toStaffRequest(c), language, text), (mail) => mail, 200);
  });
  routes.openapi(changeTemplateRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const changed = await changeMessageTemplate(write, c.req.valid("param"), c.req.valid("json"));
    return answerOffice(c, changed, (template) => ({ template: messages.toMessageTemplateMessage(template) }), 200);
  });
  routes.openapi(resetTemplateRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const reset = await changeMessageTemplate(write, c.req.valid("param"), undefined);
    return answerOffice(c, reset, (template) => ({ template: messages.toMessageTemplateMessage(template) }), 200);
  });
}
