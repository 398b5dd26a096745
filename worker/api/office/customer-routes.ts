import { createRoute } from "@hono/zod-openapi";
import type { Context } from "hono";
import type { Result } from "#domain/result.ts";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { AppEnvironment } from "#worker/api/environment.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { toStaffRequest } from "#worker/api/signed-in.ts";
import { declareStepUp } from "#worker/api/step-up.ts";
import { recordMarketingConsent } from "#worker/usecases/access/marketing-consent.ts";
import {
  changeCustomer,
  createCustomer,
  listOfficeCustomers,
  mergeCustomer,
  previewCustomerMerge,
  readOfficeCustomer,
} from "#worker/usecases/access/office-customers.ts";
import type { CustomerAnswer, OfficeRefusal } from "#worker/usecases/office/office-context.ts";
import type { StaffAnswer } from "#worker/usecases/office/read-as-staff.ts";
import { readRetention } from "#worker/usecases/operations/read-retention.ts";
import { eraseCustomer, exportCustomerData } from "#worker/usecases/privacy/personal-data.ts";
import { answerOffice, createPageMapper } from "./answers.ts";
import * as messages from "./customer-messages.ts";
import {
  idempotencyHeaders,
  officeCreationMiddlewares,
  officeFailureResponses,
  officeSecurity,
  officeWriteMiddlewares,
  toOfficeWrite,
} from "./office-api.ts";
import { dataRetentionAnswer, toRetentionMessage } from "./retention-messages.ts";
import { toSortedQuery } from "./sort-messages.ts";

const TAGS = ["Customers"];
const changed = {
  200: jsonContent(messages.customerAnswer, "The customer as it is now"),
  ...officeFailureResponses.writing(404, 422),
  409: jsonContent(messages.customerConflictAnswer, "Conflict with the current state. See `code`"),
};

const listRoute = createRoute({
  method: "get",
  path: "/customers",
  operationId: "listOfficeCustomers",
  tags: TAGS,
  summary: "List customers, latest first",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { query: messages.officeCustomersQuery },
  responses: { 200: jsonContent(messages.customerList, "A page of the list"), ...officeFailureResponses.reading() },
});

const readRoute = createRoute({
  method: "get",
  path: "/customers/{id}",
  operationId: "showCustomer",
  tags: TAGS,
  summary: "Retrieve a customer with its history",
  security: officeSecurity,
  request: { params: messages.customerParams },
  responses: { 200: jsonContent(messages.customerAnswer, "The customer"), ...officeFailureResponses.reading(404) },
});

const historyRoute = createRoute({
  method: "get",
  path: "/customers/{id}/history",
  operationId: "showCustomerHistory",
  tags: TAGS,
  summary: "List changes of a customer",
  security: officeSecurity,
  request: { params: messages.customerParams },
  responses: {
    200: jsonContent(messages.customerHistoryAnswer, "Changes, latest first"),
    ...officeFailureResponses.reading(404),
  },
});

const createCustomerRoute = createRoute({
  method: "post",
  path: "/customers",
  operationId: "createCustomer",
  tags: TAGS,
  summary: "Create a customer",
  security: officeSecurity,
  middleware: officeCreationMiddlewares,
  request: {
    headers: idempotencyHeaders,
    body: jsonRequest(messages.customerBody, "Who", {
      name: "Joan",
      surname: "Pons Vidal",
      document_id: "41000017Z",
      email: "joan.pons@example.com",
      address_street: "Carrer Nou",
      address_number: "3",
      address_city: "Inca",
      address_country: "ES",
    }),
  },
  responses: {
    ...changed,
    201: changed[200],
    409: jsonContent(messages.customerDuplicateAnswer, "Other customers have the same document, email or phone number"),
  },
});

const changeRoute = createRoute({
  method: "patch",
  path: "/customers/{id}",
  operationId: "changeCustomer",
  tags: TAGS,
  summary: "Update a customer",
  security: officeSecurity,
  middleware: officeWriteMiddlewares,
  request: {
    params: messages.customerParams,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.customerChangeBody, "What changes", { expected_version: 1, address_zip: "07300" }),
  },
  responses: changed,
});

const mergeRoute = createRoute({
  method: "post",
  path: "/customers/{id}/merge",
  operationId: "mergeCustomer",
  ...declareStepUp("access"),
  tags: TAGS,
  summary: "Merge two customers",
  security: officeSecurity,
  middleware: officeCreationMiddlewares,
  request: {
    params: messages.customerParams,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.customerMergeBody, "Into whom, and why", {
      into: 2,
      reason: "the same person",
      take: ["email"],
    }),
  },
  responses: changed,
});

const mergePreviewRoute = createRoute({
  method: "get",
  path: "/customers/{id}/merge",
  operationId: "previewCustomerMerge",
  tags: TAGS,
  summary: "Show what a merge moves",
  security: officeSecurity,
  request: { params: messages.customerParams },
  responses: {
    200: jsonContent(messages.customerMergePreviewAnswer, "Number of entries that would move"),
    ...officeFailureResponses.reading(404),
  },
});

const exportRoute = createRoute({
  method: "get",
  path: "/customers/{id}/export",
  operationId: "exportCustomer",
  ...declareStepUp("people"),
  tags: TAGS,
  summary: "Export a person's data",
  security: officeSecurity,
  request: { params: messages.customerParams },
  responses: { 200: jsonContent(messages.personalDataAnswer, "The customer"), ...officeFailureResponses.reading(404) },
});

const eraseRoute = createRoute({
  method: "post",
  path: "/customers/{id}/erase",
  operationId: "eraseCustomer",
  ...declareStepUp("access"),
  tags: TAGS,
  summary: "Erase a person",
  security: officeSecurity,
  middleware: officeCreationMiddlewares,
  request: {
    params: messages.customerParams,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.customerErasureBody, "Why", { reason: "asked for by the customer" }),
  },
  responses: changed,
});

const consentRoute = createRoute({
  method: "post",
  path: "/customers/{id}/consent",
  operationId: "sayMarketingConsent",
  tags: TAGS,
  summary: "Record marketing consent",
  security: officeSecurity,
  middleware: officeCreationMiddlewares,
  request: {
    params: messages.customerParams,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.marketingConsentBody, "Consent and how it was given", {
      expected_version: 1,
      consents: true,
      door: "desk",
    }),
  },
  responses: changed,
});

const retentionRoute = createRoute({
  method: "get",
  path: "/retention",
  operationId: "showRetention",
  tags: TAGS,
  summary: "List retention periods and deletions",
  security: officeSecurity,
  responses: { 200: jsonContent(dataRetentionAnswer, "The periods"), ...officeFailureResponses.reading() },
});

const answerCustomer = (c: Context<AppEnvironment>, result: Result<StaffAnswer<CustomerAnswer>, OfficeRefusal>) =>
  answerOffice(c, result, messages.toOfficeCustomerMessage, 200);

/** Registers the routes of customers and of the retention periods for personal data. */
export function registerCustomerRoutes({ routes }: ApiRoutes): void {
  routes.openapi(retentionRoute, async (c) =>
    answerOffice(c, await readRetention(toStaffRequest(c)), toRetentionMessage, 200),
  );
  routes.openapi(listRoute, async (c) => {
    const query = c.req.valid("query");
    const listed = await listOfficeCustomers(toStaffRequest(c), {
      ...messages.toCustomerFilter(query),
      ...toSortedQuery(query),
      pageSize: query.page_size,
    });
    return answerOffice(c, listed, createPageMapper(messages.toCustomerListRowMessage), 200);
  });
  routes.openapi(readRoute, async (c) =>
    answerCustomer(c, await readOfficeCustomer(toStaffRequest(c), c.req.valid("param").id)),
  );
  routes.openapi(historyRoute, async (c) => {
    const read = await readOfficeCustomer(toStaffRequest(c), c.req.valid("param").id);
    return answerOffice(
      c,
      read,
      (customerAnswer, writes) => ({ data: messages.toOfficeCustomerMessage(customerAnswer, writes).history }),
      200,
    );
  });
  routes.openapi(createCustomerRoute, async (c) => {
    const { name, confirm_new: isNewConfirmed = false, ...fields } = c.req.valid("json");
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const newCustomer = { ...messages.toCustomerChange(fields), name };
    const createdCustomer = await createCustomer(write, newCustomer, isNewConfirmed);
    return answerOffice(c, createdCustomer, messages.toOfficeCustomerMessage, 201);
  });
  routes.openapi(changeRoute, async (c) => {
    const { expected_version: expectedVersion, name, ...said } = c.req.valid("json");
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const change = { ...messages.toCustomerChange(said), ...(name !== undefined && { name }) };
    return answerCustomer(c, await changeCustomer(write, c.req.valid("param").id, { expectedVersion, change }));
  });
  routes.openapi(consentRoute, async (c) => {
    const { expected_version: expectedVersion, consents: hasConsented, door: source } = c.req.valid("json");
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const consentResult = await recordMarketingConsent(write, c.req.valid("param").id, {
      expectedVersion,
      consent: { isGiven: hasConsented, source },
    });
    return answerCustomer(c, consentResult);
  });
  routes.openapi(exportRoute, async (c) => {
    const exported = await exportCustomerData(toStaffRequest(c), c.req.valid("param").id);
    return answerOffice(c, exported, messages.toPersonalDataMessage, 200);
  });
  routes.openapi(eraseRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    return answerCustomer(c, await eraseCustomer(write, c.req.valid("param").id, c.req.valid("json").reason));
  });
  routes.openapi(mergePreviewRoute, async (c) => {
    const preview = await previewCustomerMerge(toStaffRequest(c), c.req.valid("param").id);
    return answerOffice(c, preview, messages.toCustomerMergePreviewMessage, 200);
  });
  routes.openapi(mergeRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const merge = messages.toCustomerMerge(c.req.valid("json"));
    return answerCustomer(c, await mergeCustomer(write, c.req.valid("param").id, merge));
  });
}
