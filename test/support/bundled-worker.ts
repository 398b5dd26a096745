import { createHash } from "node:crypto";
import { globSync } from "node:fs";
import { mkdir, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { join, relative, resolve } from "node:path";
import { build, type Plugin as EsbuildPlugin } from "esbuild";
import type { Plugin } from "vitest/config";

const root = resolve(import.meta.dirname, "../..");

const CACHE = "node_modules/.cache/tests";
/** Bundle files, named by the hash of their contents. */
export const BUNDLED_WORKERS = `${CACHE}/worker-*.js`;
/** Describes the newest bundle, so that the next run of a single file needs none. */
const NEWEST_BUNDLE = join(root, CACHE, "newest.json");
/** Another run may still load an older bundle. */
const MAX_BUNDLE_AGE_MS = 3_600_000;

// The printer is a separate Worker that no test imports.
const files = globSync("worker/**/*.ts", { cwd: root }).filter(
  (file) => !file.startsWith("worker/printer/") && file !== "worker/entry/printer.ts" && !file.endsWith(".d.ts"),
);

type Names = ReadonlyMap<string, readonly string[]>;

interface Bundle {
  /** Path below the root. */
  readonly path: string;
  readonly names: readonly (readonly [file: string, names: readonly string[]])[];
  /** Time and size of each bundled file. */
  readonly inputs: Readonly<Record<string, string>>;
}

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

async function readFingerprint(file: string): Promise<string> {
  const { mtimeMs, size } = await stat(join(root, file));
  return `${mtimeMs} ${size}`;
}

async function readFingerprints(inputs: readonly string[]): Promise<Record<string, string>> {
  return Object.fromEntries(
    await Promise.all(inputs.map(async (file) => [file, await readFingerprint(file)] as const)),
  );
}

/** Returns the newest bundle if neither a file of the Worker nor a package has changed since. */
async function readUnchangedBundle(): Promise<Bundle | undefined> {
  try {
    const newest: Bundle = JSON.parse(await readFile(NEWEST_BUNDLE, "utf8"));
    const fingerprints = await readFingerprints(Object.keys(newest.inputs));
    const isUnchanged =
      Object.entries(newest.inputs).every(([file, fingerprint]) => fingerprints[file] === fingerprint) &&
      files.every((file) => file in newest.inputs);
    return isUnchanged ? newest : undefined;
  } catch {
    return undefined;
  }
}

// Other processes may read and write at the same time.
async function writeWhole(path: string, contents: string): Promise<void> {
  const temporary = `${path}.${process.pid}`;
  await writeFile(temporary, contents);
  await rename(temporary, path);
}

async function removeOldBundles(): Promise<void> {
  for (const path of globSync(BUNDLED_WORKERS, { cwd: root }).map((file) => join(root, file))) {
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Date.now() }));
    if (Date.now() - mtimeMs > MAX_BUNDLE_AGE_MS) await rm(path, { force: true });
  }
}

/** Writes the bundle with names prefixed by file. */
async function bundle(): Promise<Bundle> {
  const names = await listNames();
  const contents = [...names].map(([file, ofFile]) => {
    const list = ofFile.map((name) => `${name} as ${inBundle(file, name)}`);
    return `export { ${list.join(", ")} } from "./${file}";`;
  });
  const { outputFiles, metafile } = await build({
    absWorkingDir: root,
    stdin: { contents: contents.join("\n"), resolveDir: root },
    bundle: true,
    write: false,
    metafile: true,
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
  const code = outputFiles[0]?.text ?? "";
  const path = `${CACHE}/worker-${createHash("sha256").update(code).digest("hex").slice(0, 16)}.js`;
  const sources = Object.keys(metafile.inputs).filter((file) => file !== "<stdin>");
  const options = [relative(root, import.meta.filename), "package.json", "package-lock.json", "tsconfig.json"];
  const inputs = await readFingerprints([...new Set([...files, ...sources, ...options])]);
  await mkdir(join(root, CACHE), { recursive: true });
  await writeWhole(join(root, path), code);
  const bundled: Bundle = { path, names: [...names], inputs };
  await writeWhole(NEWEST_BUNDLE, JSON.stringify(bundled));
  await removeOldBundles();
  return bundled;
}

async function readBundle(): Promise<{ readonly path: string; readonly names: Names }> {
  const { path, names } = (await readUnchangedBundle()) ?? (await bundle());
  return { path, names: new Map(names) };
}

/**
 * Provides the whole Worker to the tests' runtime as one module, because each runtime start would otherwise request
 * more than a thousand. Test imports of the Worker refer to this module. In watch mode, files stay separate modules.
 */
export function createBundledWorkerPlugin(): Plugin {
  let isWatching = false;
  let bundled: ReturnType<typeof readBundle> | undefined;
  return {
    name: "bundled-worker",
    enforce: "pre",
    configureVitest: ({ vitest }) => {
      isWatching = vitest.config.watch;
    },
    async load(id) {
      const file = relative(root, id.replace(/\?.*$/, ""));
      if (isWatching || !files.includes(file)) return undefined;
      bundled ??= readBundle();
      const { path, names } = await bundled;
      const list = names.get(file)?.map((name) => `${inBundle(file, name)} as ${name}`) ?? [];
      return `export { ${list.join(", ")} } from "/${path}";`;
    },
  };
}
