import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import { RESOURCES } from "#domain/catalogue/resources/resources.ts";
import { createProblem } from "#domain/problems.ts";
import type { Result } from "#domain/result.ts";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import { toErrorResponse } from "#worker/api/errors.ts";
import { createInvalidFieldsFailure } from "#worker/api/failure.ts";
import { loadMessageFormat } from "#worker/api/integration/integration-api.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { getCurrencyDecimals } from "#worker/api/office/answers.ts";
import {
  idempotencyHeaders,
  officeCreationMiddlewares,
  officeFailureResponses,
  officeSecurity,
  officeWriteMiddlewares,
  toOfficeWrite,
} from "#worker/api/office/office-api.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import { declareStepUp } from "#worker/api/step-up.ts";
import { createResource } from "#worker/usecases/catalogue/resources/create-resource.ts";
import { removeUnreferencedResource } from "#worker/usecases/catalogue/resources/delete-resource.ts";
import { createUser } from "#worker/usecases/catalogue/resources/invite-user.ts";
import {
  listResources,
  readResource,
  readResourceHistory,
} from "#worker/usecases/catalogue/resources/read-resources.ts";
import type { ResourceRefusal } from "#worker/usecases/catalogue/resources/resource-refusals.ts";
import { updateResource } from "#worker/usecases/catalogue/resources/update-resource.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import { addSignedCalendarLinks } from "#worker/usecases/shared/calendar-links.ts";
import { toResourceErrorResponse, toResourceResponse } from "./resource-errors.ts";
import { getResourceExamples } from "./resource-examples.ts";
import * as schemas from "./resource-messages.ts";
import { registerResourceTable } from "./resource-table-routes.ts";

const needsStepUp = ({ writeRight, opensAccess }: Resource) => writeRight === "administer" || opensAccess === true;

const SINGLE_ID = "1";
const CONFLICT = "Conflict with the current state. See `code`";

/** Registers the lists and forms of the office: one set of routes for each declared resource type. */
export function registerResourceRoutes(office: ApiRoutes): void {
  for (const resource of RESOURCES) {
    const routeContext = { office, resource, messages: schemas.createResourceSchemas(resource) };
    if (!resource.isSingle) {
      registerList(routeContext);
      registerResourceTable(office, resource, routeContext.messages);
      if (!resource.hasOwnCreation) registerCreate(routeContext);
    }
    registerHistory(routeContext);
    registerRead(routeContext);
    registerChange(routeContext);
    if (resource.isRemovable) registerRemove(routeContext);
  }
}

interface ResourceRouteContext {
  readonly office: ApiRoutes;
  readonly resource: Resource;
  readonly messages: ReturnType<typeof schemas.createResourceSchemas>;
}
type StoredResource = Parameters<typeof schemas.toResourceMessage>[1];

async function answerResource<Status extends 200 | 201>(
  c: Context<AppEnvironment>,
  resource: Resource,
  result: Result<StaffAnswer<StoredResource>, ResourceRefusal>,
  status: Status,
) {
  if (!result.ok) return toResourceErrorResponse(c, resource, result.error);
  setFreshTokenHeader(c, result.value.freshToken);
  return c.json(await toResourceResponse(c, resource, result.value.value), status);
}

function registerList({ office: { routes }, resource, messages }: ResourceRouteContext): void {
  const route = createRoute({
    method: "get",
    path: `/${resource.name}`,
    operationId: `list${schemas.toPascalCase(resource.name)}`,
    tags: [resource.tag],
    summary: `List ${resource.name.replaceAll("-", " ")}`,
    description: resource.about,
    security: officeSecurity,
    middleware: [dropEmptyParameters],
    request: { query: messages.query },
    responses: { 200: jsonContent(messages.list, "A page of the list"), ...officeFailureResponses.reading() },
  });
  routes.openapi(route, async (c) => {
    const query = c.req.valid("query");
    const listed = await listResources(toStaffRequest(c), resource, {
      text: query.q,
      filters: schemas.toResourceFilters(resource, query),
      after: query.after,
      pageSize: query.page_size,
      withOptions: query.options === "true",
    });
    if (!listed.ok) return toResourceErrorResponse(c, resource, listed.error);
    setFreshTokenHeader(c, listed.value.freshToken);
    const { resources, total, next, options } = listed.value.value;
    const decimals = await getCurrencyDecimals(c);
    const signed = await addSignedCalendarLinks(c.get("tenant"), resource, resources);
    const data = signed.map((storedRow) => schemas.toResourceMessage(resource, storedRow, decimals));
    return c.json({ data, total, next: next ?? null, ...(options && { options }) }, 200);
  });
}

function registerRead({ office: { routes }, resource, messages }: ResourceRouteContext): void {
  const route = createRoute({
    method: "get",
    path: getResourcePath(resource),
    operationId: `show${schemas.toPascalCase(resource.singular)}`,
    tags: [resource.tag],
    summary: `Retrieve ${nameWithArticle(resource)}`,
    security: officeSecurity,
    ...(!resource.isSingle && { request: { params: messages.params } }),
    responses: { 200: jsonContent(messages.answer, "The current state"), ...officeFailureResponses.reading(404) },
  });
  routes.openapi(route, async (c) =>
    answerResource(c, resource, await readResource(toStaffRequest(c), resource, getResourceId(c, resource)), 200),
  );
}

function registerHistory({ office: { routes }, resource, messages }: ResourceRouteContext): void {
  const route = createRoute({
    method: "get",
    path: `${getResourcePath(resource)}/history`,
    operationId: `show${schemas.toPascalCase(resource.singular)}History`,
    tags: [resource.tag],
    summary: `List changes of ${nameWithArticle(resource)}`,
    security: officeSecurity,
    ...(!resource.isSingle && { request: { params: messages.params } }),
    responses: { 200: jsonContent(messages.history, "Changes, latest first"), ...officeFailureResponses.reading(404) },
  });
  routes.openapi(route, async (c) => {
    const read = await readResourceHistory(toStaffRequest(c), resource, getResourceId(c, resource));
    if (!read.ok) return toResourceErrorResponse(c, resource, read.error);
    setFreshTokenHeader(c, read.value.freshToken);
    return c.json(schemas.toResourceHistoryMessage(read.value.value, await loadMessageFormat(c)), 200);
  });
}

function registerCreate({ office: { routes }, resource, messages }: ResourceRouteContext): void {
  const route = createRoute({
    method: "post",
    path: `/${resource.name}`,
    operationId: `create${schemas.toPascalCase(resource.singular)}`,
    ...(needsStepUp(resource) && declareStepUp("access")),
    tags: [resource.tag],
    summary: `Create ${nameWithArticle(resource)}`,
    security: officeSecurity,
    middleware: officeCreationMiddlewares,
    request: {
      headers: idempotencyHeaders,
      body: jsonRequest(messages.body, "The new entry", getResourceExamples(resource.name).created),
    },
    responses: {
      201: jsonContent(messages.answer, "The saved state"),
      ...officeFailureResponses.writing(404, 422),
      409: jsonContent(messages.conflict, CONFLICT),
    },
  });
  routes.openapi(route, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const input = c.req.valid("json");
    const isUser = resource.name === "users";
    return answerResource(
      c,
      resource,
      await (isUser ? createUser(write, input) : createResource(write, resource, input)),
      201,
    );
  });
}

function registerChange({ office: { routes }, resource, messages }: ResourceRouteContext): void {
  const route = createRoute({
    method: "patch",
    path: getResourcePath(resource),
    operationId: `change${schemas.toPascalCase(resource.singular)}`,
    ...(needsStepUp(resource) && declareStepUp("access")),
    tags: [resource.tag],
    summary: `Update ${nameWithArticle(resource)}`,
    security: officeSecurity,
    middleware: officeWriteMiddlewares,
    request: {
      ...(!resource.isSingle && { params: messages.params }),
      headers: idempotencyHeaders,
      body: jsonRequest(messages.change, "The changed fields", getResourceExamples(resource.name).changed),
    },
    responses: {
      200: jsonContent(messages.answer, "The saved state"),
      ...officeFailureResponses.writing(404, 422),
      409: jsonContent(messages.conflict, CONFLICT),
    },
  });
  routes.openapi(route, async (c) => {
    const { expected_version: expectedVersion, ...input } = c.req.valid("json");
    if (typeof expectedVersion !== "number" || !Number.isSafeInteger(expectedVersion) || expectedVersion < 1) {
      return toErrorResponse(c, createInvalidFieldsFailure([createProblem("expected_version", "version_required")]));
    }
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    return answerResource(
      c,
      resource,
      await updateResource(write, resource, { id: getResourceId(c, resource), expectedVersion, input }),
      200,
    );
  });
}

function registerRemove({ office: { routes }, resource, messages }: ResourceRouteContext): void {
  const route = createRoute({
    method: "delete",
    path: getResourcePath(resource),
    operationId: `remove${schemas.toPascalCase(resource.singular)}`,
    ...(needsStepUp(resource) && declareStepUp("access")),
    tags: [resource.tag],
    summary: `Remove ${nameWithArticle(resource)}`,
    description: "Refused if another entry refers to it",
    security: officeSecurity,
    middleware: [dropEmptyParameters],
    request: { params: messages.params, headers: idempotencyHeaders, query: schemas.resourceRemovalQuery },
    responses: {
      204: { description: "Deleted" },
      ...officeFailureResponses.reading(404, 422),
      409: jsonContent(messages.conflict, CONFLICT),
    },
  });
  routes.openapi(route, async (c) => {
    const { expected_version: expectedVersion } = c.req.valid("query");
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const removalResult = await removeUnreferencedResource(write, resource, {
      id: getResourceId(c, resource),
      expectedVersion,
    });
    if (!removalResult.ok) return toResourceErrorResponse(c, resource, removalResult.error);
    setFreshTokenHeader(c, removalResult.value.freshToken);
    return c.body(null, 204);
  });
}

function getResourcePath({ name, isSingle }: Resource): string {
  return isSingle ? `/${name}` : `/${name}/{id}`;
}

function getResourceId(c: Context<AppEnvironment>, resource: Resource): string {
  if (resource.isSingle) return SINGLE_ID;
  const id = c.req.param("id") ?? "";
  const isCapital = resource.fields.some(
    (field) => field.name === resource.key[0] && field.kind === "text" && field.form === "capitals",
  );
  return isCapital ? id.toUpperCase() : id;
}

// Adds the article to a resource's name: `a branch`, `an extra`, but `opening hours` without one.
function nameWithArticle({ singular }: Resource): string {
  const name = singular.replaceAll("_", " ");
  if (/(?:hours|settings)$/.test(name)) return name;
  return `${/^[aeio]/.test(name) ? "an" : "a"} ${name}`;
}
