import { createRoute } from "@hono/zod-openapi";
import { toAmount } from "#domain/money.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent } from "#worker/api/openapi.ts";
import { setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import { MAX_CHECK_IN_FILE_BYTES } from "#worker/usecases/check-in/files.ts";
import { listApplicableExtras } from "#worker/usecases/check-in/list-applicable-extras.ts";
import { readCheckInDay } from "#worker/usecases/check-in/read-day.ts";
import { readCheckInSettings } from "#worker/usecases/check-in/read-settings.ts";
import { mapCategoriesToFamilyIds, searchVehicles } from "#worker/usecases/check-in/search-vehicles.ts";
import { MAX_IMAGE_PIXELS } from "#worker/usecases/shared/rebuild-image.ts";
import {
  answerCheckInRefusal,
  checkInFailureResponses,
  checkInSecurity,
  respondUnlessUnchanged,
  unchangedEtagResponse,
} from "./check-in-api.ts";
import { toCheckInDayMessage, toCheckInVehicleMessage } from "./day-answer-messages.ts";
import {
  applicableExtrasAnswer,
  checkInDayAnswer,
  checkInSettingsAnswer,
  checkInVehiclesAnswer,
} from "./day-messages.ts";
import { applicableExtrasQuery, bookingParams, checkInDayQuery, checkInVehiclesQuery } from "./request-messages.ts";
import { toCheckInSettingsMessage } from "./settings-messages.ts";

const PHOTOS_PER_OPERATION = 100;

const readCheckInSettingsRoute = createRoute({
  method: "get",
  path: "/v1/booking/delivery-collection-app-settings",
  operationId: "readCheckInSettings",
  tags: ["Day"],
  summary: "Retrieve check-in configuration",
  security: checkInSecurity,
  responses: {
    200: jsonContent(checkInSettingsAnswer, "The settings and the signed-in user"),
    ...unchangedEtagResponse,
    ...checkInFailureResponses.reading(),
  },
});

const readCheckInDayRoute = createRoute({
  method: "get",
  path: "/v1/booking/deliveries-collections",
  operationId: "readCheckInDay",
  tags: ["Day"],
  summary: "List deliveries and returns of a day",
  security: checkInSecurity,
  request: { query: checkInDayQuery },
  responses: {
    200: jsonContent(checkInDayAnswer, "The day"),
    ...unchangedEtagResponse,
    ...checkInFailureResponses.reading(404),
  },
});

const searchVehiclesRoute = createRoute({
  method: "get",
  path: "/booking-items-search",
  operationId: "searchVehicles",
  tags: ["Day"],
  summary: "Search vehicles of a branch group",
  security: checkInSecurity,
  request: { query: checkInVehiclesQuery },
  responses: {
    200: jsonContent(checkInVehiclesAnswer, "The vehicles, by plate"),
    ...unchangedEtagResponse,
    ...checkInFailureResponses.reading(404),
  },
});

const listApplicableExtrasRoute = createRoute({
  method: "get",
  path: "/booking/{id}/extra-search",
  operationId: "listApplicableExtras",
  tags: ["Day"],
  summary: "List extras that apply to a booking",
  security: checkInSecurity,
  request: { params: bookingParams, query: applicableExtrasQuery },
  responses: { 200: jsonContent(applicableExtrasAnswer, "The extras"), ...checkInFailureResponses.reading(404) },
});

/** Registers the routes that the app reads: settings, days, vehicles, and the extras available for a booking. */
export function registerDayRoutes({ routes }: ApiRoutes): void {
  routes.openapi(readCheckInSettingsRoute, async (c) => {
    const read = await readCheckInSettings(toStaffRequest(c));
    if (!read.ok) return answerCheckInRefusal(c, read.error);
    setFreshTokenHeader(c, read.value.freshToken);
    const answer = toCheckInSettingsMessage(read.value.value, {
      photo_bytes: MAX_CHECK_IN_FILE_BYTES,
      photos_per_operation: PHOTOS_PER_OPERATION,
      photo_pixels: MAX_IMAGE_PIXELS,
    });
    return respondUnlessUnchanged(c, answer);
  });
  routes.openapi(readCheckInDayRoute, async (c) => {
    const { date, rental_location_code } = c.req.valid("query");
    const read = await readCheckInDay(toStaffRequest(c), rental_location_code, date);
    if (!read.ok) return answerCheckInRefusal(c, read.error);
    setFreshTokenHeader(c, read.value.freshToken);
    const { day, catalogue, contractHashes } = read.value.value;
    const answer = toCheckInDayMessage(day, {
      currencyDecimals: catalogue.settings.currencyDecimals,
      familyIdsByCategory: mapCategoriesToFamilyIds(catalogue),
      categories: catalogue.categories,
      now: day.civilNow,
      contractHashes,
      reportsToMinistry: catalogue.settings.sesMode !== "none",
    });
    return respondUnlessUnchanged(c, answer);
  });
  routes.openapi(searchVehiclesRoute, async (c) => {
    const query = c.req.valid("query");
    const vehicleMatches = await searchVehicles(toStaffRequest(c), {
      term: query.term,
      categoryCode: query.category_code,
      familyId: query.family_id,
      branchGroupId: query.rental_storage_id,
    });
    if (!vehicleMatches.ok) return answerCheckInRefusal(c, vehicleMatches.error);
    setFreshTokenHeader(c, vehicleMatches.value.freshToken);
    const { vehicles, ...messageContext } = vehicleMatches.value.value;
    const answer = {
      data: vehicles.map((vehicle) => toCheckInVehicleMessage(vehicle, messageContext)),
      total: vehicles.length,
    };
    return respondUnlessUnchanged(c, answer);
  });
  routes.openapi(listApplicableExtrasRoute, async (c) => {
    const bookingId = c.req.valid("param").id;
    const read = await listApplicableExtras(toStaffRequest(c), bookingId);
    if (!read.ok) return answerCheckInRefusal(c, read.error);
    setFreshTokenHeader(c, read.value.freshToken);
    const { extras, currencyDecimals } = read.value.value;
    const data = extras.map(
      ({ extra, unitCents, bookedQuantity, maxQuantity, sellableQuantity, totalDepositCents }) => ({
        extra_code: extra.code,
        name: extra.name,
        unit_price: toAmount(unitCents, currencyDecimals),
        booked_quantity: bookedQuantity,
        max_quantity: maxQuantity,
        sellable_quantity: sellableQuantity,
        total_deposit: toAmount(totalDepositCents, currencyDecimals),
      }),
    );
    return c.json({ booking_id: bookingId, data, total: data.length }, 200);
  });
}
