import { execFileSync } from "node:child_process";
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { readArchitectureAreas, replaceImportRules } from "#scripts/import-rules.ts";

interface Layer {
  /** Path prefix of the layer's files. */
  readonly files: string;
  readonly allowed: readonly string[];
  readonly refused: readonly string[];
}

const SQL = ["drizzle-orm", "drizzle-orm/d1"];
const WIRE = ["hono", "hono/factory", "@hono/zod-openapi"];
const STORE = "#worker/store/schema/bookings.ts";
const USE_CASE = "#worker/usecases/shared/with-retry.ts";
const MESSAGES = "#worker/api/ota/messages.ts";

/** The table of ARCHITECTURE.md. The longest matching prefix applies to a folder. */
const layers: readonly Layer[] = [
  { files: "worker", allowed: [], refused: [...SQL, "hono", STORE] },
  {
    files: "worker/entry",
    allowed: ["hono", "#worker/api/ota/routes.ts", "#worker/tenancy/accounts.ts"],
    refused: [...SQL, STORE],
  },
  {
    files: "worker/domain",
    allowed: ["./money.ts", "#domain/money.ts", "decimal.js"],
    refused: [
      ...SQL,
      ...WIRE,
      "zod",
      "node:crypto",
      "cloudflare:workers",
      STORE,
      MESSAGES,
      "../store/schema/bookings.ts",
    ],
  },
  {
    files: "worker/directory",
    allowed: ["#domain/money.ts", "#worker/auth/same-secret.ts", "#worker/store/failures.ts"],
    refused: [...SQL, ...WIRE, "zod", MESSAGES, USE_CASE, "#worker/tenancy/tenant.ts"],
  },
  {
    files: "worker/router",
    allowed: ["hono", "#worker/directory/placements.ts", "#worker/tenancy/bindings.ts"],
    refused: [...SQL, "zod", STORE, MESSAGES, USE_CASE],
  },
  {
    files: "worker/store",
    allowed: ["drizzle-orm", "drizzle-orm/sqlite-core", "@cloudflare/workers-types", "#domain/money.ts", STORE],
    refused: [...WIRE, "zod", MESSAGES, USE_CASE, "#worker/tenancy/tenant.ts", "#worker/auth/secret-encryption.ts"],
  },
  {
    files: "worker/usecases",
    allowed: ["#domain/money.ts", STORE, USE_CASE, "#worker/tenancy/tenant.ts", "#worker/auth/secret-encryption.ts"],
    refused: [...SQL, ...WIRE, "zod", MESSAGES, "#worker/site/check-in.ts", "#worker/development/mailbox-page.ts"],
  },
  {
    files: "worker/api",
    allowed: ["hono", "@hono/zod-openapi", "zod", "#domain/money.ts", MESSAGES, USE_CASE, "#worker/tenancy/tenant.ts"],
    refused: [
      ...SQL,
      STORE,
      "#worker/mail/reset-mail.ts",
      "#worker/gateways/redsys.ts",
      "#worker/carts/shopping-cart.ts",
    ],
  },
  {
    files: "worker/api/booking-engine/vehicles",
    allowed: ["hono", "#worker/api/booking-engine/shared/engine.ts", USE_CASE],
    refused: [...SQL, STORE, "#worker/api/booking-engine/transfers/cart-routes.ts"],
  },
  {
    files: "worker/api/booking-engine/transfers",
    allowed: ["hono", "#worker/api/booking-engine/shared/engine.ts", USE_CASE],
    refused: [...SQL, STORE, "#worker/api/booking-engine/vehicles/cart-routes.ts"],
  },
  {
    files: "worker/api/booking-engine/shared",
    allowed: ["hono", USE_CASE],
    refused: [...SQL, STORE, "#worker/api/booking-engine/vehicles/cart-routes.ts"],
  },
  {
    files: "worker/site",
    allowed: ["hono", "#worker/api/environment.ts", "#worker/usecases/operations/read-health.ts"],
    refused: [...SQL, STORE, "#worker/gateways/redsys.ts"],
  },
  {
    files: "worker/tenancy",
    allowed: ["#domain/result.ts", STORE],
    refused: [...SQL, ...WIRE, MESSAGES, USE_CASE, "fflate"],
  },
  {
    files: "worker/auth",
    allowed: [
      "jose",
      "otpauth",
      "@simplewebauthn/server",
      "@simplewebauthn/server/helpers",
      "node:crypto",
      "#domain/access/sessions.ts",
    ],
    refused: [...SQL, ...WIRE, STORE, USE_CASE, "#worker/tenancy/tenant.ts"],
  },
  {
    files: "worker/carts",
    allowed: ["cloudflare:workers", "#domain/bookings/carts.ts"],
    refused: [...SQL, ...WIRE, STORE, USE_CASE, "#worker/tenancy/tenant.ts"],
  },
  {
    files: "worker/imports",
    allowed: ["csv-parse/sync", "cloudflare:workers", STORE, USE_CASE, "#worker/tenancy/bindings.ts"],
    refused: [...SQL, ...WIRE, "zod", MESSAGES, "node:sqlite", "node:fs"],
  },
  { files: "worker/mail", allowed: ["#domain/catalogue/languages.ts"], refused: [...SQL, ...WIRE, STORE, USE_CASE] },
  {
    files: "worker/gateways",
    allowed: ["#domain/payments/gateway-notices.ts", "node:crypto"],
    refused: [...SQL, ...WIRE, "zod", "cloudflare:workers", STORE, USE_CASE],
  },
  {
    files: "worker/authorities",
    allowed: ["#domain/tax-records/records.ts", "fflate"],
    refused: [...SQL, ...WIRE, "zod", STORE, USE_CASE],
  },
  {
    files: "worker/printer",
    allowed: ["@cantoo/pdf-lib", "@cantoo/fontkit", "bidi-js", "#domain/printing/printout.ts"],
    refused: [...SQL, ...WIRE, "zod", STORE, USE_CASE, MESSAGES, "#worker/tenancy/tenant.ts"],
  },
  {
    files: "worker/printer/layout",
    allowed: ["#domain/printing/printout.ts"],
    refused: [...SQL, ...WIRE, "@cantoo/pdf-lib", "../pdf/draw.ts", STORE, USE_CASE],
  },
  { files: "worker/development", allowed: ["hono", USE_CASE, STORE], refused: SQL },
  {
    files: "pwa/check-in",
    allowed: ["preact", "idb", "#domain/money.ts", "#worker/api/check-in/day-messages.ts", "#shared/i18n.ts"],
    refused: [...SQL, ...WIRE, STORE, MESSAGES, "../../../../worker/store/bookings/stock.ts"],
  },
  {
    files: "pwa/office",
    allowed: [
      "preact",
      "#domain/money.ts",
      "#shared/i18n.ts",
      "#worker/api/office/vehicle-messages.ts",
      "#worker/api/office/resources/change-messages.ts",
      "#worker/api/customer-access/messages.ts",
    ],
    refused: [
      ...SQL,
      ...WIRE,
      STORE,
      MESSAGES,
      "zod",
      "#worker/api/office/vehicle-routes.ts",
      "../../check-in/src/main.tsx",
    ],
  },
  {
    files: "pwa/docs",
    allowed: ["marked", "#worker/api/customer-access/messages.ts"],
    refused: [...SQL, ...WIRE, STORE, "#domain/money.ts"],
  },
  {
    files: "pwa/widget",
    allowed: [
      "preact",
      "#shared/locale.ts",
      "#worker/api/booking-engine/vehicles/booking-messages.ts",
      "#worker/api/customer-access/messages.ts",
    ],
    refused: [...SQL, ...WIRE, STORE, MESSAGES, "zod", "#domain/money.ts", "#shared/i18n.ts"],
  },
  {
    files: "pwa/design",
    allowed: ["preact", "#office/texts.ts"],
    refused: [...SQL, ...WIRE, STORE, "#domain/money.ts"],
  },
  { files: "pwa/demo", allowed: ["preact"], refused: [...SQL, ...WIRE, STORE, "#domain/money.ts"] },
  {
    files: "pwa/shared",
    allowed: [
      "preact",
      "@preact/signals",
      "#domain/date-order.ts",
      "#domain/text-direction.ts",
      "#worker/api/customer-access/messages.ts",
    ],
    refused: [...SQL, ...WIRE, STORE, "#domain/money.ts"],
  },
];

const messages: Layer = {
  files: "worker/api/ota",
  allowed: ["zod", "#domain/money.ts", "#worker/api/primitives.ts", MESSAGES, "./booking-messages.ts"],
  refused: [...WIRE, ...SQL, STORE, USE_CASE, "#worker/api/ota/routes.ts", "./routes.ts"],
};

/** All code folders, and one without a rule. */
const folders = [
  ...new Set(
    ["worker", "pwa"]
      .flatMap((root) => readdirSync(root, { recursive: true, encoding: "utf8" }).map((path) => `${root}/${path}`))
      .filter((path) => /\.tsx?$/.test(path) && !/\/(dist|node_modules)\//.test(path))
      .map(dirname)
      .filter((folder) => folder !== "pwa"),
  ),
];

function getLayer(folder: string): Layer {
  const fitting = layers.filter(({ files }) => folder === files || folder.startsWith(`${files}/`));
  const [layer] = fitting.toSorted((layer, other) => other.files.length - layer.files.length);
  if (!layer) throw new Error(`${folder} has no layer: give it a rule in biome.json, and a row here`);
  return layer;
}

const impure: Readonly<Record<string, string>> = {
  Date: "export const now = new Date();",
  "Date.now": "export const now = Date.now();",
  crypto: "export const id = crypto.randomUUID();",
  fetch: 'export const answer = fetch("/");',
  globalThis: "export const now = globalThis.performance;",
  "Math.random": "export const random = Math.random();",
};

const folder = mkdtempSync(join(tmpdir(), "layers-"));
const findings = new Set<string>();
let fileCount = 0;

function write(pattern: string, source: string): string {
  fileCount += 1;
  const file = pattern.replace("*", `case-${fileCount}`);
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), source);
  return file;
}

function createImport(pattern: string, specifier: string) {
  return { specifier, file: write(pattern, `import { thing } from "${specifier}";\nexport const used = thing;\n`) };
}

const cases = folders.map((folder) => {
  const { allowed, refused } = getLayer(folder);
  const file = `${folder}/*.ts`;
  return {
    folder,
    allowed: allowed.map((specifier) => createImport(file, specifier)),
    refused: [...refused, "vitest", ...(folder.startsWith("worker") ? ["../../unknown/thing.ts"] : [])].map(
      (specifier) => createImport(file, specifier),
    ),
  };
});
const messageCases = {
  allowed: messages.allowed.map((specifier) => createImport("worker/api/ota/*-messages.ts", specifier)),
  refused: messages.refused.map((specifier) => createImport("worker/api/ota/*-messages.ts", specifier)),
};
const unownedFiles = ["worker/nobodys-folder/*.ts", "pwa/nobodys-folder/*.ts"].flatMap((file) =>
  ["#domain/money.ts", STORE, "hono", "preact"].map((specifier) => ({
    folder: dirname(file),
    ...createImport(file, specifier),
  })),
);
const impureCases = Object.entries(impure).map(([name, source]) => ({
  name,
  file: write("worker/domain/*.ts", source),
  outside: write("worker/auth/*.ts", source),
}));

const markdown = readFileSync("ARCHITECTURE.md", "utf8");
const areas = readArchitectureAreas(markdown);

/** For each layer and area, an import of the next area of the same layer. */
const areaCases = ["domain", "usecases", "store"].flatMap((layer) => {
  const alias = layer === "domain" ? "#domain" : `#worker/${layer}`;
  const existing = areas.filter((area) => existsSync(`worker/${layer}/${area}`));
  return existing.slice(0, -1).map((area, index) => ({
    folder: `worker/${layer}/${area}`,
    ...createImport(`worker/${layer}/${area}/*.ts`, `${alias}/${existing[index + 1]}/file.ts`),
  }));
});

const fetching = write("worker/gateways/*.ts", impure["fetch"] ?? "");

/** Runs the linter once over all cases and returns the rejected paths. */
function lint(): readonly string[] {
  const rules = ["style/noRestrictedImports", "style/noRestrictedGlobals", "nursery/noJsRestrictedProperties"];
  const args = ["lint", "--max-diagnostics=none", "--reporter=github", ...rules.map((rule) => `--only=${rule}`)];
  try {
    return [execFileSync(resolve("node_modules/.bin/biome"), args, { cwd: folder, encoding: "utf8", stdio: "pipe" })];
  } catch (error) {
    return [...String((error as { stdout?: unknown }).stdout).matchAll(/file=([^,]+)/g)].map(([, path = ""]) => path);
  }
}

beforeAll(() => {
  copyFileSync("biome.json", join(folder, "biome.json"));
  copyFileSync(".gitignore", join(folder, ".gitignore"));
  for (const path of lint()) {
    findings.add(resolve(folder, path));
  }
});

afterAll(() => rmSync(folder, { recursive: true }));

const isRefused = (file: string) => findings.has(join(folder, file));

test.each(cases)(
  "accepts in $folder the imports that ARCHITECTURE.md allows, and rejects others",
  ({ allowed, refused }) => {
    expect(allowed.filter(({ file }) => isRefused(file)).map(({ specifier }) => specifier)).toEqual([]);
    expect(refused.filter(({ file }) => !isRefused(file)).map(({ specifier }) => specifier)).toEqual([]);
  },
);

test("prevents message modules from importing routes and data access", () => {
  expect(messageCases.allowed.filter(({ file }) => isRefused(file)).map(({ specifier }) => specifier)).toEqual([]);
  expect(messageCases.refused.filter(({ file }) => !isRefused(file)).map(({ specifier }) => specifier)).toEqual([]);
});

test.each(unownedFiles)("rejects the import $specifier in a folder that has no layer rule yet: $folder", ({ file }) =>
  expect(isRefused(file)).toBe(true),
);

describe("the domain is pure", () => {
  test.each(impureCases)("rejects code of the domain that uses $name", ({ file }) =>
    expect(isRefused(file)).toBe(true),
  );
  test.each(impureCases)("accepts code outside of the domain that uses $name", ({ outside }) =>
    expect(isRefused(outside)).toBe(false),
  );
});

test("prevents a gateway's protocol from making network calls", () => expect(isRefused(fetching)).toBe(true));

describe("areas", () => {
  test.each(areaCases)("rejects the import $specifier in $folder", ({ file }) => {
    expect(isRefused(file)).toBe(true);
  });

  test("lists every folder of the layers as an area", () => {
    const folders = ["domain", "usecases", "store"].flatMap((layer) =>
      readdirSync(`worker/${layer}`, { withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map(({ name }) => name),
    );
    expect([...new Set(folders)].filter((name) => !areas.includes(name))).toEqual([]);
  });
});

test("contains the import rules of ARCHITECTURE.md in biome.json", () => {
  const biome = readFileSync("biome.json", "utf8");
  expect(JSON.parse(replaceImportRules(biome, markdown))).toEqual(JSON.parse(biome));
});
