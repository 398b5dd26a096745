import { globSync, rmSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { build, type Plugin as EsbuildPlugin } from "esbuild";
import type { Plugin } from "vitest/config";

const root = resolve(import.meta.dirname, "../..");

/** The file of the bundle, of this process alone. */
export const BUNDLED_WORKER = `node_modules/.cache/tests/worker-${process.pid}.js`;

// The printer is a Worker of its own, and no test imports it.
const files = globSync("worker/**/*.ts", { cwd: root }).filter(
  (file) => !file.startsWith("worker/printer/") && !file.endsWith(".d.ts"),
);

type Names = ReadonlyMap<string, readonly string[]>;

/** The names that each file exports; types have gone. */
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

// What a password costs is tried where passwords are (test/auth): elsewhere hundreds sign in, a fifth of a second each.
const PASSWORD_COST = /worker\/auth\/password-cost\.ts$/;
const CHEAP = "export const CURRENT = { ln: 4, r: 1, p: 1 };";

/** For a Worker that esbuild builds. */
export const cheapPasswords: EsbuildPlugin = {
  name: "cheap-passwords",
  setup: ({ onLoad }) => {
    onLoad({ filter: PASSWORD_COST }, () => ({ contents: CHEAP }));
  },
};

/** The same for tests in plain Node. */
export function cheapPasswordsInNode(): Plugin {
  return { name: "cheap-passwords", enforce: "pre", load: (id) => (PASSWORD_COST.test(id) ? CHEAP : undefined) };
}

const inBundle = (file: string, name: string) => `${file.replace(/\W/g, "_")}_${name}`;

/** Writes the bundle, in which each name stands with its file's; answers the names of each file. */
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
    // As wrangler.toml says, and as development builds have it.
    alias: { zod: "./worker/bundling/zod.js" },
    define: { DEVELOPMENT_BUILD: "true" },
    keepNames: true,
    plugins: [cheapPasswords],
  });
  return names;
}

/**
 * Gives the tests' runtime the whole Worker as one module: file by file, each start of a runtime asks for more than a
 * thousand. What a test imports of the Worker is that module's. Where files change while tests are watched, they stay
 * modules of their own.
 */
export function bundledWorker(): Plugin {
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
