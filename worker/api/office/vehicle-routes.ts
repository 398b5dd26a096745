import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Result } from "#domain/result.ts";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { loadMessageFormat } from "#worker/api/integration/integration-api.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import { blockVehicle, changeVehicleBlock, removeVehicleBlock } from "#worker/usecases/fleet/block-vehicle.ts";
import { moveVehicle } from "#worker/usecases/fleet/move-vehicle.ts";
import {
  changeVehicle,
  createVehicle,
  listOfficeVehicles,
  markVehicleDamageRepaired,
  readOfficeVehicle,
  retireVehicle,
} from "#worker/usecases/fleet/office-vehicles.ts";
import { readPlanning } from "#worker/usecases/fleet/read-planning.ts";
import { readVehicleRenters } from "#worker/usecases/fleet/read-vehicle-use.ts";
import type { OfficeRefusal, VehicleAnswer } from "#worker/usecases/office/office-context.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import { answerExcessDecimals, answerOffice, getCurrencyDecimals } from "./answers.ts";
import { answerOfficeRefusal } from "./errors.ts";
import {
  idempotencyHeaders,
  officeCreationMiddlewares,
  officeFailureResponses,
  officeSecurity,
  officeWriteMiddlewares,
  toOfficeWrite,
} from "./office-api.ts";
import { reservationHistoryAnswer } from "./reservation-messages.ts";
import { toSortedQuery } from "./sort-messages.ts";
import * as messages from "./vehicle-messages.ts";

const TAGS = ["Fleet"];
const CONFLICT = "Conflict with the current state. See `code`";
const changed = {
  200: jsonContent(messages.vehicleAnswer, "The vehicle as it is now"),
  ...officeFailureResponses.writing(404, 422),
  409: jsonContent(messages.vehicleConflictAnswer, CONFLICT),
};

const listRoute = createRoute({
  method: "get",
  path: "/vehicles",
  operationId: "listFleet",
  tags: TAGS,
  summary: "List vehicles",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { query: messages.vehiclesQuery },
  responses: { 200: jsonContent(messages.vehicleList, "A page of the list"), ...officeFailureResponses.reading() },
});

const readRoute = createRoute({
  method: "get",
  path: "/vehicles/{reference}",
  operationId: "showVehicle",
  tags: TAGS,
  summary: "Retrieve a vehicle",
  security: officeSecurity,
  request: { params: messages.vehicleParams },
  responses: { 200: jsonContent(messages.vehicleAnswer, "The vehicle"), ...officeFailureResponses.reading(404) },
});

const historyRoute = createRoute({
  method: "get",
  path: "/vehicles/{reference}/history",
  operationId: "showVehicleHistory",
  tags: TAGS,
  summary: "List changes of a vehicle",
  security: officeSecurity,
  request: { params: messages.vehicleParams },
  responses: {
    200: jsonContent(reservationHistoryAnswer, "Changes, latest first"),
    ...officeFailureResponses.reading(404),
  },
});

const useRoute = createRoute({
  method: "get",
  path: "/vehicles/{reference}/use",
  operationId: "showVehicleUse",
  tags: TAGS,
  summary: "Find the driver of a vehicle at a time",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { params: messages.vehicleParams, query: messages.vehicleRenterQuery },
  responses: {
    200: jsonContent(messages.vehicleRenterAnswer, "The contract that had the vehicle. Empty if there was none"),
    ...officeFailureResponses.reading(404),
  },
});

const VERSION = { expected_version: 1 };

const createVehicleRoute = createRoute({
  method: "post",
  path: "/vehicles",
  operationId: "createVehicle",
  tags: TAGS,
  summary: "Create a vehicle",
  security: officeSecurity,
  middleware: officeCreationMiddlewares,
  request: {
    headers: idempotencyHeaders,
    body: jsonRequest(messages.vehicleCreationBody, "The vehicle", {
      reference: "ECON-901",
      name: "Seat Ibiza",
      category_code: "ECON",
      rental_location_code: "PMI",
      stock_plate: "9012 LMN",
    }),
  },
  responses: { ...changed, 201: changed[200] },
});

const changeRoute = createRoute({
  method: "patch",
  path: "/vehicles/{reference}",
  operationId: "changeVehicle",
  tags: TAGS,
  summary: "Update a vehicle",
  security: officeSecurity,
  middleware: officeWriteMiddlewares,
  request: {
    params: messages.vehicleParams,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.vehicleChangeBody, "What changes", { ...VERSION, stock_color: "blue" }),
  },
  responses: changed,
});

const retireRoute = createRoute({
  method: "post",
  path: "/vehicles/{reference}/retire",
  operationId: "retireVehicle",
  tags: TAGS,
  summary: "Retire a vehicle",
  security: officeSecurity,
  middleware: officeCreationMiddlewares,
  request: {
    params: messages.vehicleParams,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.vehicleRetirementBody, "From when on", { expected_version: 2, date: "2030-12-31" }),
  },
  responses: changed,
});

const repairRoute = createRoute({
  method: "post",
  path: "/vehicles/{reference}/damages/{id}/repaired",
  operationId: "markDamageRepaired",
  tags: TAGS,
  summary: "Mark a damage as repaired",
  security: officeSecurity,
  request: { params: messages.damageParams, headers: idempotencyHeaders },
  responses: changed,
});

const moveRoute = createRoute({
  method: "post",
  path: "/vehicles/{reference}/move",
  operationId: "moveVehicle",
  tags: TAGS,
  summary: "Transfer a vehicle to another branch group",
  security: officeSecurity,
  middleware: officeCreationMiddlewares,
  request: {
    params: messages.vehicleParams,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.vehicleRelocationBody, "Where and from when on", {
      rental_location_code: "PMI",
      at: "2030-06-10T08:00",
    }),
  },
  responses: changed,
});

const blocked = {
  ...officeFailureResponses.writing(404, 422),
  409: jsonContent(messages.vehicleBlockConflictAnswer, CONFLICT),
};

const blockRoute = createRoute({
  method: "post",
  path: "/vehicles/{reference}/blocks",
  operationId: "blockVehicle",
  tags: TAGS,
  summary: "Block a vehicle",
  security: officeSecurity,
  middleware: officeCreationMiddlewares,
  request: {
    params: messages.vehicleParams,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.vehicleBlockBody, "When and why", {
      from: "2030-06-10T08:00",
      to: "2030-06-11T18:00",
      reason: "workshop",
      note: "Brakes",
    }),
  },
  responses: { 201: jsonContent(messages.vehicleBlockAnswer, "The block"), ...blocked },
});

const changeBlockRoute = createRoute({
  method: "patch",
  path: "/blocks/{id}",
  operationId: "changeBlock",
  tags: TAGS,
  summary: "Update a block",
  security: officeSecurity,
  middleware: officeWriteMiddlewares,
  request: {
    params: messages.blockParams,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.vehicleBlockChangeBody, "What changes", { ...VERSION, note: "Brakes and tyres" }),
  },
  responses: { 200: jsonContent(messages.vehicleBlockAnswer, "The block as it is now"), ...blocked },
});

const removeBlockRoute = createRoute({
  method: "delete",
  path: "/blocks/{id}",
  operationId: "removeBlock",
  tags: TAGS,
  summary: "End a block",
  security: officeSecurity,
  request: { params: messages.blockParams, headers: idempotencyHeaders },
  responses: { 204: { description: "Deleted" }, ...officeFailureResponses.reading(404, 422) },
});

const planningRoute = createRoute({
  method: "get",
  path: "/planning",
  operationId: "showPlanning",
  tags: TAGS,
  summary: "Retrieve the planning of a period",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { query: messages.officePlanningQuery },
  responses: { 200: jsonContent(messages.planningAnswer, "The planning"), ...officeFailureResponses.reading() },
});

const answerVehicle = (c: Context<AppEnvironment>, result: Result<StaffAnswer<VehicleAnswer>, OfficeRefusal>) =>
  answerOffice(c, result, messages.toOfficeVehicleMessage, 200);

/** Registers the routes of the fleet and its planning board. */
export function registerVehicleRoutes({ routes }: ApiRoutes): void {
  routes.openapi(listRoute, async (c) => {
    const query = c.req.valid("query");
    const listed = await listOfficeVehicles(toStaffRequest(c), {
      ...messages.toVehicleFilter(query),
      ...toSortedQuery(query),
      pageSize: query.page_size,
    });
    if (!listed.ok) return answerOfficeRefusal(c, listed.error);
    setFreshTokenHeader(c, listed.value.freshToken);
    const { rows, total, isExact, next } = listed.value.value;
    const writes = await loadMessageFormat(c);
    const data = rows.map((row) => messages.toListedVehicleMessage(row, writes));
    return c.json({ data, total, ...(!isExact && { total_is_exact: isExact }), next: next ?? null }, 200);
  });
  routes.openapi(readRoute, async (c) =>
    answerVehicle(c, await readOfficeVehicle(toStaffRequest(c), c.req.valid("param").reference)),
  );
  routes.openapi(historyRoute, async (c) => {
    const read = await readOfficeVehicle(toStaffRequest(c), c.req.valid("param").reference);
    return answerOffice(
      c,
      read,
      (vehicle, messageFormat) => ({ data: messages.toOfficeVehicleMessage(vehicle, messageFormat).history }),
      200,
    );
  });
  routes.openapi(useRoute, async (c) => {
    const read = await readVehicleRenters(toStaffRequest(c), c.req.valid("param").reference, c.req.valid("query").at);
    return answerOffice(c, read, messages.toVehicleRenterMessage, 200);
  });
  routes.openapi(createVehicleRoute, async (c) => {
    const {
      reference,
      name,
      category_code: categoryCode,
      rental_location_code: branchCode,
      ...said
    } = c.req.valid("json");
    const vehicleChange = messages.toVehicleChange(said, await getCurrencyDecimals(c));
    if ("field" in vehicleChange) return answerExcessDecimals(c, vehicleChange.field);
    const newVehicle = { ...vehicleChange.change, name, categoryCode, branchCode };
    const createdVehicle = await createVehicle(
      toOfficeWrite(c, c.req.valid("header")["idempotency-key"]),
      reference,
      newVehicle,
    );
    return answerOffice(c, createdVehicle, messages.toOfficeVehicleMessage, 201);
  });
  routes.openapi(changeRoute, async (c) => {
    const { expected_version: expectedVersion, ...said } = c.req.valid("json");
    const vehicleChange = messages.toVehicleChange(said, await getCurrencyDecimals(c));
    if ("field" in vehicleChange) return answerExcessDecimals(c, vehicleChange.field);
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const changeRequest = { expectedVersion, change: vehicleChange.change };
    return answerVehicle(c, await changeVehicle(write, c.req.valid("param").reference, changeRequest));
  });
  routes.openapi(retireRoute, async (c) => {
    const { expected_version: expectedVersion, date } = c.req.valid("json");
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    return answerVehicle(c, await retireVehicle(write, c.req.valid("param").reference, { expectedVersion, date }));
  });
  routes.openapi(moveRoute, async (c) => {
    const { rental_location_code: branchCode, at: from } = c.req.valid("json");
    const { reference } = c.req.valid("param");
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    return answerVehicle(c, await moveVehicle(write, { reference, branchCode, from }));
  });
  routes.openapi(repairRoute, async (c) => {
    const { reference, id } = c.req.valid("param");
    return answerVehicle(
      c,
      await markVehicleDamageRepaired(toOfficeWrite(c, c.req.valid("header")["idempotency-key"]), reference, id),
    );
  });
  routes.openapi(blockRoute, async (c) => {
    const { from: startsAt, to: endsAt, reason: kind, note } = c.req.valid("json");
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const createdVehicle = await blockVehicle(write, c.req.valid("param").reference, { startsAt, endsAt, kind, note });
    return answerOffice(c, createdVehicle, (block) => ({ block: messages.toVehicleBlockMessage(block) }), 201);
  });
  routes.openapi(changeBlockRoute, async (c) => {
    const { expected_version: expectedVersion, ...said } = c.req.valid("json");
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const blockChangeResult = await changeVehicleBlock(write, c.req.valid("param").id, {
      expectedVersion,
      change: messages.toVehicleBlockFields(said),
    });
    return answerOffice(c, blockChangeResult, (block) => ({ block: messages.toVehicleBlockMessage(block) }), 200);
  });
  routes.openapi(removeBlockRoute, async (c) => {
    const blockChangeResult = await removeVehicleBlock(
      toOfficeWrite(c, c.req.valid("header")["idempotency-key"]),
      c.req.valid("param").id,
    );
    if (!blockChangeResult.ok) return answerOfficeRefusal(c, blockChangeResult.error);
    setFreshTokenHeader(c, blockChangeResult.value.freshToken);
    return c.body(null, 204);
  });
  routes.openapi(planningRoute, async (c) => {
    const query = c.req.valid("query");
    const read = await readPlanning(toStaffRequest(c), {
      from: query.date_from,
      days: query.days,
      branchCode: query.rental_location_code,
      branchGroupId: query.rental_storage_id,
      categoryCode: query.category_code,
    });
    return answerOffice(c, read, (board, writes) => messages.toPlanningMessage(board, query, writes), 200);
  });
}
