import { execFileSync } from "node:child_process";
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

interface Case {
  /** The file that imports; `*` stands for a name of its own per case. */
  readonly file: string;
  readonly allowed: readonly string[];
  readonly refused: readonly string[];
}

const layers: readonly Case[] = [
  {
    file: "worker/domain/*.ts",
    allowed: ["./money.ts", "#domain/money.ts", "#worker/domain/money.ts", "decimal.js"],
    refused: [
      "zod",
      "hono",
      "drizzle-orm/d1",
      "node:crypto",
      "cloudflare:workers",
      "../store/schema.ts",
      "./../store/schema.ts",
      "#worker/store/schema.ts",
      "#worker/api/ota/messages.ts",
    ],
  },
  {
    file: "worker/api/*/messages.ts",
    allowed: ["zod", "#domain/money.ts", "../../domain/money.ts", "../primitives.ts", "../ota/messages.ts"],
    refused: [
      "hono",
      "@hono/zod-openapi",
      "drizzle-orm",
      "../../store/stock.ts",
      "#worker/store/bookings/stock.ts",
      "./routes.ts",
    ],
  },
  {
    file: "worker/api/*/routes.ts",
    allowed: [
      "hono",
      "@hono/zod-openapi",
      "./messages.ts",
      "./errors.ts",
      "../interface.ts",
      "#worker/usecases/quote.ts",
    ],
    refused: [
      "drizzle-orm",
      "drizzle-orm/d1",
      "../../store/stock.ts",
      "#worker/store/bookings/stock.ts",
      "#worker/mail/send.ts",
    ],
  },
  {
    file: "worker/store/*.ts",
    allowed: [
      "drizzle-orm",
      "drizzle-orm/d1",
      "#domain/money.ts",
      "../domain/money.ts",
      "./schema.ts",
      "./schema/fleet.ts",
    ],
    refused: ["hono", "hono/http-exception", "@hono/zod-openapi", "../api/primitives.ts", "#worker/api/primitives.ts"],
  },
  {
    file: "worker/store/schema/*.ts",
    allowed: ["../stock.ts", "../../domain/money.ts"],
    refused: ["../../api/primitives.ts", "../../usecases/quote.ts"],
  },
  {
    file: "worker/gateways/*.ts",
    allowed: ["./protocol.ts", "#domain/settlement.ts", "node:crypto"],
    refused: ["hono", "drizzle-orm", "zod", "cloudflare:workers", "../store/payments.ts", "#worker/usecases/quote.ts"],
  },
  {
    file: "worker/usecases/*.ts",
    allowed: [
      "#domain/money.ts",
      "../store/stock.ts",
      "#worker/tenancy/tenant.ts",
      "../gateways/redsys.ts",
      "./quote.ts",
    ],
    refused: ["hono", "@hono/zod-openapi", "drizzle-orm", "../api/ota/messages.ts", "#worker/api/ota/messages.ts"],
  },
  {
    file: "worker/tenancy/*.ts",
    allowed: ["hono", "#domain/result.ts", "../store/settings.ts"],
    refused: ["../api/interface.ts", "#worker/api/interface.ts", "../usecases/quote.ts", "#worker/usecases/quote.ts"],
  },
  {
    file: "pwa/src/screens/*/index.tsx",
    allowed: ["preact", "idb", "../../state/day.ts", "#domain/money.ts", "#worker/api/check-in/day-messages.ts"],
    refused: [
      "hono",
      "drizzle-orm",
      "#worker/store/bookings/stock.ts",
      "../../../../worker/store/bookings/stock.ts",
      "#worker/api/ota/messages.ts",
    ],
  },
];

const impure: Readonly<Record<string, string>> = {
  Date: "export const now = new Date();",
  "Date.now": "export const now = Date.now();",
  crypto: "export const id = crypto.randomUUID();",
  fetch: 'export const answer = fetch("/");',
  globalThis: "export const now = globalThis.performance;",
  "Math.random": "export const luck = Math.random();",
};

const folder = mkdtempSync(join(tmpdir(), "layers-"));
const findings = new Set<string>();
let written = 0;

function write(pattern: string, source: string): string {
  written += 1;
  const file = pattern.replace("*", `case-${written}`);
  mkdirSync(dirname(join(folder, file)), { recursive: true });
  writeFileSync(join(folder, file), source);
  return file;
}

function importing(pattern: string, specifier: string) {
  return { specifier, file: write(pattern, `import { thing } from "${specifier}";\nexport const used = thing;\n`) };
}

const cases = layers.map(({ file, allowed, refused }) => ({
  file,
  allowed: allowed.map((specifier) => importing(file, specifier)),
  refused: refused.map((specifier) => importing(file, specifier)),
}));
const impureCases = Object.entries(impure).map(([name, source]) => ({
  name,
  file: write("worker/domain/*.ts", source),
  outside: write("worker/auth/*.ts", source),
}));

const fetching = write("worker/gateways/*.ts", impure["fetch"] ?? "");

/** One run of the linter over every case: the paths of the files it refuses. */
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

describe.each(cases)("$file", ({ allowed, refused }) => {
  test.each(allowed)("may import $specifier", ({ file }) => expect(isRefused(file)).toBe(false));
  test.each(refused)("never imports $specifier", ({ file }) => expect(isRefused(file)).toBe(true));
});

describe("the domain is pure", () => {
  test.each(impureCases)("never uses $name", ({ file }) => expect(isRefused(file)).toBe(true));
  test.each(impureCases)("leaves $name to the other folders", ({ outside }) => expect(isRefused(outside)).toBe(false));
});

test("a gateway's protocol reaches nothing by itself", () => expect(isRefused(fetching)).toBe(true));
