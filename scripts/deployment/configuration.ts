import type { Config, Configured } from "./workers.ts";

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

/** What wrangler.toml itself lacks for a deployment; it asks nobody. */
export function findConfigProblems(configured: Configured): readonly Finding[] {
  const { environment, front, office, printer } = configured;
  return [
    ...addresses(front, environment),
    ...mail(configured),
    ...databases(configured),
    ...buckets(configured),
    ...services(front, office, printer),
    ...(EXAMPLE.test(varOf(office, "OPERATOR_MAIL") || "@example.com")
      ? [slight("nobody is told of alarms", `OPERATOR_MAIL under [env.${environment}-office.vars], docs/runbook.md`)]
      : []),
    ...(office.durable_objects.bindings.some(({ name }) => name === "SCRATCH_DATABASES")
      ? []
      : [
          slight(
            "the office imports nothing, and backups are not restored to try them",
            `durable_objects with SCRATCH_DATABASES under [env.${environment}-office]`,
          ),
        ]),
    ...(office.triggers.crons?.includes(EVERY_MINUTE)
      ? []
      : [
          grave(
            "nothing rings the clock",
            `crons = ["${EVERY_MINUTE}"] under [env.${environment}-office.triggers]: holds, mails and backups need it`,
          ),
        ]),
  ];
}

function varOf(config: Config, name: string): string {
  const value = config.vars[name];
  return typeof value === "string" ? value : "";
}

function addresses(front: Config, environment: string): readonly Finding[] {
  const base = varOf(front, "BASE_DOMAIN");
  const section = `[env.${environment}]`;
  if (base === "" || EXAMPLE.test(base))
    return [grave(`BASE_DOMAIN is ${base || "missing"}`, `your own domain under ${section}, in routes too`)];
  const patterns = (front.routes ?? []).map((route) => (typeof route === "string" ? route : route.pattern));
  const missing = [`*.${base}/*`, `${base}/healthz`].filter(
    (wanted) => !patterns.some((pattern) => pattern === wanted || pattern === wanted.replace(/\/healthz$/, "/*")),
  );
  const strange = patterns.filter((pattern) => !pattern.replace(/\/.*$/, "").endsWith(base));
  return [
    ...missing.map((pattern) => grave(`no route is ${pattern}`, `a route of your zone under ${section}`)),
    ...strange.map((pattern) =>
      grave(`the route ${pattern} is not of ${base}`, "routes and BASE_DOMAIN of one domain"),
    ),
  ];
}

function mail({ environment, front, office }: Configured): readonly Finding[] {
  return [[front, environment] as const, [office, `${environment}-office`] as const].flatMap(([config, section]) => {
    const from = varOf(config, "MAIL_FROM");
    const isBound = config.send_email.some(({ name }) => name === "MAIL");
    return [
      ...(EXAMPLE.test(from) || !from.includes("@")
        ? [grave(`MAIL_FROM of [env.${section}] is ${from || "missing"}`, "an address of a domain that may send")]
        : []),
      ...(isBound ? [] : [grave(`[env.${section}] sends no mail`, `send_email with the name MAIL`)]),
      ...(varOf(config, "BASE_DOMAIN") === varOf(front, "BASE_DOMAIN")
        ? []
        : [grave(`BASE_DOMAIN of [env.${section}] is another`, "the same in both Workers")]),
    ];
  });
}

export const accountsOf = ({ d1_databases }: Config) =>
  d1_databases.filter(({ binding }) => binding.startsWith("TENANT_"));

function databases({ environment, front, office }: Configured): readonly Finding[] {
  const bound = (config: Config) => accountsOf(config).map(({ binding, database_id }) => `${binding} ${database_id}`);
  const [here, there] = [bound(front), bound(office)];
  const apart = [...here.filter((one) => !there.includes(one)), ...there.filter((one) => !here.includes(one))];
  return [
    ...(here.length === 0
      ? [slight("no company is bound", `npm run account -- add <name> … --remote --env ${environment}`)]
      : []),
    ...apart.map((one) =>
      grave(
        `${one.split(" ")[0]} is not the same in [env.${environment}] and [env.${environment}-office]`,
        "both alike",
      ),
    ),
    ...accountsOf(front)
      .filter(({ database_id }) => NO_ID.test(database_id ?? ""))
      .map(({ binding }) => {
        const name = binding.slice("TENANT_".length).toLowerCase().replaceAll("_", "-");
        return grave(
          `${name} is an example without a database`,
          `npm run account -- remove ${name} --yes --env ${environment}`,
        );
      }),
  ];
}

function buckets({ environment, front, office }: Configured): readonly Finding[] {
  const nameOf = (config: Config, wanted: string) =>
    config.r2_buckets.find(({ binding }) => binding === wanted)?.bucket_name;
  const files = nameOf(front, "FILES");
  return [
    ...(files ? [] : [grave("no bucket for photos", `FILES under [env.${environment}]`)]),
    ...(nameOf(office, "FILES") === files
      ? []
      : [grave("the office has another bucket of photos", "FILES alike in both")]),
    ...(nameOf(office, "BACKUPS")
      ? []
      : [grave("no bucket for backups", `BACKUPS under [env.${environment}-office]: without it nothing is backed up`)]),
  ];
}

function services(front: Config, office: Config, printer: Config): readonly Finding[] {
  const bound = (config: Config, name: string) => config.services?.find(({ binding }) => binding === name)?.service;
  return [
    ...(bound(front, "OFFICE") === office.name
      ? []
      : [grave("the front is not bound to its office", `OFFICE is ${office.name}`)]),
    ...(bound(front, "PRINTER") === printer.name
      ? []
      : [grave("the front is not bound to its printer", `PRINTER is ${printer.name}`)]),
    ...(front.durable_objects.bindings.some(({ name }) => name === "SHOPPING_CARTS")
      ? []
      : [grave("live carts have no objects", "SHOPPING_CARTS under durable_objects")]),
    ...[front, office].flatMap((config) =>
      ["ADDRESS_LIMIT", "VISITOR_LIMIT"]
        .filter((limit) => !config.ratelimits.some(({ name }) => name === limit))
        .map((limit) => grave(`${config.name} has no ${limit}`, "a rate limit of that name")),
    ),
    ...[front, office].flatMap((config) =>
      config.analytics_engine_datasets.some(({ binding }) => binding === "REQUESTS")
        ? []
        : [slight(`${config.name} counts no requests`, "a dataset of Analytics Engine as REQUESTS")],
    ),
  ];
}
