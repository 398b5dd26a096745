import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const pages = readdirSync("pwa", { recursive: true, encoding: "utf8" }).filter(
  (path) => /\.tsx?$/.test(path) && !/\b(dist|node_modules)\b/.test(path),
);

// A schema in a bundle would load zod in the browser.
test("imports only types from the Worker's modules into pages", () => {
  const imports = pages.flatMap((path) =>
    [...readFileSync(`pwa/${path}`, "utf8").matchAll(/^(?:import|export)\b[^;]*?from "#worker\/[^"]+";/gm)].map(
      ([statement]) => ({ path, statement }),
    ),
  );
  expect(imports.length).toBeGreaterThan(50);
  expect(imports.filter(({ statement }) => !/^(?:import|export) type\b/.test(statement))).toEqual([]);
});
