import { globSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { build, type Plugin as EsbuildPlugin } from "esbuild";
import type { Plugin } from "vitest/config";

const root = resolve(import.meta.dirname, "../..");

/** Bundle file of this process. */
export const BUNDLED_WORKER = `node_modules/.cache/tests/worker-${process.pid}.js`;

// The printer is a separate Worker that no test imports.
const files = globSync("worker/**/*.ts", { cwd: root }).filter(
  (file) => !file.startsWith("worker/printer/") && file !== "worker/entry/printer.ts" && !file.endsWith(".d.ts"),
);

type Names = ReadonlyMap<string, readonly string[]>;

/** Lists the exported names of each file, without types. */
async function listNames(): Promise<Names> {
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: files,
    outdir: "names",
    outbase: ".",
    write: false,
    metafile: true,
    format: "esm",
  });
  return new Map(
    Object.values(metafile.outputs).flatMap(({ entryPoint, exports }) =>
      entryPoint === undefined ? [] : [[entryPoint, exports] as const],
    ),
  );
}

// Realistic password hashing is only tested in test/auth. Elsewhere hundreds of sign-ins would take 200 ms each.
const PASSWORD_COST = /worker\/auth\/password-cost\.ts$/;
const CHEAP = "export const CURRENT_SCRYPT_PARAMETERS = { ln: 4, r: 1, p: 1 };";

/** Plugin for Workers built by esbuild. */
export const weakenPasswordHashes: EsbuildPlugin = {
  name: "cheap-passwords",
  setup: ({ onLoad }) => {
    onLoad({ filter: PASSWORD_COST }, () => ({ contents: CHEAP }));
  },
};

/** Plugin for tests in plain Node. */
export function weakenPasswordHashesInNode(): Plugin {
  return { name: "cheap-passwords", enforce: "pre", load: (id) => (PASSWORD_COST.test(id) ? CHEAP : undefined) };
}

const inBundle = (file: string, name: string) => `${file.replace(/\W/g, "_")}_${name}`;

/** Writes the bundle with names prefixed by file. Returns the names of each file. */
async function bundle(): Promise<Names> {
  const names = await listNames();
  const contents = [...names].map(([file, ofFile]) => {
    const list = ofFile.map((name) => `${name} as ${inBundle(file, name)}`);
    return `export { ${list.join(", ")} } from "./${file}";`;
  });
  process.once("exit", () => rmSync(join(root, BUNDLED_WORKER), { force: true }));
  await build({
    absWorkingDir: root,
    stdin: { contents: contents.join("\n"), resolveDir: root },
    outfile: BUNDLED_WORKER,
    bundle: true,
    format: "esm",
    target: "es2024",
    conditions: ["workerd", "worker", "browser"],
    external: ["cloudflare:*", "node:*"],
    // As in wrangler.toml and development builds.
    alias: { zod: "./worker/bundling/zod.js" },
    define: { DEVELOPMENT_BUILD: "true" },
    keepNames: true,
    plugins: [weakenPasswordHashes],
  });
  return names;
}

/**
 * Provides the whole Worker to the tests' runtime as one module, because each runtime start would otherwise request
 * more than a thousand. Test imports of the Worker refer to this module. In watch mode, files stay separate modules.
 */
export function createBundledWorkerPlugin(): Plugin {
  let isWatching = false;
  let bundled: Promise<Names> | undefined;
  return {
    name: "bundled-worker",
    enforce: "pre",
    configureVitest: ({ vitest }) => {
      isWatching = vitest.config.watch;
    },
    async load(id) {
      const file = relative(root, id.replace(/\?.*$/, ""));
      if (isWatching || !files.includes(file)) return undefined;
      bundled ??= bundle();
      const list = (await bundled).get(file)?.map((name) => `${inBundle(file, name)} as ${name}`) ?? [];
      return `export { ${list.join(", ")} } from "/${BUNDLED_WORKER}";`;
    },
  };
}
