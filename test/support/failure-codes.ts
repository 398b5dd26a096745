import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { failures } from "#worker/api/failure.ts";

/** A top-level declaration of a module. */
interface Declaration {
  readonly file: string;
  readonly text: string;
}

interface Module {
  readonly declarations: ReadonlyMap<string, Declaration>;
  /** Module and exported name of each imported name. */
  readonly imports: ReadonlyMap<string, readonly [file: string, name: string]>;
}

const modules = new Map<string, Module>();

function loadModule(file: string): Module {
  const known = modules.get(file);
  if (known) return known;
  const text = readFileSync(file, "utf8").replaceAll(/\/\*[\s\S]*?\*\/|^\s*\/\/.*$/gm, "");
  const loaded = { declarations: readDeclarations(file, text), imports: readImports(file, text) };
  modules.set(file, loaded);
  return loaded;
}

function readImports(file: string, text: string): Module["imports"] {
  const imports = new Map<string, readonly [string, string]>();
  for (const [, clause = "", specifier = ""] of text.matchAll(/^import \{([^}]*)\} from "([^"]+)";$/gm)) {
    const path = resolveModule(file, specifier);
    for (const [, exported = "", alias = exported] of clause.matchAll(/\b(?!type )(\w+)(?: as (\w+))?/g))
      if (path) imports.set(alias, [path, exported]);
  }
  return imports;
}

function resolveModule(file: string, specifier: string): string | undefined {
  const path = specifier.startsWith(".") ? join(dirname(file), specifier) : specifier.replace("#worker/", "worker/");
  return path.startsWith("worker/api/") ? path : undefined;
}

const DECLARED = "(?:export )?(?:async )?(?:function|const|let|class)";

function readDeclarations(file: string, text: string): Module["declarations"] {
  const body = text.replaceAll(/^import [^;]*;$/gm, "");
  const parts = body.split(new RegExp(`^(?=${DECLARED} |\\w+\\.\\w+\\()`, "m"));
  const declarations = parts.map((part, index) => {
    const [, name = `statement ${index}`] = new RegExp(`^${DECLARED} (\\w+)`).exec(part) ?? [];
    return [name, { file, text: part }] as const;
  });
  return new Map(declarations);
}

/**
 * Lists the codes of the refusals that are written in the modules of some folders, and in what these use of
 * `worker/api`.
 */
export function listFailureCodesInSource(folders: readonly string[]): ReadonlySet<string> {
  const files = folders.flatMap((folder) => globSync(`${folder}/**/*.ts`));
  const reached = new Set(files.flatMap((file) => [...loadModule(file).declarations.values()]));
  // The set grows while it is read, so what new declarations use is read too.
  for (const declaration of reached) for (const used of listUsed(declaration)) reached.add(used);
  return new Set([...reached].flatMap(({ text }) => [...listLiterals(text), ...listMembers(text)]));
}

// `failures` is one declaration with all common failures: its members are counted where they are named.
function listUsed({ file, text }: Declaration): readonly Declaration[] {
  const { declarations, imports } = loadModule(file);
  const words = text.replaceAll(/"(?:\\.|[^"\\\n])*"/g, "").matchAll(/(?<!\w)(?<!(?<!\.)\.)[a-zA-Z]\w*/g);
  const names = new Set([...words].map(([word]) => word).filter((word) => word !== "failures"));
  return [...names].flatMap((name) => {
    const [path, exported] = declarations.has(name) ? [file, name] : (imports.get(name) ?? [file, name]);
    return loadModule(path).declarations.get(exported) ?? [];
  });
}

const CODE =
  /(?:\bcode: |\bcode = |\b(?:conflict|fieldConflict)\(\s*|\bnamedReservations\()(?:[^\n]*? \? )?"(CRBOOK002|[a-z_]+)"(?: : "([a-z_]+)")?/g;

/** Codes of a schema's issues and of a message, which aren't refusals. */
const OTHER_CODES: ReadonlySet<string> = new Set(["custom", "missing"]);

function listLiterals(text: string): readonly string[] {
  const literals = [...text.matchAll(CODE)].flatMap(([, code = "", otherwise = ""]) => [code, otherwise]);
  return literals.filter((code) => code !== "" && !OTHER_CODES.has(code));
}

// A declaration names a common failure as a member, or by its kind where it looks it up.
function listMembers(text: string): readonly string[] {
  if (!/\bfailures\b/.test(text)) return [];
  return Object.entries(failures).flatMap(([name, { code }]) =>
    new RegExp(`\\bfailures\\.${name}\\b|"${name}"`).test(text) ? [code] : [],
  );
}
