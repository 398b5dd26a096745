import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import * as zod from "zod";

test("what is bundled in place of zod exports all of it but the words of its languages, its inside and what it makes of JSON Schema", async () => {
  const file = pathToFileURL(`${import.meta.dirname}/../../worker/bundling/zod.js`).href;
  const bundled: Readonly<Record<string, unknown>> = await import(file);
  const { locales: _, core: __, fromJSONSchema: ___, toJSONSchema: ____, deepPartial: _____, ...expected } = zod;
  expect(Object.keys(bundled).toSorted()).toEqual(Object.keys(expected).toSorted());
  expect(bundled["object"]).toBe(zod.object);
});
