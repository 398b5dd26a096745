import type { Context } from "hono";
import type { HandOverRequest } from "#domain/check-in/desk.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { performHandOver } from "#worker/usecases/check-in/hand-over.ts";
import { applyBookingAction } from "#worker/usecases/contracts/apply-action.ts";
import { answerExcessDecimals, answerReservation, getCurrencyDecimals } from "./answers.ts";
import {
  handOverBody,
  toHandOverRequest,
  toReportedDamages,
  vehicleExchangeBody,
  vehicleReturnBody,
} from "./hand-over-messages.ts";
import { toOfficeWrite } from "./office-api.ts";
import { parseFeeAmount } from "./request-messages.ts";
import { createReservationActionRoute } from "./reservation-action-routes.ts";

const EXCEPTIONAL_RETURN = "A deposit is returned otherwise than it was received";

const deliverRoute = createReservationActionRoute("deliver", {
  operationId: "deliverVehicle",
  summary: "Deliver a vehicle at the desk",
  body: handOverBody,
  stepUpCondition: EXCEPTIONAL_RETURN,
  example: { reference: "A-1", kilometres: 41_200, fuel_eighths: 8 },
});
const collectRoute = createReservationActionRoute("collect", {
  operationId: "collectVehicle",
  summary: "Collect a vehicle at the desk",
  body: vehicleReturnBody,
  stepUpCondition: EXCEPTIONAL_RETURN,
  example: { kilometres: 41_500, fuel_eighths: 8 },
});

const exchangeRoute = createReservationActionRoute("exchange", {
  operationId: "exchangeVehicle",
  summary: "Exchange a vehicle on rent",
  body: vehicleExchangeBody,
  example: { reference: "A-2", kilometres_in: 41_300, fuel_eighths_in: 6, kilometres_out: 9_800, fuel_eighths_out: 8 },
});

async function answer(
  c: Context<AppEnvironment>,
  action: HandOverRequest["action"],
  id: number,
  key: string,
  body: Parameters<typeof toHandOverRequest>[2],
) {
  const handOverRequest = toHandOverRequest(action, id, body, await getCurrencyDecimals(c));
  if ("field" in handOverRequest) return answerExcessDecimals(c, handOverRequest.field);
  return answerReservation(c, await performHandOver(toOfficeWrite(c, key), handOverRequest));
}

/** Registers the desk's operations on the vehicles of a contract. */
export function registerHandOverRoutes({ routes }: ApiRoutes): void {
  routes.openapi(deliverRoute, async (c) =>
    answer(c, "deliver", c.req.valid("param").id, c.req.valid("header")["idempotency-key"], c.req.valid("json")),
  );
  routes.openapi(exchangeRoute, async (c) => {
    const body = c.req.valid("json");
    const { feeCents: upgradeCents, isTooFine } = parseFeeAmount(body.upgrade_price, await getCurrencyDecimals(c));
    if (isTooFine) return answerExcessDecimals(c, "upgrade_price");
    const input = {
      bookingId: c.req.valid("param").id,
      expectedVersion: body.expected_version,
      reason: body.reason,
      request: { action: "exchange", unitId: body.unit_id, upgradeCents } as const,
      exchange: {
        reference: body.reference,
        kilometresIn: body.kilometres_in,
        fuelEighthsIn: body.fuel_eighths_in,
        kilometresOut: body.kilometres_out,
        fuelEighthsOut: body.fuel_eighths_out,
        damagesIn: toReportedDamages(body.damages_in),
        hasConfirmedReadings: body.readings_confirmed,
      },
    };
    const key = c.req.valid("header")["idempotency-key"];
    return answerReservation(c, await applyBookingAction(toOfficeWrite(c, key), input));
  });
  routes.openapi(collectRoute, async (c) =>
    answer(c, "collect", c.req.valid("param").id, c.req.valid("header")["idempotency-key"], c.req.valid("json")),
  );
}
