import { readFileSync } from "node:fs";
import { ZXING_WASM_VERSION } from "barcode-detector/ponyfill";
import { expect, test } from "vitest";
import { countSevereVulnerabilities } from "#scripts/count-vulnerabilities.ts";

interface Locked {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly license?: string;
  readonly optional?: boolean;
}

const { packages } = JSON.parse(readFileSync("package-lock.json", "utf8")) as {
  readonly packages: Readonly<Record<string, Locked>>;
};
const locked = Object.entries(packages).filter(([path]) => path !== "");

// Proves "security.md": A67
test("locks every installed package with its hash and the registry as its only source", () => {
  // Some registries lack builds for other systems. npm then omits their hashes and doesn't install them.
  const loose = locked.filter(([, { integrity, optional }]) => !integrity?.startsWith("sha512-") && !optional);
  expect(loose.map(([path]) => path)).toEqual([]);
  const hosts = new Set(locked.flatMap(([, { resolved }]) => (resolved ? [new URL(resolved).host] : [])));
  expect([...hosts].filter((host) => host !== "registry.npmjs.org")).toEqual([]);
});

test("pins each direct dependency to one exact version", () => {
  const { dependencies, devDependencies } = JSON.parse(readFileSync("package.json", "utf8"));
  const versions = Object.values({ ...dependencies, ...devDependencies }).map(String);
  expect(versions.filter((version) => !/^\d+\.\d+\.\d+/.test(version))).toEqual([]);
});

test("uses the version of the WebAssembly code scanner that the check-in app bundles", () => {
  expect(packages["node_modules/zxing-wasm"]?.version).toBe(ZXING_WASM_VERSION);
});

/** Licences permitted in a product with unpublished source. Others need approval first. */
const LICENCES =
  /^\(?(MIT|MIT-0|ISC|0BSD|BSD-2-Clause|BSD-3-Clause|Apache-2\.0|CC0-1\.0|CC-BY-4\.0|BlueOak-1\.0\.0|Python-2\.0|Unlicense|MPL-2\.0|Zlib|WTFPL|LGPL-3\.0-or-later|PSF-2\.0)(?![\w.])/;

// Proves "security.md": V21
test("has an accepted licence for every package", () => {
  const others = locked.filter(([, { license = "none" }]) => !LICENCES.test(license));
  expect(others.map(([path, { license }]) => `${path}: ${license}`)).toEqual([]);
});

test.each([
  ['{"metadata":{"vulnerabilities":{"low":3,"high":1,"critical":2}}}', 3],
  ['npm warn something\n{"metadata":{"vulnerabilities":{"low":3,"high":0,"critical":0}}}\n', 0],
  ['{"message":"request to https://registry.example failed","error":{}}', undefined],
  ["npm error network", undefined],
  ["", undefined],
])("counts the severe vulnerabilities in the npm audit output %j as %s", (output, expected) => {
  expect(countSevereVulnerabilities(output)).toBe(expected);
});
