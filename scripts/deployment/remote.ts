import { lookup } from "node:dns/promises";
import { ask, jsonIn } from "../processes.ts";
import { type ConfigIssue, grave, listAccountBindings, slight } from "./configuration.ts";
import { type Configured, type DeployedWorker, listWorkers } from "./workers.ts";

/**
 * Finds what is missing on Cloudflare compared with wrangler.toml: sign-in, secrets, buckets, databases and DNS names.
 */
export async function findRemoteProblems(configured: Configured, address?: string): Promise<readonly ConfigIssue[]> {
  const workers = listWorkers(configured);
  const front = workers.find(({ role }) => role === "front");
  if (!front || (await ask(front.wrangler("whoami", "--json"))) === undefined)
    return [grave("wrangler is signed in nowhere", "npx wrangler login, or the variable CLOUDFLARE_API_TOKEN")];
  const remoteIssues = await Promise.all([
    ...workers.filter(({ role }) => role !== "printer").map(checkSecrets),
    bucketsAt(configured, front),
    databasesAt(configured, front),
    address === undefined ? checkDomainNames(configured) : [],
  ]);
  return remoteIssues.flat();
}

async function checkSecrets({ role, name, environment, wrangler }: DeployedWorker): Promise<readonly ConfigIssue[]> {
  const listed = await ask(wrangler("secret", "list", "--format", "json"));
  const has = (secret: string) => jsonIn<readonly { name: string }[]>(listed)?.some((item) => item.name === secret);
  const put = (secret: string) => `npx wrangler secret put ${secret} --env ${environment}`;
  const masterKey = grave(`${name} has no MASTER_KEY`, `${put("MASTER_KEY")} < master.key`);
  const monitorKey = slight(
    `${name} has no MONITOR_KEY`,
    `without it nobody reads healthz?deep: ${put("MONITOR_KEY")}`,
  );
  return [
    ...(has("MASTER_KEY") ? [] : [masterKey]),
    // Only the front Worker answers health checks.
    ...(role !== "front" || has("MONITOR_KEY") ? [] : [monitorKey]),
  ];
}

async function bucketsAt({ front, office }: Configured, { wrangler }: DeployedWorker): Promise<readonly ConfigIssue[]> {
  const listed = await ask(wrangler("r2", "bucket", "list"));
  if (listed === undefined) return [grave("R2 does not answer", "R2 is switched on in the dashboard")];
  const there = new Set([...listed.matchAll(/^name:\s+(\S+)/gm)].map(([, name]) => name));
  const requiredBuckets = new Set([...front.r2_buckets, ...office.r2_buckets].map(({ bucket_name }) => bucket_name));
  const missing = [...requiredBuckets].filter((name) => !there.has(name));
  return missing.map((name) => grave(`there is no bucket ${name}`, `npx wrangler r2 bucket create ${name}`));
}

async function databasesAt({ front }: Configured, { wrangler }: DeployedWorker): Promise<readonly ConfigIssue[]> {
  const listed = jsonIn<readonly { readonly uuid: string }[]>(await ask(wrangler("d1", "list", "--json")));
  if (listed === undefined) return [grave("D1 does not answer", "the token may read and write D1")];
  const missing = listAccountBindings(front).filter(
    ({ database_id }) => !listed.some(({ uuid }) => uuid === database_id),
  );
  return missing.map(({ database_name }) =>
    grave(`there is no database ${database_name}`, "npm run account -- add makes it"),
  );
}

// Without DNS records, requests never reach the Worker.
async function checkDomainNames({ front }: Configured): Promise<readonly ConfigIssue[]> {
  const base = String(front.vars["BASE_DOMAIN"]);
  const looked = [[base, base] as const, [`any.${base}`, `*.${base}`] as const].map(async ([name, record]) =>
    lookup(name).then(
      () => [],
      () => [grave(`${name} has no address`, `a proxied DNS record for ${record} (AAAA 100::)`)],
    ),
  );
  return (await Promise.all(looked)).flat();
}
