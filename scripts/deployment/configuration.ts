import {
  getBindingAccount,
  getBindingJurisdiction,
  JURISDICTIONS,
  type Jurisdiction,
} from "#worker/tenancy/bindings.ts";
import { toOfficeEnvironment, type WranglerConfig } from "../wrangler-toml.ts";
import { listRoutePatterns } from "./cell-config.ts";
import type { DeploymentConfig } from "./workers.ts";

/** A deployment problem and its solution. */
export interface ConfigIssue {
  /** Whether the deployment wouldn't work. Otherwise it works with limitations. */
  readonly isGrave: boolean;
  readonly description: string;
  readonly remedy: string;
}

/** Cron schedule of due jobs. Any other schedule would run all accounts at once. */
const EVERY_MINUTE = "* * * * *";
const EXAMPLE = /(^|[.@])example\.com$/;
const NO_ID = /^0{8}-0{4}-0{4}-0{4}-/;

export const createGraveIssue = (problem: string, remedy: string): ConfigIssue => ({
  isGrave: true,
  description: problem,
  remedy,
});
export const createSlightIssue = (problem: string, remedy: string): ConfigIssue => ({
  isGrave: false,
  description: problem,
  remedy,
});

/** Formats the findings, one per line, critical ones first. */
export function formatConfigIssues(findings: readonly ConfigIssue[]): readonly string[] {
  return findings
    .toSorted((a, b) => Number(b.isGrave) - Number(a.isGrave))
    .map(({ isGrave, description, remedy }) => `  ${isGrave ? "missing" : "advice "}  ${description}: ${remedy}`);
}

/** Checks wrangler.toml for deployment problems, without network access. */
export function findConfigProblems(configured: DeploymentConfig): readonly ConfigIssue[] {
  const { environment, office } = configured;
  return [
    ...addresses(configured),
    ...mail(configured),
    ...databases(configured),
    ...buckets(configured),
    ...services(configured),
    ...work(office, `[env.${toOfficeEnvironment(environment)}`),
  ];
}

const getVariable = ({ vars }: WranglerConfig, name: string) => (typeof vars[name] === "string" ? vars[name] : "");

const hasObjects = ({ durable_objects: { bindings } }: WranglerConfig, className: string) =>
  bindings.some(({ name }) => name === className);

function* addresses({ environment, front }: DeploymentConfig): Generator<ConfigIssue> {
  // Cells behind a router have no routes: the router's are those of the domain.
  if (isBehindRouter(front)) return;
  const base = getVariable(front, "BASE_DOMAIN");
  const section = `[env.${environment}]`;
  if (base === "" || EXAMPLE.test(base))
    return yield createGraveIssue(
      `BASE_DOMAIN is ${base || "missing"}`,
      `your own domain under ${section}, in routes too`,
    );
  const patterns = (front.routes ?? []).map((route) => (typeof route === "string" ? route : route.pattern));
  // Without the final asterisk, a route doesn't match a URL with a query such as /healthz?deep.
  for (const required of listRoutePatterns(base))
    if (!patterns.some((pattern) => pattern === required || (pattern === `${base}/*` && required.startsWith(base))))
      yield createGraveIssue(`no route is ${required}`, `a route of your zone under ${section}`);
  for (const pattern of patterns)
    if (!pattern.replace(/\/.*$/, "").endsWith(base))
      yield createGraveIssue(`the route ${pattern} is not of ${base}`, "routes and BASE_DOMAIN of one domain");
}

function* mail({ environment, front, office }: DeploymentConfig): Generator<ConfigIssue> {
  for (const [config, env] of [[front, environment] as const, [office, toOfficeEnvironment(environment)] as const]) {
    const from = getVariable(config, "MAIL_FROM");
    if (EXAMPLE.test(from) || !from.includes("@"))
      yield createGraveIssue(
        `MAIL_FROM of [env.${env}] is ${from || "missing"}`,
        "an address of a domain that may send",
      );
    if (!config.send_email.some(({ name }) => name === "MAIL"))
      yield createGraveIssue(`[env.${env}] sends no mail`, "send_email with the name MAIL");
    if (getVariable(config, "BASE_DOMAIN") !== getVariable(front, "BASE_DOMAIN"))
      yield createGraveIssue(`BASE_DOMAIN of [env.${env}] is another`, "the same in both Workers");
  }
}

const listAccountBindings = ({ d1_databases }: WranglerConfig) =>
  d1_databases.filter(({ binding }) => getBindingAccount(binding) !== undefined);

/** Whether a cell is behind a router. The carts of such cells are in a Worker of their own. */
export const isBehindRouter = ({ durable_objects: { bindings } }: WranglerConfig) =>
  bindings.some(({ name, script_name }) => name === "SHOPPING_CARTS" && script_name !== undefined);

/** Whether companies are rows of a directory, instead of bindings of their names. */
export const hasDirectory = ({ d1_databases }: WranglerConfig) =>
  d1_databases.some(({ binding }) => binding === "DIRECTORY");

function* databases({ environment, front, office }: DeploymentConfig): Generator<ConfigIssue> {
  const bound = ({ d1_databases }: WranglerConfig) =>
    d1_databases.map(({ binding, database_id }) => `${binding} ${database_id}`);
  const [here, there] = [bound(front), bound(office)];
  if (here.length === 0)
    yield createSlightIssue("no company is bound", `npm run account -- add <name> … --remote --env ${environment}`);
  const directory = front.d1_databases.find(({ binding }) => binding === "DIRECTORY");
  if (directory && NO_ID.test(directory.database_id ?? ""))
    yield createGraveIssue(
      "the directory is an example without a database",
      `npm run cells -- spare 5 --env ${environment}`,
    );
  const both = `[env.${environment}] and [env.${toOfficeEnvironment(environment)}]`;
  for (const text of [...here.filter((text) => !there.includes(text)), ...there.filter((text) => !here.includes(text))])
    yield createGraveIssue(`${text.split(" ")[0]} is not the same in ${both}`, "both alike");
  for (const { binding, database_id = "" } of listAccountBindings(front)) {
    const name = getBindingAccount(binding);
    const remedy = `npm run account -- remove ${name} --yes --env ${environment}`;
    if (NO_ID.test(database_id)) yield createGraveIssue(`${name} is an example without a database`, remedy);
  }
  yield* places(environment, front, office);
}

// An account's data must not leave its jurisdiction, so its files and backups need a bucket there, too.
function* places(environment: string, front: WranglerConfig, office: WranglerConfig): Generator<ConfigIssue> {
  const names = listAccountBindings(front).map(({ binding }) => getBindingAccount(binding));
  for (const name of new Set(names.filter((name, index) => names.indexOf(name) !== index)))
    yield createGraveIssue(`${name} is bound twice`, `only one binding of it under [env.${environment}]`);
  const used = new Set(front.d1_databases.map(({ binding }) => getBindingJurisdiction(binding)));
  for (const jurisdiction of JURISDICTIONS.filter((jurisdiction) => used.has(jurisdiction)))
    for (const [config, env, name] of [
      [front, environment, "FILES"] as const,
      [office, toOfficeEnvironment(environment), "FILES"] as const,
      [office, toOfficeEnvironment(environment), "BACKUPS"] as const,
    ])
      if (!findBucketForJurisdiction(config, name, jurisdiction))
        yield createGraveIssue(
          `[env.${env}] has no bucket ${name} in ${jurisdiction}`,
          describeBucket(env, name, jurisdiction),
        );
}

/** Returns the bucket binding that stores an account's objects in its jurisdiction. */
export function findBucketForJurisdiction(
  { r2_buckets }: WranglerConfig,
  name: "FILES" | "BACKUPS",
  jurisdiction: Jurisdiction,
) {
  return r2_buckets.find(
    (bucket) =>
      bucket.jurisdiction === jurisdiction &&
      [name, `${name}_${jurisdiction.toUpperCase()}`].some((binding) => binding === bucket.binding),
  );
}

/** Returns the bucket binding of a region, or that of accounts without one. */
export function findRegionBucket(
  config: WranglerConfig,
  name: "FILES" | "BACKUPS",
  jurisdiction: Jurisdiction | undefined,
) {
  return jurisdiction
    ? findBucketForJurisdiction(config, name, jurisdiction)
    : config.r2_buckets.find(({ binding }) => binding === name);
}

/** Describes how to bind a bucket in a jurisdiction. */
export function describeBucket(environment: string, name: "FILES" | "BACKUPS", jurisdiction: Jurisdiction): string {
  return `[[env.${environment}.r2_buckets]] with binding = "${name}_${jurisdiction.toUpperCase()}", jurisdiction = "${jurisdiction}" and a bucket made by npx wrangler r2 bucket create <name> --jurisdiction ${jurisdiction}`;
}

function* buckets({ environment, front, office }: DeploymentConfig): Generator<ConfigIssue> {
  const toWorkerName = (config: WranglerConfig, className: string) =>
    config.r2_buckets.find(({ binding }) => binding === className)?.bucket_name;
  const files = toWorkerName(front, "FILES");
  const backupAdvice = `BACKUPS under [env.${toOfficeEnvironment(environment)}]: without it nothing is backed up`;
  if (!files) yield createGraveIssue("no bucket for photos", `FILES under [env.${environment}]`);
  if (toWorkerName(office, "FILES") !== files)
    yield createGraveIssue("the office has another bucket of photos", "FILES alike in both");
  if (!toWorkerName(office, "BACKUPS")) yield createGraveIssue("no bucket for backups", backupAdvice);
}

function* services({ front, office, printer }: DeploymentConfig): Generator<ConfigIssue> {
  const bound = (name: string) => front.services?.find(({ binding }) => binding === name)?.service;
  if (bound("OFFICE") !== office.name)
    yield createGraveIssue("the front is not bound to its office", `OFFICE is ${office.name}`);
  if (bound("PRINTER") !== printer.name)
    yield createGraveIssue("the front is not bound to its printer", `PRINTER is ${printer.name}`);
  if (!hasObjects(front, "SHOPPING_CARTS"))
    yield createGraveIssue("live carts have no objects", "SHOPPING_CARTS under durable_objects");
  for (const { name: worker, ratelimits } of [front, office])
    for (const limit of ["IP_RATE_LIMITER", "VISITOR_RATE_LIMITER"])
      if (!ratelimits.some(({ name }) => name === limit))
        yield createGraveIssue(`${worker} has no ${limit}`, "a rate limit of that name");
  for (const { name, analytics_engine_datasets: datasets } of [front, office])
    if (!datasets.some(({ binding }) => binding === "REQUESTS"))
      yield createSlightIssue(`${name} counts no requests`, "a dataset of Analytics Engine as REQUESTS");
}

function* work(office: WranglerConfig, section: string): Generator<ConfigIssue> {
  const clock = `crons = ["${EVERY_MINUTE}"] under ${section}.triggers]: holds, mails and backups need it`;
  if (EXAMPLE.test(getVariable(office, "ALERT_EMAIL") || "@example.com"))
    yield createSlightIssue("nobody is told of alarms", `ALERT_EMAIL under ${section}.vars], docs/runbook.md`);
  if (!hasObjects(office, "SCRATCH_DATABASES"))
    yield createSlightIssue(
      "the office imports nothing, and backups are not restored to try them",
      `durable_objects with SCRATCH_DATABASES under ${section}]`,
    );
  yield* queues(office, section);
  if (!office.triggers.crons?.includes(EVERY_MINUTE)) yield createGraveIssue("nothing rings the clock", clock);
}

// Without a queue, long work runs in the cron job. A queue that is bound needs both its producer and its consumer.
function* queues(
  { queues: { producers = [], consumers = [] } }: WranglerConfig,
  section: string,
): Generator<ConfigIssue> {
  const producerQueue = producers.find(({ binding }) => binding === "JOBS")?.queue;
  if (producerQueue === undefined)
    return yield createSlightIssue("long work runs in the cron job", `queues with the producer JOBS under ${section}]`);
  const consumer = consumers.find(({ queue }) => queue === producerQueue);
  if (!consumer)
    return yield createGraveIssue(`nothing handles the messages of ${producerQueue}`, `its consumer under ${section}]`);
  const dead = consumer.dead_letter_queue;
  if (!dead?.endsWith("-dead") || !consumers.some(({ queue }) => queue === dead))
    yield createGraveIssue(
      `exhausted messages of ${producerQueue} are lost`,
      `dead_letter_queue = "${producerQueue}-dead" with its own consumer under ${section}]`,
    );
}
