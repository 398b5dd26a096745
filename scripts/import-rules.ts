import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { PROJECT_ROOT, runCommand } from "./processes.ts";

const ARCHITECTURE = join(PROJECT_ROOT, "ARCHITECTURE.md");
const BIOME = join(PROJECT_ROOT, "biome.json");
const LAYERS = ["domain", "usecases", "store"] as const;
const OWN_FOLDER = ["**", "!./**", "./../**"];

interface Pattern {
  readonly group: readonly string[];
  readonly message: string;
}

interface Override {
  readonly includes: readonly string[];
  readonly linter?: { readonly rules: { readonly style?: Readonly<Record<string, unknown>> } };
}

interface Row {
  readonly files: string;
  readonly allowed: readonly string[];
  readonly never: readonly string[];
  readonly reason: string;
}

/** Returns the rows of the import table in ARCHITECTURE.md. */
export function readImportTable(markdown: string): readonly Row[] {
  return readTable(markdown, "import rules").map(([files = "", allowed = "", never = "", reason = ""]) => ({
    files: readCodes(files)[0] ?? "",
    allowed: readCodes(allowed),
    never: readCodes(never),
    reason,
  }));
}

/** Returns the areas of ARCHITECTURE.md in their order. An area may import earlier areas of its layer. */
export function readArchitectureAreas(markdown: string): readonly string[] {
  return readTable(markdown, "areas").map(([area = ""]) => readCodes(area)[0] ?? "");
}

function readTable(markdown: string, name: string): readonly (readonly string[])[] {
  const [, section = ""] = markdown.split(`<!-- ${name} -->`);
  const lines = section.split("\n").filter((line) => line.startsWith("|"));
  return lines.slice(2).map((line) =>
    line
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}

const readCodes = (cell: string) => [...cell.matchAll(/`([^`]+)`/g)].map(([, code]) => String(code));

/** Returns the lint rules of all folders, most general first, because a later rule replaces an earlier one. */
export function createImportRules(markdown: string): readonly Override[] {
  const rows = readImportTable(markdown);
  const apps = rows.map(({ files }) => /^pwa\/([\w-]+)\/\*\*$/.exec(files)?.[1]).filter((app) => app !== undefined);
  const rules = rows.map((row) => toOverride(row.files, listPatterns(row, apps)));
  const areas = readArchitectureAreas(markdown);
  const areaRules = LAYERS.flatMap((layer) => {
    const row = rows.find(({ files }) => files === `worker/${layer}/**`);
    const existing = areas.filter((area) => existsSync(join(PROJECT_ROOT, "worker", layer, area)));
    const toRule = (area: string, layerRow: Row) => listAreaPatterns(layerRow, layer, area, existing);
    return row ? existing.map((area) => toOverride(`worker/${layer}/${area}/**`, toRule(area, row))) : [];
  });
  const lastLayer = rows.findIndex(({ files }) => files === "worker/usecases/**");
  return [...rules.slice(0, lastLayer + 1), ...areaRules, ...rules.slice(lastLayer + 1)];
}

function listPatterns({ files, allowed, never, reason }: Row, apps: readonly string[]): readonly Pattern[] {
  const isMessages = files.endsWith("messages.ts");
  const own = isMessages ? ["**"] : OWN_FOLDER;
  const app = /^pwa\/([\w-]+)\//.exec(files)?.[1];
  const messages = allowed.filter((path) => path.endsWith("messages.ts"));
  const others = apps.filter((name) => name !== app).map((name) => `**/../${name}/**`);
  const closed = app ? ["**/worker/**", ...others, ...messages.map((path) => `!${path}`)] : [];
  const group = [...own, ...allowed.map((path) => `!${path}`), ...closed];
  const more = never.length > 0 ? [{ group: [...never], message: reason }] : [];
  return [{ group, message: reason }, ...more];
}

function listAreaPatterns(row: Row, layer: string, area: string, areas: readonly string[]): readonly Pattern[] {
  const later = areas.slice(areas.indexOf(area) + 1);
  const alias = layer === "domain" ? "#domain" : `#worker/${layer}`;
  if (later.length === 0) return listPatterns(row, []);
  const group = later.map((name) => `${alias}/${name}/**`);
  const message = `${area} comes before this area in the order of ARCHITECTURE.md.`;
  return [...listPatterns(row, []), { group, message }];
}

function toOverride(files: string, patterns: readonly Pattern[]): Override {
  const noRestrictedImports = { level: "error", options: { patterns } };
  return { includes: [files], linter: { rules: { style: { noRestrictedImports } } } };
}

/** Returns the text of biome.json with the import rules of ARCHITECTURE.md in place of the present ones. */
export function replaceImportRules(biome: string, markdown: string): string {
  const config = JSON.parse(biome) as { overrides: readonly Override[] };
  const other = config.overrides.filter(({ linter }) => linter?.rules.style?.["noRestrictedImports"] === undefined);
  return `${JSON.stringify({ ...config, overrides: [...other, ...createImportRules(markdown)] }, null, 2)}\n`;
}

if (import.meta.main) {
  const present = readFileSync(BIOME, "utf8");
  const config = replaceImportRules(present, readFileSync(ARCHITECTURE, "utf8"));
  if (!isDeepStrictEqual(JSON.parse(config), JSON.parse(present))) writeFileSync(BIOME, config);
  await runCommand("biome", ["format", "--write", BIOME]);
}
