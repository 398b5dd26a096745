import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import { parseAmount } from "#domain/money.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { declareNoStepUp } from "#worker/api/step-up.ts";
import { toEpochInstant } from "#worker/tenancy/clock.ts";
import { cancelPaymentLink, createPaymentLink } from "#worker/usecases/payments/payment-links.ts";
import { answerExcessDecimals, answerOffice, getCurrencyDecimals } from "./answers.ts";
import {
  idempotencyHeaders,
  officeCreationMiddlewares,
  officeFailureResponses,
  officeSecurity,
  toOfficeWrite,
} from "./office-api.ts";
import * as messages from "./payment-link-messages.ts";
import { paymentLinkParams, reservationParams } from "./request-messages.ts";

const TAGS = ["Money"];

const createLinkRoute = createRoute({
  method: "post",
  path: "/reservations/{id}/payment-links",
  operationId: "createPaymentLink",
  ...declareNoStepUp("money", "The customer pays: no money goes out"),
  tags: TAGS,
  summary: "Create a link to pay or to authorise a card hold",
  security: officeSecurity,
  middleware: officeCreationMiddlewares,
  request: {
    params: reservationParams,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.paymentLinkBody, "Purpose and amount of the link", { purpose: "payment" }),
  },
  responses: {
    201: jsonContent(messages.paymentLinkAnswer, "The link"),
    ...officeFailureResponses.writing(404, 409, 422),
  },
});

const cancelling = {
  method: "delete",
  ...declareNoStepUp("money", "No money goes out"),
  tags: TAGS,
  summary: "Cancel a payment link",
  security: officeSecurity,
  responses: {
    200: jsonContent(messages.paymentLinkAnswer, "The cancelled link"),
    ...officeFailureResponses.writing(404, 409, 422),
  },
} as const;

const cancelLinkRoute = createRoute({
  ...cancelling,
  path: "/payment-links/{id}",
  operationId: "cancelPaymentLink",
  request: { params: reservationParams, headers: idempotencyHeaders },
});

const cancelReservationLinkRoute = createRoute({
  ...cancelling,
  path: "/reservations/{id}/payment-links/{link_id}",
  operationId: "cancelReservationPaymentLink",
  request: { params: paymentLinkParams, headers: idempotencyHeaders },
});

/** Returns the instant of a date and time in the account's time zone. */
export async function parseInstantInAccountZone(
  c: Context<AppEnvironment>,
  text: string | undefined,
): Promise<number | undefined> {
  if (text === undefined) return undefined;
  const { timezone } = (await c.get("tenant").snapshot()).catalogue.settings;
  return messages.parseInstantOrLocalTime(text, (minute) => toEpochInstant(timezone, minute));
}

async function cancel(
  c: Context<AppEnvironment>,
  key: string,
  link: { readonly id: number; readonly bookingId?: number },
) {
  const cancelled = await cancelPaymentLink(toOfficeWrite(c, key), link);
  return answerOffice(
    c,
    cancelled,
    (answered, messageFormat) => ({ payment_link: messages.toPaymentLinkMessage(answered, messageFormat) }),
    200,
  );
}

/** Registers the routes of payment links. */
export function registerPaymentLinkRoutes({ routes }: ApiRoutes): void {
  routes.openapi(createLinkRoute, async (c) => {
    const body = c.req.valid("json");
    const cents = body.amount === undefined ? undefined : parseAmount(body.amount, await getCurrencyDecimals(c));
    if (body.amount !== undefined && cents === undefined) return answerExcessDecimals(c, "amount");
    const requested = {
      purpose: body.purpose,
      cents,
      expiresAt: await parseInstantInAccountZone(c, body.expires_at),
      send: body.send,
    };
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const created = await createPaymentLink(write, c.req.valid("param").id, requested);
    return answerOffice(
      c,
      created,
      (link, messageFormat) => ({ payment_link: messages.toPaymentLinkMessage(link, messageFormat) }),
      201,
    );
  });
  routes.openapi(cancelLinkRoute, (c) =>
    cancel(c, c.req.valid("header")["idempotency-key"], { id: c.req.valid("param").id }),
  );
  routes.openapi(cancelReservationLinkRoute, (c) => {
    const { id: bookingId, link_id: id } = c.req.valid("param");
    return cancel(c, c.req.valid("header")["idempotency-key"], { id, bookingId });
  });
}
