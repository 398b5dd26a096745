import { createRoute } from "@hono/zod-openapi";
import type { Interface } from "#worker/api/interface.ts";
import { json, jsonRequest } from "#worker/api/openapi.ts";
import { noStepUp } from "#worker/api/step-up.ts";
import { issueCollectiveInvoice, previewCollectiveInvoice } from "#worker/usecases/documents/collective-invoice.ts";
import { answerOffice } from "./answers.ts";
import * as messages from "./document-messages.ts";
import { fails, idempotent, making, officeWrite, security, staffRequest } from "./room.ts";

const TAGS = ["Money"];
const EXAMPLE = { customer_id: 1, reservation_ids: [1, 2] };

const collectiveRoute = createRoute({
  method: "post",
  path: "/documents/collective",
  operationId: "issueCollectiveInvoice",
  ...noStepUp("money", "An invoice moves no money"),
  tags: TAGS,
  summary: "Invoice several reservations of one payer together",
  security,
  middleware: making,
  request: { headers: idempotent, body: jsonRequest(messages.collectiveBody, "Which, and who pays", EXAMPLE) },
  responses: { 201: json(messages.officeDocumentAnswer, "The invoice"), ...fails.writing(404, 409, 422) },
});

const collectiveQuoteRoute = createRoute({
  method: "post",
  path: "/documents/collective/quote",
  operationId: "previewCollectiveInvoice",
  tags: TAGS,
  summary: "Preview an invoice of several reservations",
  security,
  middleware: making,
  request: { body: jsonRequest(messages.collectiveBody, "Which, and who pays", EXAMPLE) },
  responses: {
    200: json(messages.previewAnswer, "The invoice, then the credit notes issued with it"),
    ...fails.writing(404, 409),
  },
});

/** Registers the routes of invoices over several reservations. */
export function registerCollectiveRoutes({ routes }: Interface): void {
  routes.openapi(collectiveRoute, async (c) => {
    const write = officeWrite(c, c.req.valid("header")["idempotency-key"]);
    const issued = await issueCollectiveInvoice(write, messages.toCollectiveRequest(c.req.valid("json")));
    return answerOffice(
      c,
      issued,
      ({ document, codes }, writes) => ({ document: messages.fromOfficeDocument(document, codes, writes) }),
      201,
    );
  });
  routes.openapi(collectiveQuoteRoute, async (c) => {
    const previewed = await previewCollectiveInvoice(
      staffRequest(c),
      messages.toCollectiveRequest(c.req.valid("json")),
    );
    return answerOffice(
      c,
      previewed,
      ({ invoice, notes, ...terms }, writes) => ({
        documents: [invoice, ...notes].map((draft) => messages.fromPreview(draft, terms, writes)),
      }),
      200,
    );
  });
}
