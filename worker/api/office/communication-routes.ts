import { createRoute } from "@hono/zod-openapi";
import type { Interface } from "#worker/api/interface.ts";
import { json } from "#worker/api/openapi.ts";
import { readCommunications, tryCommunications } from "#worker/usecases/communications/office-communications.ts";
import { answerOffice } from "./answers.ts";
import * as messages from "./communication-messages.ts";
import { refused } from "./errors.ts";
import { reservationParams } from "./request-messages.ts";
import { fails, handBackToken, security, staffRequest } from "./room.ts";

const tags = ["Communications"];

const showRoute = createRoute({
  method: "get",
  path: "/reservations/{id}/ses",
  operationId: "showCommunications",
  tags,
  summary: "What SES.HOSPEDAJES is told of a reservation, and what is missing for it",
  security,
  request: { params: reservationParams },
  responses: { 200: json(messages.communicationList, "Its communications"), ...fails.reading(404) },
});

const tryRoute = createRoute({
  method: "get",
  path: "/communications/connection",
  operationId: "tryCommunications",
  tags,
  summary: "Tries the connection to SES.HOSPEDAJES by a question that registers nothing",
  security,
  responses: { 200: json(messages.tryAnswer, "Whether it works"), ...fails.reading() },
});

/** Registers what the office sees of the communications to the ministry. */
export function registerCommunicationRoutes({ routes }: Interface): void {
  routes.openapi(showRoute, async (c) => {
    const read = await readCommunications(staffRequest(c), c.req.valid("param").id);
    if (!read.ok) return refused(c, read.error);
    handBackToken(c, read.value.freshToken);
    return c.json(messages.fromCommunications(read.value.value), 200);
  });
  routes.openapi(tryRoute, async (c) => {
    const tried = await tryCommunications(staffRequest(c));
    return answerOffice(c, tried, (problem) => ({ works: problem === undefined, problem: problem ?? null }), 200);
  });
}
