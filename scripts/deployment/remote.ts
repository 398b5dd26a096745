import { lookup } from "node:dns/promises";
import { run } from "../processes.ts";
import { accountsOf, type Finding, grave, slight } from "./configuration.ts";
import { type Configured, type DeployedWorker, workersOf } from "./workers.ts";

/** What wrangler answered, or undefined where it failed: nobody is signed in, or there is no such thing. */
export async function ask([command, args]: readonly [string, readonly string[]]): Promise<string | undefined> {
  const { exitCode, output } = await run(command, args, { quiet: true, environment: { CI: "true" } });
  return exitCode === 0 ? output : undefined;
}

/** The JSON in what wrangler printed, after its warnings. */
export function jsonIn<T>(output: string | undefined): T | undefined {
  const start = output?.search(/^[[{]/m) ?? -1;
  if (output === undefined || start === -1) return undefined;
  try {
    return JSON.parse(output.slice(start)) as T;
  } catch {
    return undefined;
  }
}

/** What Cloudflare lacks of what wrangler.toml names: sign-in, secrets, buckets, databases, names of the zone. */
export async function findRemoteProblems(configured: Configured, address?: string): Promise<readonly Finding[]> {
  const workers = workersOf(configured);
  const [front] = workers.filter(({ role }) => role === "front");
  if (!front || (await ask(front.wrangler("whoami", "--json"))) === undefined)
    return [grave("wrangler is signed in nowhere", "npx wrangler login, or the variable CLOUDFLARE_API_TOKEN")];
  const found = await Promise.all([
    ...workers.filter(({ role }) => role !== "printer").map((worker) => secretsOf(worker, configured.environment)),
    bucketsAt(configured, front),
    databasesAt(configured, front),
    address === undefined ? namesOf(configured) : [],
  ]);
  return found.flat();
}

async function secretsOf({ role, name, wrangler }: DeployedWorker, environment: string): Promise<readonly Finding[]> {
  const listed = jsonIn<readonly { readonly name: string }[]>(
    await ask(wrangler("secret", "list", "--format", "json")),
  );
  const has = (secret: string) => listed?.some((one) => one.name === secret) === true;
  const env = role === "office" ? `${environment}-office` : environment;
  return [
    ...(has("MASTER_KEY")
      ? []
      : [grave(`${name} has no MASTER_KEY`, `npx wrangler secret put MASTER_KEY --env ${env} < master.key`)]),
    ...(role === "office" || has("MONITOR_KEY")
      ? []
      : [
          slight(
            `${name} has no MONITOR_KEY`,
            `without it nobody reads healthz?deep: npx wrangler secret put MONITOR_KEY --env ${env}`,
          ),
        ]),
  ];
}

async function bucketsAt({ front, office }: Configured, { wrangler }: DeployedWorker): Promise<readonly Finding[]> {
  const listed = await ask(wrangler("r2", "bucket", "list"));
  if (listed === undefined) return [grave("R2 does not answer", "R2 is switched on in the dashboard")];
  const there = new Set([...listed.matchAll(/^name:\s+(\S+)/gm)].map(([, name]) => name));
  const wanted = new Set([...front.r2_buckets, ...office.r2_buckets].map(({ bucket_name }) => bucket_name ?? ""));
  return [...wanted]
    .filter((name) => !there.has(name))
    .map((name) => grave(`there is no bucket ${name}`, `npx wrangler r2 bucket create ${name}`));
}

async function databasesAt({ front }: Configured, { wrangler }: DeployedWorker): Promise<readonly Finding[]> {
  const listed = jsonIn<readonly { readonly uuid: string }[]>(await ask(wrangler("d1", "list", "--json")));
  if (listed === undefined) return [grave("D1 does not answer", "the token may read and write D1")];
  const there = new Set(listed.map(({ uuid }) => uuid));
  return accountsOf(front)
    .filter(({ database_id }) => !there.has(database_id ?? ""))
    .map(({ database_name }) => grave(`there is no database ${database_name}`, "npm run account -- add makes it"));
}

// A zone without a record for its names never asks the Worker.
async function namesOf({ front }: Configured): Promise<readonly Finding[]> {
  const base = String(front.vars["BASE_DOMAIN"]);
  const missing = await Promise.all(
    [base, `any.${base}`].map((name) =>
      lookup(name).then(
        () => [],
        () => [name],
      ),
    ),
  );
  return missing
    .flat()
    .map((name) =>
      grave(`${name} has no address`, `a proxied DNS record for ${name.replace(/^any\./, "*.")} (AAAA 100::)`),
    );
}
