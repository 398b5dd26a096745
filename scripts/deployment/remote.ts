import { lookup } from "node:dns/promises";
import { parseJsonOutput, readCommandOutput } from "../processes.ts";
import type { WranglerConfig } from "../wrangler-toml.ts";
import { type ConfigIssue, createGraveIssue, createSlightIssue, hasDirectory } from "./configuration.ts";
import { findSlotNumber, listDirectorySlots } from "./directory-slots.ts";
import { type DeployedWorker, type DeploymentConfig, listWorkers } from "./workers.ts";

/**
 * Finds what is missing on Cloudflare compared with wrangler.toml: sign-in, secrets, buckets, databases and DNS names.
 */
export async function findRemoteProblems(
  configured: DeploymentConfig,
  address?: string,
): Promise<readonly ConfigIssue[]> {
  const workers = listWorkers(configured);
  const front = workers.find(({ role }) => role === "front");
  const whoami = front && (await readCommandOutput(front.wrangler("whoami", "--json")));
  if (!front || whoami === undefined)
    return [
      createGraveIssue("wrangler is signed in nowhere", "npx wrangler login, or the variable CLOUDFLARE_API_TOKEN"),
    ];
  const undecided = findUndecidedAccount(configured, whoami);
  if (undecided) return [undecided];
  const remoteIssues = await Promise.all([
    ...workers.filter(({ role }) => role !== "printer").map(checkSecrets),
    bucketsAt(configured, front),
    databasesAt(configured, front),
    address === undefined ? checkDomainNames(configured) : [],
  ]);
  return remoteIssues.flat();
}

// Returns a problem if several Cloudflare accounts are possible, because commands can't ask which one is meant.
function findUndecidedAccount({ front }: DeploymentConfig, whoami: string): ConfigIssue | undefined {
  const accounts =
    parseJsonOutput<{ readonly accounts?: readonly { id: string; name: string }[] }>(whoami)?.accounts ?? [];
  if (accounts.length < 2 || process.env["CLOUDFLARE_ACCOUNT_ID"] || front.account_id) return undefined;
  const listed = accounts.map(({ id, name }) => `${id} (${name})`).join(", ");
  return createGraveIssue(
    `wrangler is signed in to ${accounts.length} accounts`,
    `export CLOUDFLARE_ACCOUNT_ID=<one of ${listed}>`,
  );
}

async function checkSecrets({ role, name, environment, wrangler }: DeployedWorker): Promise<readonly ConfigIssue[]> {
  const listed = await readCommandOutput(wrangler("secret", "list", "--format", "json"));
  const has = (secret: string) =>
    parseJsonOutput<readonly { name: string }[]>(listed)?.some((item) => item.name === secret);
  const areMissing = !has("MASTER_KEY") || !has(role === "front" ? "MONITOR_KEY" : "OPERATOR_KEY");
  // `secret put` is refused after a rollback, and `versions secret put` before the first deployment.
  const isDeployed = areMissing && (await readCommandOutput(wrangler("deployments", "status", "--json"))) !== undefined;
  const formatSecretCommand = (secret: string) =>
    `npx wrangler ${isDeployed ? "versions secret" : "secret"} put ${secret} --env ${environment}`;
  const masterKey = createGraveIssue(`${name} has no MASTER_KEY`, `${formatSecretCommand("MASTER_KEY")} < master.key`);
  const monitorKey = createSlightIssue(
    `${name} has no MONITOR_KEY`,
    `without it nobody reads healthz?deep: ${formatSecretCommand("MONITOR_KEY")}`,
  );
  const operatorKey = createSlightIssue(
    `${name} has no OPERATOR_KEY`,
    `import, backup and restore with --remote need it: ${formatSecretCommand("OPERATOR_KEY")}`,
  );
  return [
    ...(has("MASTER_KEY") ? [] : [masterKey]),
    // Only the front Worker answers health checks.
    ...(role !== "front" || has("MONITOR_KEY") ? [] : [monitorKey]),
    // Only the office Worker answers the operator.
    ...(role !== "office" || has("OPERATOR_KEY") ? [] : [operatorKey]),
  ];
}

async function bucketsAt(
  { front, office }: DeploymentConfig,
  { wrangler }: DeployedWorker,
): Promise<readonly ConfigIssue[]> {
  const listed = await readCommandOutput(wrangler("r2", "bucket", "list"));
  if (listed === undefined) return [createGraveIssue("R2 does not answer", "R2 is switched on in the dashboard")];
  const required = new Map(
    [...front.r2_buckets, ...office.r2_buckets].map(({ bucket_name = "", jurisdiction }) => [
      bucket_name,
      jurisdiction,
    ]),
  );
  const issues: ConfigIssue[] = [];
  for (const [name, jurisdiction] of required) {
    const place = jurisdiction === undefined ? [] : ["--jurisdiction", jurisdiction];
    // Ask for each bucket. The bucket list has only its first page, and omits buckets in a jurisdiction.
    if ((await readCommandOutput(wrangler("r2", "bucket", "info", name, ...place))) === undefined)
      issues.push(
        createGraveIssue(`there is no bucket ${name}`, ["npx wrangler r2 bucket create", name, ...place].join(" ")),
      );
  }
  return issues;
}

// The directory knows the databases that its cells have migrated. Listing all databases of the Cloudflare account would
// take a call of the API for every ten.
async function databasesAt(
  { environment, front }: DeploymentConfig,
  { wrangler }: DeployedWorker,
): Promise<readonly ConfigIssue[]> {
  if (!hasDirectory(front)) return findMissingAccountDatabases(front, wrangler);
  const isMissing = async ({ database_name = "" }: BoundDatabase) =>
    (await readCommandOutput(wrangler("d1", "info", database_name, "--json"))) === undefined;
  const describeMissing = ({ database_name }: BoundDatabase) =>
    createGraveIssue(
      `there is no database ${database_name}`,
      "npm run cells -- spare makes databases; take the binding out if it was deleted; the token must read D1",
    );
  const directory = front.d1_databases.filter(({ binding }) => binding === "DIRECTORY");
  if (directory[0] && (await isMissing(directory[0]))) return directory.map(describeMissing);
  // A directory without tables lists none.
  const listed = await listDirectorySlots(front, environment).catch(() => []);
  const known = new Set(listed.map(({ slot }) => slot));
  const missing: BoundDatabase[] = [];
  for (const database of front.d1_databases.filter((item) => item.binding !== "DIRECTORY")) {
    const slot = findSlotNumber(database.binding);
    if ((slot === undefined || !known.has(slot)) && (await isMissing(database))) missing.push(database);
  }
  return missing.map(describeMissing);
}

type BoundDatabase = WranglerConfig["d1_databases"][number];

async function findMissingAccountDatabases(
  front: WranglerConfig,
  wrangler: DeployedWorker["wrangler"],
): Promise<readonly ConfigIssue[]> {
  const listed = parseJsonOutput<readonly { readonly uuid: string }[]>(
    await readCommandOutput(wrangler("d1", "list", "--json")),
  );
  if (listed === undefined) return [createGraveIssue("D1 does not answer", "the token may read and write D1")];
  const missing = front.d1_databases.filter(({ database_id }) => !listed.some(({ uuid }) => uuid === database_id));
  return missing.map(({ database_name }) =>
    createGraveIssue(`there is no database ${database_name}`, "npm run account -- add makes it"),
  );
}

// Without DNS records, requests never reach the Worker.
async function checkDomainNames({ front }: DeploymentConfig): Promise<readonly ConfigIssue[]> {
  const base = String(front.vars["BASE_DOMAIN"]);
  const looked = [[base, base] as const, [`any.${base}`, `*.${base}`] as const].map(async ([name, record]) =>
    lookup(name).then(
      () => [],
      () => [createGraveIssue(`${name} has no address`, `a proxied DNS record for ${record} (AAAA 100::)`)],
    ),
  );
  return (await Promise.all(looked)).flat();
}
