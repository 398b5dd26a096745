import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { build, type Plugin } from "esbuild";
import { PROJECT_ROOT } from "#scripts/processes.ts";
import { weakenPasswordHashes } from "#support/bundled-worker.ts";
import type { CartClass } from "./cart-objects.ts";

/** The Worker in memory from start to end, without persistent state. */
export interface LoadedWorker {
  readonly fetch: (request: Request, env: unknown, context: unknown) => Response | Promise<Response>;
  readonly scheduled: (
    event: { readonly cron: string; readonly scheduledTime: number },
    env: unknown,
    context: unknown,
  ) => Promise<void>;
  readonly Cart: CartClass;
}

/** Simulated time and randomness. */
export interface WorkerEnvironment {
  readonly now: () => number;
  readonly random: () => number;
  readonly setTimeout: (act: () => void, milliseconds: number) => void;
  readonly getRandomValues: <T extends Uint8Array>(into: T) => T;
  readonly randomUUID: () => string;
  readonly subtle: SubtleCrypto;
  /** Receives log lines. */
  readonly log: (line: string) => void;
}

/** Builds the Worker once, with simulated time and randomness. Each `load` starts it again. */
export async function buildWorker(folder: string) {
  const { outputFiles } = await build({
    absWorkingDir: PROJECT_ROOT,
    entryPoints: ["worker/entry/office.ts"],
    bundle: true,
    write: false,
    format: "cjs",
    platform: "node",
    conditions: ["workerd", "worker", "browser"],
    define: {
      DEVELOPMENT_BUILD: "false",
      "Date.now": "nature.now",
      "Math.random": "nature.random",
      setTimeout: "nature.setTimeout",
      "crypto.getRandomValues": "nature.getRandomValues",
      "crypto.randomUUID": "nature.randomUUID",
      "crypto.subtle": "nature.subtle",
    },
    banner: {
      js: "const nature = globalThis.simulatedNature;\nconst console = { log: nature.log, error: nature.log, warn: nature.log };",
    },
    plugins: [withoutRuntime, weakenPasswordHashes],
  });
  const file = join(folder, "worker.cjs");
  await writeFile(file, outputFiles[0]?.text ?? "");
  return {
    load: async (nature: WorkerEnvironment): Promise<LoadedWorker> => {
      Object.assign(globalThis, { simulatedNature: nature });
      // Clear the module cache, so that each Worker starts with empty memory.
      const require = createRequire(import.meta.url);
      delete require.cache[file];
      const { default: handler, ShoppingCart } = require(file);
      return { fetch: handler.fetch, scheduled: handler.scheduled, Cart: ShoppingCart };
    },
  };
}

// Hashes passwords synchronously, because in another thread virtual time would advance.
const SYNC_HASH_SOURCE = `import { scryptSync } from "node:crypto";
export * from "node:crypto";
export const scrypt = (...values) => values.pop()(null, scryptSync(...values));`;

/** Replaces runtime modules. The Durable Object class is empty, because the simulation provides the storage. */
const withoutRuntime: Plugin = {
  name: "without-runtime",
  setup: ({ onResolve, onLoad }) => {
    onResolve({ filter: /^cloudflare:/ }, ({ path }) => ({ path, namespace: "runtime" }));
    onLoad({ filter: /.*/, namespace: "runtime" }, () => ({
      contents: "export class DurableObject { constructor(ctx, env) { this.ctx = ctx; this.env = env; } }",
    }));
    onResolve({ filter: /^node:crypto$/ }, ({ path, namespace }) =>
      namespace === "crypto" ? { path, external: true } : { path, namespace: "crypto" },
    );
    onLoad({ filter: /.*/, namespace: "crypto" }, () => ({ contents: SYNC_HASH_SOURCE }));
  },
};
