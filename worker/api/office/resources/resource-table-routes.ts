import { createRoute } from "@hono/zod-openapi";
import type { Resource } from "#domain/catalogue/resources/resource.ts";
import { ok } from "#domain/result.ts";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { answerOfficeRefusal } from "#worker/api/office/errors.ts";
import { officeSecurity } from "#worker/api/office/office-api.ts";
import { createTableResponses, OPERATION_ID_SUFFIXES, TABLE_FORMATS } from "#worker/api/office/table-files.ts";
import { answerRowsAsTableFile } from "#worker/api/office/table-routes.ts";
import { toStaffRequest } from "#worker/api/signed-in.ts";
import { declareStepUp } from "#worker/api/step-up.ts";
import { listResources } from "#worker/usecases/catalogue/resources/read-resources.ts";
import { exportList } from "#worker/usecases/operations/export-list.ts";
import { toResourceErrorResponse } from "./resource-errors.ts";
import { type createResourceSchemas, toPascalCase, toResourceFilters, toResourceMessage } from "./resource-messages.ts";
import { createResourceColumns, createResourceTableQuery } from "./resource-table-messages.ts";

/** Registers the table of a resource's list as CSV and as workbook. */
export function registerResourceTable(
  { routes }: ApiRoutes,
  resource: Resource,
  messages: ReturnType<typeof createResourceSchemas>,
): void {
  const { name, tag } = resource;
  const query = createResourceTableQuery(messages);
  for (const format of TABLE_FORMATS) {
    const route = createRoute({
      method: "get",
      path: `/${name}.${format}`,
      operationId: `export${toPascalCase(name)}${OPERATION_ID_SUFFIXES[format]}`,
      ...declareStepUp("people"),
      tags: [tag],
      summary: `Export ${name.replaceAll("-", " ")} as a table`,
      security: officeSecurity,
      middleware: [dropEmptyParameters],
      request: { query },
      responses: createTableResponses(format),
    });
    routes.openapi(route, async (c) => {
      const { decimal_mark: mark, ...filters } = c.req.valid("query");
      const listed = await exportList(toStaffRequest(c), name, async (page) => {
        const search = { text: filters.q, filters: toResourceFilters(resource, filters), withOptions: false, ...page };
        const read = await listResources(toStaffRequest(c), resource, search);
        if (!read.ok) return read;
        const { resources: rows, next } = read.value.value;
        return ok({ ...read.value, value: { rows, next } });
      });
      if (!listed.ok)
        return listed.error.kind === "invalid"
          ? answerOfficeRefusal(c, listed.error)
          : toResourceErrorResponse(c, resource, listed.error);
      const fromRow = (row: Parameters<typeof toResourceMessage>[1], { decimals }: { readonly decimals: number }) => ({
        ...toResourceMessage(resource, row, decimals),
      });
      const columns = createResourceColumns(resource);
      return answerRowsAsTableFile(c, listed.value, { name, format, mark, columns, fromRow });
    });
  }
}
