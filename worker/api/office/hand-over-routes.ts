import type { Context } from "hono";
import type { z } from "zod";
import type { HandOver } from "#domain/check-in/desk.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import type { Interface } from "#worker/api/interface.ts";
import { handOver } from "#worker/usecases/bookings/moves/hand-over.ts";
import { answerReservation, decimalsOf, tooFine } from "./answers.ts";
import { handOverBody, toHandOver } from "./hand-over-messages.ts";
import { moveRoute } from "./move-routes.ts";
import { officeWrite } from "./room.ts";

const deliverRoute = moveRoute("deliver", {
  operationId: "deliverVehicle",
  summary: "Hands a vehicle of a contract over at the desk, as the check-in app does",
  body: handOverBody,
  example: { reference: "A-1", kilometres: 41_200, fuel_eighths: 8 },
});
const collectRoute = moveRoute("collect", {
  operationId: "collectVehicle",
  summary: "Takes a vehicle of a contract back at the desk; the last one closes it",
  body: handOverBody,
  example: { kilometres: 41_500, fuel_eighths: 8 },
});

async function answer(
  c: Context<AppEnvironment>,
  move: HandOver["move"],
  id: number,
  key: string,
  body: z.output<typeof handOverBody>,
) {
  const asked = toHandOver(move, id, body, await decimalsOf(c));
  if ("field" in asked) return tooFine(c, asked.field);
  return answerReservation(c, await handOver(officeWrite(c, key), asked));
}

/** Registers what the desk does with the vehicles of a contract. */
export function registerHandOverRoutes({ routes }: Interface): void {
  routes.openapi(deliverRoute, async (c) =>
    answer(c, "deliver", c.req.valid("param").id, c.req.valid("header")["idempotency-key"], c.req.valid("json")),
  );
  routes.openapi(collectRoute, async (c) =>
    answer(c, "collect", c.req.valid("param").id, c.req.valid("header")["idempotency-key"], c.req.valid("json")),
  );
}
