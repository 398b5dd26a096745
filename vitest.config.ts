import { defineConfig, type TestProjectInlineConfiguration } from "vitest/config";
import { setV8Flags } from "./scripts/v8-flags.ts";
import { cheapPasswordsInNode } from "./test/support/bundled-worker.ts";

/** The tests' master key: 32 bytes in base64, the same in every run. */
const MASTER_KEY = Buffer.alloc(32, "test master key ").toString("base64");
process.env["MASTER_KEY"] = MASTER_KEY;
setV8Flags();

/** Where others have the machine, a password's hash alone takes seconds; what never comes fails after all. */
const PATIENCE = { testTimeout: 300_000, hookTimeout: 300_000, expect: { poll: { timeout: 120_000 } } };

/** Tests that take parts of the app's phone away, or begin with nothing on it. */
const ISOLATED_DEVICE_TESTS = ["entries", "moves", "two-vehicles", "work"].map((name) => `test/pwa/${name}.test.ts`);

/** The pool takes seconds to load: where only other projects are asked for, it is not. */
async function workerProjects(): Promise<TestProjectInlineConfiguration[]> {
  const projectArguments = process.argv.filter((argument) => argument.startsWith("--project"));
  if (projectArguments.length > 0 && !process.argv.some((argument) => /(^|=)worker$/.test(argument))) return [];
  const { workerProject } = await import("./test/support/worker-project.ts");
  return [workerProject(MASTER_KEY, PATIENCE)];
}

export default defineConfig({
  test: {
    maxWorkers: 2,
    // What is logged is shown where a test fails.
    silent: "passed-only",
    // The gate tries a few of many random cases; a release tries all.
    provide: { isThorough: process.env["FULL_TEST_RUN"] !== undefined },
    projects: [
      {
        test: {
          name: "domain",
          isolate: false,
          include: ["test/{domain,auth,gateways}/**/*.test.ts"],
          ...PATIENCE,
        },
      },
      {
        test: {
          name: "pwa",
          // A process and its modules cost more than most of these tests.
          isolate: false,
          include: ["test/pwa/**/*.test.ts"],
          exclude: ISOLATED_DEVICE_TESTS,
          ...PATIENCE,
        },
      },
      { test: { name: "pwa-alone", include: ISOLATED_DEVICE_TESTS, ...PATIENCE } },
      {
        test: {
          name: "browser",
          // As among the scripts: each file has a browser of its own, and needs no process of its own beside it.
          isolate: false,
          include: ["test/browser/**/*.test.ts"],
          globalSetup: ["test/browser/platform.ts"],
          ...PATIENCE,
          sequence: { groupOrder: 2 },
        },
      },
      // Slow proofs of whole lives, for `npm run check:release`.
      {
        test: {
          name: "release",
          include: ["test/release/*.test.ts"],
          globalSetup: ["test/support/demo-folder.ts"],
          ...PATIENCE,
        },
      },
      {
        test: {
          name: "release-browser",
          include: ["test/release/browser/*.test.ts"],
          globalSetup: ["test/browser/platform.ts"],
          ...PATIENCE,
          // A browser and a camera each: one file after the other.
          maxWorkers: 1,
          sequence: { groupOrder: 3 },
        },
      },
      {
        plugins: [cheapPasswordsInNode()],
        test: {
          name: "scripts",
          // A module is loaded once for all files: what they import weighs more than what they do.
          isolate: false,
          include: ["test/scripts/**/*.test.ts"],
          globalSetup: ["test/support/demo-folder.ts"],
          ...PATIENCE,
        },
      },
      ...(await workerProjects()),
    ],
  },
});
