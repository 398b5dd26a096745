import { z } from "@hono/zod-openapi";
import { failureAnswer } from "#worker/api/failure-messages.ts";

const html = { "text/html": { schema: z.string() } };

/** A page for a visitor's browser. */
export function page(description: string) {
  return { description, content: html };
}

/** A failure: to a browser a page, to a script the envelope of the interfaces. */
export function pageOrFailure(description: string) {
  return { description, content: { "application/json": { schema: failureAnswer }, ...html } };
}

const texts = { ...html, "text/plain": { schema: z.string() } };

/** What a gateway is told, in the words that it expects. */
export function plainTextResponse(description: string) {
  return { description, content: texts };
}

/** The same, or the envelope of the interfaces where the request did not get so far. */
export function textOrFailureResponse(description: string) {
  return { description, content: { "application/json": { schema: failureAnswer }, ...texts } };
}
