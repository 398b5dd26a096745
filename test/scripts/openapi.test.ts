import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { openApiDocuments, openApiText } from "#scripts/openapi.ts";

test.each(Object.entries(openApiDocuments))(
  "docs/openapi/%s.json is what the routes say (npm run generate)",
  (name, describe) => {
    expect(readFileSync(`docs/openapi/${name}.json`, "utf8")).toBe(openApiText(describe()));
  },
);

test("the agency interface has its five operations, each with the document's parameters", () => {
  const text = openApiText(openApiDocuments["ota"]?.() ?? {});
  const { paths } = JSON.parse(text);
  expect(Object.keys(paths).sort()).toEqual(["/availability", "/booking", "/cancel-booking", "/location-list"]);
  expect(Object.keys(paths["/booking"]).sort()).toEqual(["get", "post"]);
  expect(paths["/availability"].get.parameters.map((parameter: { name: string }) => parameter.name)).toEqual([
    "date-from",
    "time-from",
    "pickup-place",
    "date-to",
    "time-to",
    "return-place",
    "customer-language",
    "sales-chanel-code",
    "driver-age",
  ]);
});
