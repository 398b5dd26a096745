import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { parseAmount } from "#domain/money.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { loadMessageFormat } from "#worker/api/integration/integration-api.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest, optionalJsonRequest } from "#worker/api/openapi.ts";
import { createGatewayClient } from "#worker/api/payments/gateway-client.ts";
import { setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import { declareNoStepUp, declareStepUp } from "#worker/api/step-up.ts";
import {
  type CardHoldCaptureOrRelease,
  captureOrReleaseCardHold,
  requestCardHoldByLink,
} from "#worker/usecases/payments/hold-actions.ts";
import { previewCardHoldCapture } from "#worker/usecases/payments/preview-money.ts";
import { answerExcessDecimals, answerOffice, getCurrencyDecimals } from "./answers.ts";
import { answerOfficeRefusal } from "./errors.ts";
import {
  idempotencyHeaders,
  officeCreationMiddlewares,
  officeFailureResponses,
  officeOptionalBodyMiddlewares,
  officeSecurity,
  officeWriteMiddlewares,
  toOfficeWrite,
} from "./office-api.ts";
import * as messages from "./payment-link-messages.ts";
import { parseInstantInAccountZone } from "./payment-link-routes.ts";
import { reservationParams } from "./request-messages.ts";

const TAGS = ["Money"];

const requestRoute = createRoute({
  method: "post",
  path: "/reservations/{id}/holds",
  operationId: "requestCardHold",
  ...declareNoStepUp("money", "The customer authorises it: no money goes out"),
  tags: TAGS,
  summary: "Request a card hold for the deposit by a link",
  security: officeSecurity,
  middleware: officeOptionalBodyMiddlewares,
  request: {
    params: reservationParams,
    headers: idempotencyHeaders,
    body: optionalJsonRequest(messages.cardHoldBody, "The hold", { amount: "100.00" }),
  },
  responses: {
    201: jsonContent(messages.cardHoldWithLinkAnswer, "The hold and its link"),
    ...officeFailureResponses.writing(404, 409, 422),
  },
});

const ended = {
  200: jsonContent(messages.cardHoldAnswer, "The gateway has carried it out"),
  202: jsonContent(messages.cardHoldAnswer, "The gateway has refused it or hasn't answered yet"),
  ...officeFailureResponses.writing(404, 409, 422),
};

const captureRoute = createRoute({
  method: "post",
  path: "/holds/{id}/capture",
  operationId: "captureCardHold",
  ...declareStepUp("money"),
  tags: TAGS,
  summary: "Capture a card hold, in part or in full, once",
  security: officeSecurity,
  middleware: officeCreationMiddlewares,
  request: {
    params: reservationParams,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.cardHoldCaptureBody, "How much and why", { amount: "50.00", reason: "Damaged mirror" }),
  },
  responses: ended,
});

const captureQuoteRoute = createRoute({
  method: "post",
  path: "/holds/{id}/capture/quote",
  operationId: "previewCardHoldCapture",
  tags: TAGS,
  summary: "Preview the capture of a card hold",
  security: officeSecurity,
  middleware: officeWriteMiddlewares,
  request: {
    params: reservationParams,
    body: jsonRequest(messages.captureQuoteBody, "How much", { amount: "50.00" }),
  },
  responses: {
    200: jsonContent(messages.capturePreviewAnswer, "What the capture does"),
    ...officeFailureResponses.writing(404, 409),
  },
});

const releaseRoute = createRoute({
  method: "post",
  path: "/holds/{id}/release",
  operationId: "releaseCardHold",
  ...declareNoStepUp("money", "No money moves"),
  tags: TAGS,
  summary: "Release a card hold",
  security: officeSecurity,
  request: { params: reservationParams, headers: idempotencyHeaders },
  responses: ended,
});

async function end(c: Context<AppEnvironment>, key: string, id: number, requested: CardHoldCaptureOrRelease) {
  const result = await captureOrReleaseCardHold(toOfficeWrite(c, key), id, requested, createGatewayClient(c.env));
  if (!result.ok) return answerOfficeRefusal(c, result.error);
  setFreshTokenHeader(c, result.value.freshToken);
  const hold = messages.toCardHoldMessage(result.value.value, await loadMessageFormat(c));
  const isDone = hold.status === "captured" || hold.status === "released";
  return isDone ? c.json({ hold }, 200) : c.json({ hold }, 202);
}

/** Registers the routes of card holds. */
export function registerCardHoldRoutes({ routes }: ApiRoutes): void {
  routes.openapi(requestRoute, async (c) => {
    const body = c.req.valid("json");
    const cents = body.amount === undefined ? undefined : parseAmount(body.amount, await getCurrencyDecimals(c));
    if (body.amount !== undefined && cents === undefined) return answerExcessDecimals(c, "amount");
    const requested = { cents, expiresAt: await parseInstantInAccountZone(c, body.expires_at), send: body.send };
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    return answerOffice(
      c,
      await requestCardHoldByLink(write, c.req.valid("param").id, requested),
      ({ hold, link }, messageFormat) => ({
        hold: messages.toCardHoldMessage(hold, messageFormat),
        payment_link: messages.toPaymentLinkMessage(link, messageFormat),
      }),
      201,
    );
  });
  routes.openapi(captureRoute, async (c) => {
    const { amount, reason } = c.req.valid("json");
    const cents = parseAmount(amount, await getCurrencyDecimals(c));
    if (cents === undefined) return answerExcessDecimals(c, "amount");
    const key = c.req.valid("header")["idempotency-key"];
    return end(c, key, c.req.valid("param").id, { action: "capture", cents, reason });
  });
  routes.openapi(captureQuoteRoute, async (c) => {
    const cents = parseAmount(c.req.valid("json").amount, await getCurrencyDecimals(c));
    if (cents === undefined) return answerExcessDecimals(c, "amount");
    const previewed = await previewCardHoldCapture(toStaffRequest(c), c.req.valid("param").id, cents);
    return answerOffice(c, previewed, messages.toCapturePreviewMessage, 200);
  });
  routes.openapi(releaseRoute, (c) =>
    end(c, c.req.valid("header")["idempotency-key"], c.req.valid("param").id, { action: "release" }),
  );
}
