import { createRoute } from "@hono/zod-openapi";
import type { z } from "zod";
import type { Catalogue } from "#domain/catalogue/catalogue.ts";
import {
  engineFailureResponses,
  engineSecurity,
  readCatalogueAndVisitor,
} from "#worker/api/booking-engine/shared/engine.ts";
import { engineQuery, translateText, type Visitor } from "#worker/api/booking-engine/shared/messages.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent } from "#worker/api/openapi.ts";
import { createRevalidationMiddleware, notModifiedResponse } from "#worker/api/revalidated.ts";
import * as catalogues from "./catalogue-messages.ts";
import * as forms from "./form-messages.ts";

interface List<Answer extends z.ZodType> {
  readonly path: string;
  readonly operationId: string;
  readonly tag: "Catalogue" | "Forms";
  readonly summary: string;
  readonly answer: Answer;
  readonly list: (catalogue: Catalogue, visitor: Visitor) => z.output<Answer>;
}

/** Registers the routes of lists that only depend on the catalogue and the visitor's language. */
export function registerFormChoiceRoutes(engine: ApiRoutes): void {
  registerList(engine, {
    path: "/families",
    operationId: "listFamilies",
    tag: "Catalogue",
    summary: "List families of categories",
    answer: catalogues.familiesAnswer,
    list: ({ families }, visitor) => catalogues.toFamilyTree(families, visitor),
  });
  registerList(engine, {
    path: "/rental-locations",
    operationId: "listRentalLocations",
    tag: "Catalogue",
    summary: "List branches",
    answer: catalogues.engineBranchesAnswer,
    list: ({ branches }, visitor) =>
      [...branches.values()].map(({ code, names, name }) => ({
        code,
        name: translateText(visitor, names ?? {}, name),
      })),
  });
  registerList(engine, {
    path: "/driver-age-rules",
    operationId: "listDriverAgeRules",
    tag: "Catalogue",
    summary: "List driver age rules",
    answer: catalogues.driverAgeRulesAnswer,
    list: ({ driverAgeRules }, visitor) =>
      driverAgeRules.map((rule) => catalogues.toDriverAgeRuleMessage(rule, visitor)),
  });
  registerList(engine, {
    path: "/nacionalities", // sic
    operationId: "listNationalities",
    tag: "Forms",
    summary: "List nationalities",
    answer: forms.countriesAnswer,
    list: (_, visitor) => forms.listNationalities(visitor),
  });
  registerList(engine, {
    path: "/document-types",
    operationId: "listDocumentTypes",
    tag: "Forms",
    summary: "List types of identity documents",
    answer: forms.labelledChoicesAnswer,
    list: (_, visitor) => forms.listDocumentTypes(visitor),
  });
  registerList(engine, {
    path: "/license-types",
    operationId: "listLicenseTypes",
    tag: "Forms",
    summary: "List types of driving licences",
    answer: forms.labelledChoicesAnswer,
    list: () => forms.listLicenceClasses(),
  });
}

function registerList<Answer extends z.ZodType>({ routes }: ApiRoutes, list: List<Answer>): void {
  const { path, operationId, tag, summary, answer } = list;
  const route = createRoute({
    method: "get",
    path,
    operationId,
    tags: [tag],
    summary,
    security: engineSecurity,
    // Form choices are the same for every account.
    middleware: [
      createRevalidationMiddleware(tag === "Forms" ? { isPublic: true, maxAgeSeconds: 3600 } : { isPublic: false }),
    ],
    request: { query: engineQuery },
    responses: { ...notModifiedResponse, 200: jsonContent(answer, "The list"), ...engineFailureResponses.reading() },
  });
  routes.openapi(route, async (c) => {
    const { catalogue, visitor } = await readCatalogueAndVisitor(c);
    return c.json(list.list(catalogue, visitor), 200);
  });
}
