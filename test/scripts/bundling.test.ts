import { pathToFileURL } from "node:url";
import { build } from "esbuild";
import { expect, test } from "vitest";
import * as zod from "zod";
import { PROJECT_ROOT } from "#scripts/processes.ts";
import { readWranglerConfig } from "#scripts/wrangler-toml.ts";

test("exports everything of zod from its bundled replacement, except locales, internals and JSON Schema output", async () => {
  const file = pathToFileURL(`${import.meta.dirname}/../../worker/bundling/zod.js`).href;
  const bundled: Readonly<Record<string, unknown>> = await import(file);
  const { locales: _, core: __, fromJSONSchema: ___, toJSONSchema: ____, deepPartial: _____, ...expected } = zod;
  expect(Object.keys(bundled).toSorted()).toEqual(Object.keys(expected).toSorted());
  expect(bundled["object"]).toBe(zod.object);
});

test("keeps only the class name Sequence, which the certificate library needs, in the minified bundle", async () => {
  const { alias = {}, minify = false, keep_names: keepNames = true } = readWranglerConfig();
  const { outputFiles } = await build({
    stdin: {
      contents:
        "import { Sequence } from 'asn1js'; class Reservation {} export const sequence = new Sequence(), other = new Reservation();",
      resolveDir: PROJECT_ROOT,
    },
    alias: { asn1js: alias["asn1js"] ?? "asn1js" },
    absWorkingDir: PROJECT_ROOT,
    bundle: true,
    format: "esm",
    minify,
    keepNames,
    write: false,
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString("base64");
  const { sequence, other } = await import(`data:text/javascript;base64,${code}`);
  expect(sequence.constructor.name).toBe("Sequence");
  expect(other.constructor.name).not.toBe("Reservation");
});
