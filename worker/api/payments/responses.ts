import { z } from "@hono/zod-openapi";
import { paymentFailureAnswer } from "#worker/api/failure-messages.ts";

const html = { "text/html": { schema: z.string() } };

/** Declares a page for a visitor's browser. */
export function pageResponse(description: string) {
  return { description, content: html };
}

/** Declares a failure: as a page for browsers, in the JSON envelope for scripts. */
export function declarePageOrJsonFailure(description: string) {
  return { description, content: { "application/json": { schema: paymentFailureAnswer }, ...html } };
}

const UNREAD_FORM = declarePageOrJsonFailure("The form is too long, too slow or not readable");

/** Responses to a form that isn't read. */
export const unreadFormResponses = { 400: UNREAD_FORM, 408: UNREAD_FORM, 413: UNREAD_FORM, 415: UNREAD_FORM } as const;

const texts = { ...html, "text/plain": { schema: z.string() } };

/** Declares a response to a gateway, in the text that it expects. */
export function declarePlainTextResponse(description: string) {
  return { description, content: texts };
}

/** Declares a text response to a gateway, or the API envelope if the request was rejected earlier. */
export function declareTextOrFailureResponse(description: string) {
  return { description, content: { "application/json": { schema: paymentFailureAnswer }, ...texts } };
}
