import { getSlotBindingName } from "#worker/tenancy/bindings.ts";
import { toOfficeEnvironment } from "../wrangler-toml.ts";

/** A database without a company yet. */
export interface SpareDatabase {
  readonly slot: number;
  readonly databaseName: string;
  readonly databaseId: string;
  readonly jurisdiction: "eu" | "us" | undefined;
}

/** Returns the configuration with further databases, in the front and the office Worker. */
export function addSpareDatabases(toml: string, environment: string, spares: readonly SpareDatabase[]): string {
  const blocks = [environment, toOfficeEnvironment(environment)].flatMap((env) =>
    spares.map(
      ({ slot, databaseName, databaseId, jurisdiction }) => `[[env.${env}.d1_databases]]
binding = "${getSlotBindingName(slot, jurisdiction)}"
database_name = "${databaseName}"
database_id = "${databaseId}"
migrations_dir = "migrations"
`,
    ),
  );
  return `${toml.trimEnd()}\n\n${blocks.join("\n")}`;
}

/** Returns the configuration with the directory's id. */
export function setDirectoryDatabaseId(toml: string, environment: string, databaseId: string): string {
  const pattern = new RegExp(
    `(\\[\\[env\\.${environment}(?:-office)?\\.d1_databases\\]\\]\\nbinding = "DIRECTORY"\\ndatabase_name = "[^"]*"\\ndatabase_id = ")[^"]*`,
    "g",
  );
  return toml.replace(pattern, `$1${databaseId}`);
}

/**
 * Returns the configuration of a further cell, made from the first one's: its own Workers, databases and queues, the
 * same directory, buckets, printer and carts, and no routes.
 */
export function toFurtherCellConfig(toml: string, environment: string, cell: string): string {
  const office = toOfficeEnvironment(environment);
  const ownDatabases = new RegExp(
    `\\[\\[env\\.${environment}(?:-office)?\\.d1_databases\\]\\]\\nbinding = "(?:(?:EU|US)_)?DB_\\d{4}"\\n(?:\\w+ = .*\\n)+\\n?`,
    "g",
  );
  const workerNamePattern = new RegExp(`"rental-platform-${environment}(-office)?"`, "g");
  return toRoutedCellConfig(toml, environment)
    .replace(ownDatabases, "")
    .replaceAll(workerNamePattern, `"rental-platform-${environment}-${cell}$1"`)
    .replaceAll(new RegExp(`"rental-${environment}-jobs(-dead)?"`, "g"), `"rental-${environment}-${cell}-jobs$1"`)
    .replaceAll(
      new RegExp(`(\\[env\\.(?:${environment}|${office})\\.vars\\]\\n(?:(?!\\[)[^\\n]*\\n)*?CELL = ")01"`, "g"),
      `$1${cell}"`,
    );
}

/** Returns a cell's configuration behind a router: with the carts of all cells, and without routes. */
export function toRoutedCellConfig(toml: string, environment: string): string {
  const carts = `[[env.${environment}.durable_objects.bindings]]\nname = "SHOPPING_CARTS"\nclass_name = "ShoppingCart"\n`;
  const routes = new RegExp(
    `(\\[env\\.${environment}\\]\\n(?:(?!\\[)[^\\n]*\\n)*?)(?:#[^\\n]*\\n)*routes = \\[\\n(?:  [^\\n]*\\n)*\\]\\n`,
  );
  const shared = `${carts}script_name = "rental-platform-carts-${environment}"\n`;
  return toml.replace(shared, carts).replace(carts, shared).replace(routes, "$1");
}

/** Returns the configuration of the Worker with the carts of all cells. It takes over those of the first cell. */
export function createCartsConfig(environment: string): string {
  return `# Live carts of all cells (decision 0073).
name = "rental-platform-carts-${environment}"
main = "worker/entry/carts.ts"
compatibility_date = "2026-08-15"
workers_dev = false
preview_urls = false

[[durable_objects.bindings]]
name = "SHOPPING_CARTS"
class_name = "ShoppingCart"

[[migrations]]
tag = "v1"

[[migrations.transferred_classes]]
from = "ShoppingCart"
from_script = "rental-platform-${environment}"
to = "ShoppingCart"
`;
}

interface RouterTerms {
  readonly environment: string;
  readonly baseDomain: string;
  readonly zone: string;
  readonly directoryId: string;
  readonly cells: readonly string[];
  /** Whether the router has the domain's routes. Cloudflare refuses a Worker whose routes belong to another Worker. */
  readonly hasRoutes: boolean;
}

/** Lists the patterns of the domain's routes. */
export const listRoutePatterns = (baseDomain: string): readonly string[] => [
  `*.${baseDomain}/*`,
  `${baseDomain}/healthz*`,
  `${baseDomain}/operator/*`,
];

/** Returns the router's configuration with the routes of the domain. Unchanged if it has them. */
export function addRoutes(toml: string, baseDomain: string, zone: string): string {
  if (/^routes = /m.test(toml)) return toml;
  const routes = listRoutePatterns(baseDomain).map(
    (pattern) => `  { pattern = "${pattern}", zone_name = "${zone}" },\n`,
  );
  return toml.replace(/^preview_urls = false\n/m, `preview_urls = false\nroutes = [\n${routes.join("")}]\n`);
}

/** Returns the configuration of the router: the routes of the domain, the directory, and a service for each cell. */
export function createRouterConfig(terms: RouterTerms): string {
  const { environment, baseDomain, zone, directoryId, cells, hasRoutes } = terms;
  const services = cells.map((cell) => {
    const suffix = cell === "01" ? "" : `-${cell}`;
    return `[[services]]\nbinding = "CELL_${cell}"\nservice = "rental-platform-${environment}${suffix}"\n`;
  });
  const config = `# Router in front of the cells (decision 0073). Written by npm run cells.
# Zone: ${zone}
name = "rental-platform-router-${environment}"
main = "worker/entry/router.ts"
compatibility_date = "2026-08-15"
minify = true
workers_dev = false
preview_urls = false

[vars]
BASE_DOMAIN = "${baseDomain}"

[secrets]
required = ["ROUTER_KEY"]

[limits]
cpu_ms = 5000

[observability]
enabled = true

[observability.logs]
enabled = true
invocation_logs = false

[[d1_databases]]
binding = "DIRECTORY"
database_name = "rental-${environment}-directory"
database_id = "${directoryId}"
migrations_dir = "directory"

[[ratelimits]]
name = "IP_RATE_LIMITER"
namespace_id = "2001"
simple = { limit = 30, period = 60 }

${services.join("\n")}`;
  return hasRoutes ? addRoutes(config, baseDomain, zone) : config;
}
