import { accountOfBinding } from "#worker/tenancy/bindings.ts";
import { type Config, officeEnvironmentOf } from "../wrangler-toml.ts";
import type { Configured } from "./workers.ts";

/** Something that is not as a deployment needs it, and what to do. */
export interface Finding {
  /** A deployment would not serve; else it serves, and something of it is missing. */
  readonly isGrave: boolean;
  readonly what: string;
  readonly remedy: string;
}

/** The cron that does what is due: any other lets every account have its turn at once. */
const EVERY_MINUTE = "* * * * *";
const EXAMPLE = /(^|[.@])example\.com$/;
const NO_ID = /^0{8}-0{4}-0{4}-0{4}-/;

export const grave = (what: string, remedy: string): Finding => ({ isGrave: true, what, remedy });
export const slight = (what: string, remedy: string): Finding => ({ isGrave: false, what, remedy });

/** A line for each finding, the grave ones first. */
export function linesOf(findings: readonly Finding[]): readonly string[] {
  return findings
    .toSorted((a, b) => Number(b.isGrave) - Number(a.isGrave))
    .map(({ isGrave, what, remedy }) => `  ${isGrave ? "missing" : "advice "}  ${what}: ${remedy}`);
}

/** What wrangler.toml itself lacks for a deployment; it asks nobody. */
export function findConfigProblems(configured: Configured): readonly Finding[] {
  const { environment, office } = configured;
  return [
    ...addresses(configured),
    ...mail(configured),
    ...databases(configured),
    ...buckets(configured),
    ...services(configured),
    ...work(office, `[env.${officeEnvironmentOf(environment)}`),
  ];
}

const varOf = ({ vars }: Config, name: string) => (typeof vars[name] === "string" ? vars[name] : "");

const hasObjects = ({ durable_objects: { bindings } }: Config, wanted: string) =>
  bindings.some(({ name }) => name === wanted);

function* addresses({ environment, front }: Configured): Generator<Finding> {
  const base = varOf(front, "BASE_DOMAIN");
  const section = `[env.${environment}]`;
  if (base === "" || EXAMPLE.test(base))
    return yield grave(`BASE_DOMAIN is ${base || "missing"}`, `your own domain under ${section}, in routes too`);
  const patterns = (front.routes ?? []).map((route) => (typeof route === "string" ? route : route.pattern));
  for (const [wanted, also] of [[`*.${base}/*`], [`${base}/healthz`, `${base}/*`]] as const)
    if (!patterns.some((pattern) => pattern === wanted || pattern === also))
      yield grave(`no route is ${wanted}`, `a route of your zone under ${section}`);
  for (const pattern of patterns)
    if (!pattern.replace(/\/.*$/, "").endsWith(base))
      yield grave(`the route ${pattern} is not of ${base}`, "routes and BASE_DOMAIN of one domain");
}

function* mail({ environment, front, office }: Configured): Generator<Finding> {
  for (const [config, env] of [[front, environment] as const, [office, officeEnvironmentOf(environment)] as const]) {
    const from = varOf(config, "MAIL_FROM");
    if (EXAMPLE.test(from) || !from.includes("@"))
      yield grave(`MAIL_FROM of [env.${env}] is ${from || "missing"}`, "an address of a domain that may send");
    if (!config.send_email.some(({ name }) => name === "MAIL"))
      yield grave(`[env.${env}] sends no mail`, "send_email with the name MAIL");
    if (varOf(config, "BASE_DOMAIN") !== varOf(front, "BASE_DOMAIN"))
      yield grave(`BASE_DOMAIN of [env.${env}] is another`, "the same in both Workers");
  }
}

export const accountsOf = ({ d1_databases }: Config) =>
  d1_databases.filter(({ binding }) => accountOfBinding(binding) !== undefined);

function* databases({ environment, front, office }: Configured): Generator<Finding> {
  const bound = (config: Config) => accountsOf(config).map(({ binding, database_id }) => `${binding} ${database_id}`);
  const [here, there] = [bound(front), bound(office)];
  if (here.length === 0)
    yield slight("no company is bound", `npm run account -- add <name> … --remote --env ${environment}`);
  const both = `[env.${environment}] and [env.${officeEnvironmentOf(environment)}]`;
  for (const one of [...here.filter((one) => !there.includes(one)), ...there.filter((one) => !here.includes(one))])
    yield grave(`${one.split(" ")[0]} is not the same in ${both}`, "both alike");
  for (const { binding, database_id = "" } of accountsOf(front)) {
    const name = accountOfBinding(binding);
    const remedy = `npm run account -- remove ${name} --yes --env ${environment}`;
    if (NO_ID.test(database_id)) yield grave(`${name} is an example without a database`, remedy);
  }
}

function* buckets({ environment, front, office }: Configured): Generator<Finding> {
  const nameOf = (config: Config, wanted: string) =>
    config.r2_buckets.find(({ binding }) => binding === wanted)?.bucket_name;
  const files = nameOf(front, "FILES");
  const copies = `BACKUPS under [env.${officeEnvironmentOf(environment)}]: without it nothing is backed up`;
  if (!files) yield grave("no bucket for photos", `FILES under [env.${environment}]`);
  if (nameOf(office, "FILES") !== files) yield grave("the office has another bucket of photos", "FILES alike in both");
  if (!nameOf(office, "BACKUPS")) yield grave("no bucket for backups", copies);
}

function* services({ front, office, printer }: Configured): Generator<Finding> {
  const bound = (name: string) => front.services?.find(({ binding }) => binding === name)?.service;
  if (bound("OFFICE") !== office.name) yield grave("the front is not bound to its office", `OFFICE is ${office.name}`);
  if (bound("PRINTER") !== printer.name)
    yield grave("the front is not bound to its printer", `PRINTER is ${printer.name}`);
  if (!hasObjects(front, "SHOPPING_CARTS"))
    yield grave("live carts have no objects", "SHOPPING_CARTS under durable_objects");
  for (const { name: worker, ratelimits } of [front, office])
    for (const limit of ["ADDRESS_LIMIT", "VISITOR_LIMIT"])
      if (!ratelimits.some(({ name }) => name === limit))
        yield grave(`${worker} has no ${limit}`, "a rate limit of that name");
  for (const { name, analytics_engine_datasets: datasets } of [front, office])
    if (!datasets.some(({ binding }) => binding === "REQUESTS"))
      yield slight(`${name} counts no requests`, "a dataset of Analytics Engine as REQUESTS");
}

function* work(office: Config, section: string): Generator<Finding> {
  const clock = `crons = ["${EVERY_MINUTE}"] under ${section}.triggers]: holds, mails and backups need it`;
  if (EXAMPLE.test(varOf(office, "OPERATOR_MAIL") || "@example.com"))
    yield slight("nobody is told of alarms", `OPERATOR_MAIL under ${section}.vars], docs/runbook.md`);
  if (!hasObjects(office, "SCRATCH_DATABASES"))
    yield slight(
      "the office imports nothing, and backups are not restored to try them",
      `durable_objects with SCRATCH_DATABASES under ${section}]`,
    );
  if (!office.triggers.crons?.includes(EVERY_MINUTE)) yield grave("nothing rings the clock", clock);
}
