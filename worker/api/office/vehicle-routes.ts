import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Result } from "#domain/result.ts";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { loadWriting } from "#worker/api/integration/room.ts";
import type { Interface } from "#worker/api/interface.ts";
import { json, jsonRequest } from "#worker/api/openapi.ts";
import { returnFreshToken } from "#worker/api/signed-in.ts";
import { blockVehicle, changeBlock, removeBlock } from "#worker/usecases/fleet/block-vehicle.ts";
import { moveVehicle } from "#worker/usecases/fleet/move-vehicle.ts";
import {
  changeVehicle,
  createVehicle,
  listOfficeVehicles,
  markRepaired,
  readOfficeVehicle,
  retireVehicle,
} from "#worker/usecases/fleet/office-vehicles.ts";
import { readPlanning } from "#worker/usecases/fleet/read-planning.ts";
import { readVehicleUse } from "#worker/usecases/fleet/read-vehicle-use.ts";
import type { OfficeAnswer, OfficeRefusal, VehicleAnswer } from "#worker/usecases/office/office-context.ts";
import { answerOffice, getCurrencyDecimals, tooFine } from "./answers.ts";
import { refused } from "./errors.ts";
import { creationMiddlewares, fails, idempotent, officeWrite, security, staffRequest, writing } from "./room.ts";
import { toSortedQuery } from "./sort-messages.ts";
import * as messages from "./vehicle-messages.ts";

const TAGS = ["Fleet"];
const CONFLICT = "Conflict with the current state. See `code`";
const changed = {
  200: json(messages.vehicleAnswer, "The vehicle as it is now"),
  ...fails.writing(404, 422),
  409: json(messages.vehicleConflict, CONFLICT),
};

const listRoute = createRoute({
  method: "get",
  path: "/vehicles",
  operationId: "listFleet",
  tags: TAGS,
  summary: "List vehicles",
  security,
  middleware: [dropEmptyParameters],
  request: { query: messages.vehiclesQuery },
  responses: { 200: json(messages.vehicleList, "A page of the list"), ...fails.reading() },
});

const readRoute = createRoute({
  method: "get",
  path: "/vehicles/{reference}",
  operationId: "showVehicle",
  tags: TAGS,
  summary: "Retrieve a vehicle",
  security,
  request: { params: messages.vehicleParams },
  responses: { 200: json(messages.vehicleAnswer, "The vehicle"), ...fails.reading(404) },
});

const useRoute = createRoute({
  method: "get",
  path: "/vehicles/{reference}/use",
  operationId: "showVehicleUse",
  tags: TAGS,
  summary: "Find the driver of a vehicle at a time",
  security,
  middleware: [dropEmptyParameters],
  request: { params: messages.vehicleParams, query: messages.useQuery },
  responses: {
    200: json(messages.useAnswer, "The contract that had the vehicle. Empty if there was none"),
    ...fails.reading(404),
  },
});

const VERSION = { expected_version: 1 };

const createVehicleRoute = createRoute({
  method: "post",
  path: "/vehicles",
  operationId: "createVehicle",
  tags: TAGS,
  summary: "Create a vehicle",
  security,
  middleware: creationMiddlewares,
  request: {
    headers: idempotent,
    body: jsonRequest(messages.vehicleBody, "The vehicle", {
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
  security,
  middleware: writing,
  request: {
    params: messages.vehicleParams,
    headers: idempotent,
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
  security,
  middleware: creationMiddlewares,
  request: {
    params: messages.vehicleParams,
    headers: idempotent,
    body: jsonRequest(messages.retireBody, "From when on", { expected_version: 2, date: "2030-12-31" }),
  },
  responses: changed,
});

const repairRoute = createRoute({
  method: "post",
  path: "/vehicles/{reference}/damages/{id}/repaired",
  operationId: "markDamageRepaired",
  tags: TAGS,
  summary: "Mark a damage as repaired",
  security,
  request: { params: messages.damageParams, headers: idempotent },
  responses: changed,
});

const moveRoute = createRoute({
  method: "post",
  path: "/vehicles/{reference}/move",
  operationId: "moveVehicle",
  tags: TAGS,
  summary: "Transfer a vehicle to another branch group",
  security,
  middleware: creationMiddlewares,
  request: {
    params: messages.vehicleParams,
    headers: idempotent,
    body: jsonRequest(messages.moveBody, "Where and from when on", {
      rental_location_code: "PMI",
      at: "2030-06-10T08:00",
    }),
  },
  responses: changed,
});

const blocked = {
  ...fails.writing(404, 422),
  409: json(messages.blockConflict, CONFLICT),
};

const blockRoute = createRoute({
  method: "post",
  path: "/vehicles/{reference}/blocks",
  operationId: "blockVehicle",
  tags: TAGS,
  summary: "Block a vehicle",
  security,
  middleware: creationMiddlewares,
  request: {
    params: messages.vehicleParams,
    headers: idempotent,
    body: jsonRequest(messages.blockBody, "When and why", {
      from: "2030-06-10T08:00",
      to: "2030-06-11T18:00",
      reason: "workshop",
      note: "Brakes",
    }),
  },
  responses: { 201: json(messages.blockAnswer, "The block"), ...blocked },
});

const changeBlockRoute = createRoute({
  method: "patch",
  path: "/blocks/{id}",
  operationId: "changeBlock",
  tags: TAGS,
  summary: "Update a block",
  security,
  middleware: writing,
  request: {
    params: messages.blockParams,
    headers: idempotent,
    body: jsonRequest(messages.blockChangeBody, "What changes", { ...VERSION, note: "Brakes and tyres" }),
  },
  responses: { 200: json(messages.blockAnswer, "The block as it is now"), ...blocked },
});

const removeBlockRoute = createRoute({
  method: "delete",
  path: "/blocks/{id}",
  operationId: "removeBlock",
  tags: TAGS,
  summary: "End a block",
  security,
  request: { params: messages.blockParams, headers: idempotent },
  responses: { 204: { description: "Deleted" }, ...fails.reading(404, 422) },
});

const planningRoute = createRoute({
  method: "get",
  path: "/planning",
  operationId: "showPlanning",
  tags: TAGS,
  summary: "Retrieve the planning of a period",
  security,
  middleware: [dropEmptyParameters],
  request: { query: messages.planningQuery },
  responses: { 200: json(messages.planningAnswer, "The planning"), ...fails.reading() },
});

const answerVehicle = (c: Context<AppEnvironment>, result: Result<OfficeAnswer<VehicleAnswer>, OfficeRefusal>) =>
  answerOffice(c, result, messages.toOfficeVehicleMessage, 200);

/** Registers the routes of the fleet and its planning board. */
export function registerVehicleRoutes({ routes }: Interface): void {
  routes.openapi(listRoute, async (c) => {
    const query = c.req.valid("query");
    const listed = await listOfficeVehicles(staffRequest(c), {
      ...messages.toVehicleFilter(query),
      ...toSortedQuery(query),
      pageSize: query.page_size,
    });
    if (!listed.ok) return refused(c, listed.error);
    returnFreshToken(c, listed.value.freshToken);
    const { rows, total, isExact, next } = listed.value.value;
    const writes = await loadWriting(c);
    const data = rows.map((row) => messages.toListedVehicleMessage(row, writes));
    return c.json({ data, total, ...(!isExact && { total_is_exact: isExact }), next: next ?? null }, 200);
  });
  routes.openapi(readRoute, async (c) =>
    answerVehicle(c, await readOfficeVehicle(staffRequest(c), c.req.valid("param").reference)),
  );
  routes.openapi(useRoute, async (c) => {
    const read = await readVehicleUse(staffRequest(c), c.req.valid("param").reference, c.req.valid("query").at);
    return answerOffice(c, read, messages.toVehicleUseMessage, 200);
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
    if ("field" in vehicleChange) return tooFine(c, vehicleChange.field);
    const newVehicle = { ...vehicleChange.change, name, categoryCode, branchCode };
    const createdVehicle = await createVehicle(
      officeWrite(c, c.req.valid("header")["idempotency-key"]),
      reference,
      newVehicle,
    );
    return answerOffice(c, createdVehicle, messages.toOfficeVehicleMessage, 201);
  });
  routes.openapi(changeRoute, async (c) => {
    const { expected_version: expectedVersion, ...said } = c.req.valid("json");
    const vehicleChange = messages.toVehicleChange(said, await getCurrencyDecimals(c));
    if ("field" in vehicleChange) return tooFine(c, vehicleChange.field);
    const write = officeWrite(c, c.req.valid("header")["idempotency-key"]);
    const changeRequest = { expectedVersion, change: vehicleChange.change };
    return answerVehicle(c, await changeVehicle(write, c.req.valid("param").reference, changeRequest));
  });
  routes.openapi(retireRoute, async (c) => {
    const { expected_version: expectedVersion, date } = c.req.valid("json");
    const write = officeWrite(c, c.req.valid("header")["idempotency-key"]);
    return answerVehicle(c, await retireVehicle(write, c.req.valid("param").reference, { expectedVersion, date }));
  });
  routes.openapi(moveRoute, async (c) => {
    const { rental_location_code: branchCode, at: from } = c.req.valid("json");
    const { reference } = c.req.valid("param");
    const write = officeWrite(c, c.req.valid("header")["idempotency-key"]);
    return answerVehicle(c, await moveVehicle(write, { reference, branchCode, from }));
  });
  routes.openapi(repairRoute, async (c) => {
    const { reference, id } = c.req.valid("param");
    return answerVehicle(
      c,
      await markRepaired(officeWrite(c, c.req.valid("header")["idempotency-key"]), reference, id),
    );
  });
  routes.openapi(blockRoute, async (c) => {
    const { from: startsAt, to: endsAt, reason: kind, note } = c.req.valid("json");
    const write = officeWrite(c, c.req.valid("header")["idempotency-key"]);
    const createdVehicle = await blockVehicle(write, c.req.valid("param").reference, { startsAt, endsAt, kind, note });
    return answerOffice(c, createdVehicle, (block) => ({ block: messages.toBlockMessage(block) }), 201);
  });
  routes.openapi(changeBlockRoute, async (c) => {
    const { expected_version: expectedVersion, ...said } = c.req.valid("json");
    const write = officeWrite(c, c.req.valid("header")["idempotency-key"]);
    const blockChangeResult = await changeBlock(write, c.req.valid("param").id, {
      expectedVersion,
      change: messages.toBlock(said),
    });
    return answerOffice(c, blockChangeResult, (block) => ({ block: messages.toBlockMessage(block) }), 200);
  });
  routes.openapi(removeBlockRoute, async (c) => {
    const blockChangeResult = await removeBlock(
      officeWrite(c, c.req.valid("header")["idempotency-key"]),
      c.req.valid("param").id,
    );
    if (!blockChangeResult.ok) return refused(c, blockChangeResult.error);
    returnFreshToken(c, blockChangeResult.value.freshToken);
    return c.body(null, 204);
  });
  routes.openapi(planningRoute, async (c) => {
    const query = c.req.valid("query");
    const read = await readPlanning(staffRequest(c), {
      from: query.date_from,
      days: query.days,
      branchCode: query.rental_location_code,
      branchGroupId: query.rental_storage_id,
      categoryCode: query.category_code,
    });
    return answerOffice(c, read, (board, writes) => messages.toPlanningMessage(board, query, writes), 200);
  });
}
