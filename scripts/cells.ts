import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { basename, join } from "node:path";
import { createDatabase, getSlotDatabaseName } from "./accounts/add.ts";
import { chooseDataLocation, findDataLocationProblems, findJurisdiction } from "./accounts/data-location.ts";
import { callDirectory, type Directory } from "./accounts/directory.ts";
import { readOperatorAccess } from "./accounts/operator.ts";
import { readCommandLine, readNumber } from "./command-line.ts";
import {
  addRoutes,
  addSpareDatabases,
  createCartsConfig,
  createRouterConfig,
  listRoutePatterns,
  type SpareDatabase,
  setDirectoryDatabaseId,
  toFurtherCellConfig,
  toRoutedCellConfig,
} from "./deployment/cell-config.ts";
import { listBoundSlots, migrateDirectory } from "./deployment/directory-slots.ts";
import { assignRoutes } from "./deployment/domain-routes.ts";
import { migrateCells } from "./deployment/migrate-cells.ts";
import { writeAtomically } from "./files.ts";
import { PROJECT_ROOT } from "./processes.ts";
import { reportFailure, runStep } from "./steps.ts";
import { changeWranglerConfig, getConfigPath, readWranglerConfig } from "./wrangler-toml.ts";

const USAGE = `npm run cells -- <command> [<company or number>] --env production

  spare <count>        creates databases without a company and binds them in wrangler.toml; the first time also the directory.
      With --jurisdiction eu|us|none or --location weur|… in that place. Deploy afterwards, then migrate
  migrate              adds the databases of the deployed cells to the directory and migrates all: one first, then 25 at a time
  list                 lists the companies with database, size, schema, last backup, last cron job, the Time Travel
      bookmark before the last migration, and errors
  pause <company>      pauses service and keeps all data; resume <company> restarts it
  delete <company> --yes    deletes a paused company and its database permanently
  move <company> --to 02    moves it to another cell. If it was interrupted, repeat it. --cancel keeps the company where it is
  retry <company>      sends its failed work again within a minute; dismiss <company> removes it from the list
  generate <cell>      writes the configuration of a further cell (02, 03 …), the router and the carts from wrangler.toml
  route                gives the domain's routes to the deployed router, with the variable CLOUDFLARE_API_TOKEN

  All but spare, generate and route need the variable OPERATOR_KEY. --cell 02 limits migrate to a cell.
  WRANGLER_CONFIG=cell-02.wrangler.toml makes spare and npm run deploy work on that cell`;

const {
  values,
  positionals,
  target: requestedTarget,
} = readCommandLine(["to", "cell", "jurisdiction", "location"], ["yes", "cancel"], {
  most: 2,
  usage: USAGE,
});
const [what = "", subject = ""] = positionals;
const environment = values.env ?? "production";
// Companies of a directory are always at Cloudflare.
const target = { ...requestedTarget, isRemote: true, environment, operator: readOperatorAccess(environment) };

const ROUTER_CONFIG = join(PROJECT_ROOT, "router.wrangler.toml");

const AGE_UNITS = [
  ["d", 86_400_000],
  ["h", 3_600_000],
  ["min", 60_000],
] as const;

function formatAge(at: number | null): string {
  if (!at) return "never";
  const age = Math.max(0, Date.now() - at);
  const [unit, size] = AGE_UNITS.find(([, milliseconds]) => age >= milliseconds) ?? ["min", 60_000];
  return `${Math.floor(age / size)} ${unit} ago`;
}

function toDatabaseName({ cell, slot, jurisdiction }: Directory["accounts"][number]): string {
  return getSlotDatabaseName({ environment, cell, slot, jurisdiction: findJurisdiction(jurisdiction) });
}

async function list(): Promise<void> {
  const { cells, accounts, moves, jobs } = await callDirectory<Directory>(target, "GET", "");
  for (const { cell, used, spare, retired, failed, clock_at, ...others } of cells)
    console.log(
      `cell ${cell}: ${used} used, ${spare} spare, ${others.new} not migrated, ${retired} emptied, ${failed} failed; ` +
        `cron job ${formatAge(clock_at)}`,
    );
  for (const item of accounts) {
    const { account, state, jurisdiction, size_bytes, backup_at, clock_at, error, schema_version, bookmark } = item;
    console.log(
      `${account.padEnd(31)} ${toDatabaseName(item)} ${[state, jurisdiction].filter(Boolean).join(" ")}, ` +
        `${((size_bytes ?? 0) / 1e6).toFixed(1)} MB, ${schema_version}, backup ${formatAge(backup_at)}, ` +
        `cron job ${formatAge(clock_at)}${bookmark ? `, bookmark ${bookmark}` : ""}${error ? `, ${error}` : ""}`,
    );
  }
  for (const { account, to_cell, step: at } of moves)
    console.log(`${account} is moving to cell ${to_cell} (${at}): npm run cells -- move ${account} continues it`);
  for (const { account, kind, failures, failed_at } of jobs)
    console.log(
      `${account}: ${kind} failed ${failures} times, the last time ${formatAge(failed_at)}: ` +
        `npm run cells -- retry ${account}, or dismiss`,
    );
}

/** Returns the cell to which an unfinished move goes. */
async function findTargetCell(): Promise<string> {
  const { moves } = await callDirectory<Directory>(target, "GET", "");
  const unfinished = moves.find(({ account }) => account === subject);
  if (!unfinished) throw new Error(`${subject} isn't being moved. Add --to with the cell.`);
  return unfinished.to_cell;
}

interface MoveProgress {
  /** Next step of the move. Undefined if it has ended. */
  readonly step?: string;
  readonly rows: number;
}

async function move(): Promise<void> {
  const operator = randomUUID();
  const to = values.cancel ? undefined : (values.to ?? (await findTargetCell()));
  const body = values.cancel ? { operator, cancel: true } : { operator, to };
  for (;;) {
    const { step, rows } = await callDirectory<MoveProgress>(target, "POST", `/accounts/${subject}/move`, body).catch(
      (error: unknown): MoveProgress => {
        // The answer of the call that ended the move was lost.
        if (error instanceof Error && error.message.includes(`is already in cell ${to}`)) return { rows: 0 };
        throw error;
      },
    );
    if (step === undefined) break;
    console.log(`${step}: ${rows} rows`);
  }
  console.log(values.cancel ? `${subject} stays where it is.` : `${subject} has moved.`);
}

async function remove(): Promise<void> {
  if (!values.yes) throw new Error(`Add --yes to delete ${subject} with all its data permanently.`);
  await callDirectory(target, "DELETE", `/accounts/${subject}?confirm=${subject}`);
  console.log(`${subject} is deleted. Its backups and photos stay in the buckets.`);
}

const setServed = (action: "pause" | "resume") => async () => {
  await callDirectory(target, "POST", `/accounts/${subject}/${action}`);
  console.log(`${subject}: ${action === "pause" ? "out of service" : "in service"}. Effective within a minute.`);
};

const changeFailedWork = (action: "retry" | "dismiss") => async () => {
  await callDirectory(target, "POST", `/accounts/${subject}/jobs/${action}`);
  console.log(`${subject}: ${action === "retry" ? "its failed work is sent again within a minute" : "dismissed"}.`);
};

const EXAMPLE_ID = /^0{8}-0{4}-0{4}-0{4}-/;

async function addSpares(): Promise<void> {
  const count = readNumber("count", subject);
  const { jurisdiction = "", location = "" } = values;
  const problems = [...findDataLocationProblems({ account: "", jurisdiction, location }, target)];
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const place = chooseDataLocation({ jurisdiction, location }, target);
  const config = readWranglerConfig(environment);
  const directory = config.d1_databases.find(({ binding }) => binding === "DIRECTORY");
  if (!directory?.database_name)
    throw new Error(`${basename(getConfigPath())} binds no DIRECTORY under [env.${environment}].`);
  const { database_name: directoryName } = directory;
  if (EXAMPLE_ID.test(directory.database_id ?? "")) {
    const id = await runStep("Directory", () => createDatabase(directoryName, target, place));
    await changeWranglerConfig((toml) => setDirectoryDatabaseId(toml, environment, id));
  }
  // Apply the migrations even if the database exists, because an interrupted command may have created it without
  // tables.
  await migrateDirectory(config, environment);
  const cell = String(config.vars["CELL"] ?? "01");
  const first = Math.max(0, ...listBoundSlots(config)) + 1;
  // Bind each database as soon as it exists, so that an interrupted command leaves none without a binding.
  for (let slot = first; slot < first + count; slot++) {
    const databaseName = getSlotDatabaseName({ environment, cell, slot, jurisdiction: place.jurisdiction });
    const databaseId = await runStep(databaseName, () => createDatabase(databaseName, target, place));
    const spare: SpareDatabase = { slot, databaseName, databaseId, jurisdiction: place.jurisdiction };
    await changeWranglerConfig((toml) => addSpareDatabases(toml, environment, [spare]));
  }
  console.log(`Next: npm run deploy -- --env ${environment}, then npm run cells -- migrate --env ${environment}.`);
}

async function generate(): Promise<void> {
  if (!/^\d\d$/.test(subject) || subject <= "01") throw new Error("The cell must be two digits from 02 on.");
  const config = readWranglerConfig(environment);
  const file = join(PROJECT_ROOT, `cell-${subject}.wrangler.toml`);
  if (existsSync(file)) throw new Error(`${basename(file)} exists. Delete it first.`);
  const toml = await readFile(getConfigPath(), "utf8");
  // If a router was generated before, its configuration contains the routes.
  const router = await readFile(ROUTER_CONFIG, "utf8").catch(() => "");
  const zone = (config.routes ?? []).flatMap((route) =>
    typeof route === "object" && "zone_name" in route ? [route.zone_name] : [],
  )[0];
  const cells = Array.from({ length: Number(subject) }, (_, index) => String(index + 1).padStart(2, "0"));
  const baseDomain = String(config.vars["BASE_DOMAIN"]);
  const directoryId = config.d1_databases.find(({ binding }) => binding === "DIRECTORY")?.database_id ?? "";
  await writeAtomically(file, toFurtherCellConfig(toml, environment, subject));
  const terms = {
    environment,
    baseDomain,
    zone: zone ?? /^# Zone: (\S+)$/m.exec(router)?.[1] ?? baseDomain,
    directoryId,
    cells,
    hasRoutes: /^routes = /m.test(router),
  };
  await writeAtomically(ROUTER_CONFIG, createRouterConfig(terms));
  await writeAtomically(join(PROJECT_ROOT, "carts.wrangler.toml"), createCartsConfig(environment));
  await changeWranglerConfig((text) => toRoutedCellConfig(text, environment));
  console.log(
    `${basename(file)}, router.wrangler.toml and carts.wrangler.toml are written. docs/production.md has the next steps.`,
  );
}

async function route(): Promise<void> {
  const toml = await readFile(ROUTER_CONFIG, "utf8").catch(() => undefined);
  const find = (pattern: RegExp) => pattern.exec(toml ?? "")?.[1] ?? "";
  const [script, baseDomain, zone] = [
    find(/^name = "([^"]+)"/m),
    find(/^BASE_DOMAIN = "([^"]+)"/m),
    find(/^# Zone: (\S+)$/m),
  ];
  if (toml === undefined || zone === "") throw new Error("There is no router: npm run cells -- generate 02 writes it.");
  const assigned = await assignRoutes(zone, listRoutePatterns(baseDomain), script);
  for (const { pattern, before } of assigned) console.log(`${pattern}: ${before ?? "no Worker"} → ${script}`);
  await writeAtomically(ROUTER_CONFIG, addRoutes(toml, baseDomain, zone));
  console.log("Commit router.wrangler.toml, which has the routes now.");
}

const commands: Readonly<Record<string, () => Promise<void>>> = {
  spare: addSpares,
  migrate: () => migrateCells(target, values.cell),
  list,
  pause: setServed("pause"),
  resume: setServed("resume"),
  delete: remove,
  move,
  retry: changeFailedWork("retry"),
  dismiss: changeFailedWork("dismiss"),
  generate,
  route,
};

const WITHOUT_SUBJECT = ["list", "migrate", "route"];

try {
  const command = commands[what];
  if (!command || (subject === "" && !WITHOUT_SUBJECT.includes(what))) throw new Error(USAGE);
  await command();
} catch (error) {
  reportFailure(error);
}
