import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { moveDatesAroundToday } from "#docs/src/call.ts";
import { PROJECT_ROOT } from "#scripts/processes.ts";
import { writeLocalhostResolvers } from "#support/localhost-lookup.ts";

const run = promisify(execFile);
const bin = join(PROJECT_ROOT, "node_modules");
let folder: string;

beforeAll(async () => {
  // Inside the project, so that the client's imports resolve.
  await mkdir(join(PROJECT_ROOT, ".wrangler"), { recursive: true });
  folder = await mkdtemp(join(PROJECT_ROOT, ".wrangler/client-"));
});

afterAll(() => rm(folder, { recursive: true, force: true }));

/** Reads code from the page by file name, so that the published code is tested. */
async function readSource(file: string): Promise<string> {
  const page = await readFile(join(PROJECT_ROOT, "pwa/docs/content/clients.md"), "utf8");
  const [, code = ""] = new RegExp(`\`${file}\`:\n\n\`\`\`ts\n([\\s\\S]*?)\`\`\``).exec(page) ?? [];
  return code;
}

// The generator requires TypeScript 5's API, which another package bundles.
const OTHER_TYPESCRIPT = `import { registerHooks } from "node:module";
const other = import.meta.resolve("@ts-morph/common/dist/typescript.js");
registerHooks({ resolve: (name, context, next) => next(name === "typescript" ? other : name, context) });
`;

// Proves "API documentation pages": A client generated from the document books with our signature
test("generates a TypeScript client from the OpenAPI document that compiles and books with a signature", async () => {
  const { node } = await writeLocalhostResolvers(folder);
  await writeFile(join(folder, "other-typescript.mjs"), OTHER_TYPESCRIPT);
  const generator = join(bin, "openapi-typescript/bin/cli.js");
  const document = join(PROJECT_ROOT, "docs/openapi/ota.json");
  await run(process.execPath, [
    ...["--import", join(folder, "other-typescript.mjs"), generator, document, "-o", join(folder, "ota.d.ts")],
  ]);
  for (const file of ["client.ts", "book.ts"]) await writeFile(join(folder, file), await readSource(file));
  const compilerOptions = {
    ...{ target: "ES2024", lib: ["ES2024", "DOM"], module: "ESNext", moduleResolution: "bundler", strict: true },
    ...{ noEmit: true, allowImportingTsExtensions: true, types: ["node"] },
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions, include: ["*.ts"] }));
  const compiled = await run(join(bin, ".bin/tsc"), ["--project", folder]).catch((error: { stdout: string }) => error);
  expect(compiled.stdout).toBe("");

  const day = (date: string) => moveDatesAroundToday(date, new Date().toISOString().slice(0, 10));
  const env = {
    ...process.env,
    RENTAL_ORIGIN: `http://acme.localhost:${inject("port")}`,
    RENTAL_KEY: "acme-agency",
    RENTAL_SECRET: "acme-agency-secret",
  };
  const book = () =>
    run(process.execPath, ["--import", node, "book.ts", day("2030-06-10"), day("2030-06-13"), "CLIENT-1"], {
      cwd: folder,
      env,
    });
  const { stdout } = await book();
  expect(stdout).toMatch(/^reserved \d+ \d+\.\d\d\n$/);
  // The same reference returns the same booking.
  expect((await book()).stdout).toBe(stdout);
  env.RENTAL_SECRET = "another";
  const refused = await book().catch((error: { stderr: string }) => error);
  expect(refused).toMatchObject({ stderr: expect.stringContaining('Error: 401 {"success":false') });
});
