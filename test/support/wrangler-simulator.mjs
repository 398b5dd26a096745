// Simulates wrangler (variable WRANGLER_PROGRAM) with Cloudflare as a folder specified in STAND_IN. Logs each command
// in commands.log and behaves as in state.json. Commands without an account use the real wrangler. Refuses what
// Cloudflare refuses (decision 0069).
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { splitStatements } from "../../scripts/sql-statements.ts";
import {
  API_WINDOW_MS,
  BUCKETS_PER_PAGE,
  DATABASES_PER_PAGE,
  MAX_API_CALLS,
  MAX_RESULT_BYTES,
  MAX_STATEMENT_BYTES,
  MAX_VALUE_BYTES,
  QUEUES_PER_PAGE,
  splitLikeQueryApi,
  toSimulatedWorkerName,
} from "./cloudflare-limits.ts";

const folder = process.env.STAND_IN;
const args = process.argv.slice(2);
const option = (name) => (args.includes(name) ? args[args.indexOf(name) + 1] : undefined);
const flagless = args.filter((arg, at) => !arg.startsWith("--") && !args[at - 1]?.startsWith("--"));

const stateFile = join(folder, "state.json");
const state = {
  isSignedIn: true,
  secrets: ["MASTER_KEY", "MONITOR_KEY"],
  buckets: [],
  databases: {},
  /** Number of Cloudflare accounts of the login. */
  accounts: 1,
  /** Worker that handles the messages of a queue, by the queue's name. Null if there is none. */
  queues: {},
  /** Location and jurisdiction of databases and buckets by name. */
  places: {},
  workers: {},
  /** Latest uploaded version by Worker. It may not serve. */
  newest: {},
  /** Worker of each route. A deployment adds routes and removes none. */
  routes: {},
  uploaded: 0,
  /** Values of the secrets set with `bulk`, by version. */
  versionSecrets: {},
  fails: null,
  /** Commands during which the calling command is killed, as a pattern. */
  kills: null,
  ...(existsSync(stateFile) && JSON.parse(readFileSync(stateFile, "utf8"))),
};
const before = JSON.stringify(state);

function end(output = "", code = 0) {
  // With parallel calls, write only changes, and atomically.
  if (JSON.stringify(state) !== before) {
    writeFileSync(`${stateFile}.${process.pid}`, JSON.stringify(state));
    renameSync(`${stateFile}.${process.pid}`, stateFile);
  }
  if (output !== "") console.log(output);
  process.exit(code);
}

if (args.includes("--dry-run")) {
  const real = join(process.cwd(), "node_modules/wrangler/wrangler-dist/cli.js");
  const { status } = spawnSync(process.execPath, ["--no-warnings", real, ...args], { stdio: "inherit" });
  process.exit(status ?? 1);
}

const configFile = option("--config") ?? "wrangler.toml";
const kind = /(?:^|\/)(printer|router|carts|cell-\d\d)\.wrangler\.toml$/.exec(configFile)?.[1];
const isEnvironmentless = kind === "router" || kind === "carts";
const environment = option("--env") ?? (isEnvironmentless ? undefined : "development");
const worker = [kind, environment].filter((part) => part !== undefined).join("-");
const command = flagless.join(" ");
const isQuiet =
  /^(deployments status|whoami|secret list|versions secret list|versions list|r2 bucket (list|info)|queues (list|info)|d1 (list|info|execute|time-travel))/.test(
    command,
  );
if (!isQuiet)
  appendFileSync(join(folder, "commands.log"), `${command}${kind || option("--env") ? ` · ${worker}` : ""}\n`);
const [first, second, third] = flagless;
if (!state.isSignedIn) end("You are not authenticated.", 1);

// One line with a time for each call of the API, shared by parallel processes.
const callsFile = join(folder, "calls.log");
function callApi(times = 1) {
  const now = Date.now();
  const calls = existsSync(callsFile) ? readFileSync(callsFile, "utf8").trimEnd().split("\n") : [];
  const recent = calls.filter((at) => Number(at) > now - API_WINDOW_MS).length;
  appendFileSync(callsFile, `${now}\n`.repeat(times));
  if (recent + times > MAX_API_CALLS)
    end("Please wait and consider throttling your request speed [code: 971] (429 Too Many Requests)", 1);
}

if (first !== "whoami" && state.accounts > 1 && !process.env.CLOUDFLARE_ACCOUNT_ID)
  end("More than one account available but unable to select one in non-interactive mode.", 1);
if (state.fails && new RegExp(state.fails).test(`${command} · ${worker}`))
  end("A request to Cloudflare's API failed.", 1);
// The request has arrived at Cloudflare and takes effect.
if (state.kills && new RegExp(state.kills).test(`${command} · ${worker}`)) process.kill(process.ppid, "SIGKILL");

const database = (name) => {
  const sqlite = new DatabaseSync(join(folder, `${name}.sqlite`), {
    limits: { length: MAX_VALUE_BYTES, sqlLength: MAX_STATEMENT_BYTES, functionArg: 32 },
  });
  sqlite.exec("PRAGMA foreign_keys = on; PRAGMA synchronous = off");
  return sqlite;
};

// Runs one request in a transaction. Answers refused SQL with D1's error.
function runStatements(sqlite, statements) {
  callApi();
  try {
    sqlite.exec("BEGIN");
    const answers = statements.map((sql) => {
      if (Buffer.byteLength(sql) > MAX_STATEMENT_BYTES) throw new Error("statement too long: SQLITE_TOOBIG");
      return { results: sqlite.prepare(sql).all(), success: true, meta: {} };
    });
    sqlite.exec("COMMIT");
    if (Buffer.byteLength(JSON.stringify(answers)) > MAX_RESULT_BYTES) throw new Error("result too large");
    return answers;
  } catch (error) {
    const message = error.message === "string or blob too big" ? `${error.message}: SQLITE_TOOBIG` : error.message;
    return end(`A request to the Cloudflare API failed.\n${message}: SQLITE_ERROR [code: 7500]`, 1);
  }
}

/** Whether the latest uploaded version gets all requests. Otherwise Cloudflare refuses to change secrets. */
const isNewestServing = () =>
  state.newest[worker] === undefined ||
  state.workers[worker]?.some(
    ({ version_id, percentage }) => version_id === state.newest[worker] && percentage === 100,
  );

/** Adds a version that inherits the secrets of the latest one, with changes. A null removes a secret. */
function addVersion(changes = {}) {
  const version = `v${++state.uploaded}-${worker}`;
  const all = Object.entries({ ...state.versionSecrets[state.newest[worker]], ...changes });
  state.versionSecrets[version] = Object.fromEntries(all.filter(([, value]) => value !== null));
  state.newest[worker] = version;
  return version;
}

/** Logs the secrets of each version that serves, so that tests see which keys exist at the same time. */
function logServingSecrets() {
  const serving = Object.entries(state.workers).flatMap(([name, versions]) =>
    versions.map(({ version_id }) => ({ worker: name, ...state.versionSecrets[version_id] })),
  );
  appendFileSync(join(folder, "serving-secrets.log"), `${JSON.stringify(serving)}\n`);
}

if (first !== "d1" && first !== "whoami") callApi();

const configBlocks = (existsSync(configFile) ? readFileSync(configFile, "utf8") : "").split(/^(?=\[)/m);

/** Values of a member in the tables of that name in the Worker's configuration. */
function listConfigured(table, member) {
  const heading = option("--env") ? `[[env.${option("--env")}.${table}]]` : `[[${table}]]`;
  return configBlocks
    .filter((block) => block.startsWith(heading))
    .flatMap((block) => new RegExp(`(?:^|[{ ])${member} = "([^"]+)"`, "m").exec(block)?.[1] ?? []);
}

/** Queues in the Worker's configuration: those that it sends to, and those whose messages it handles. */
const listConfiguredQueues = (way) => listConfigured(`queues.${way}`, "queue");

/** Refuses bindings of Workers that don't exist. */
function refuseMissingWorkers() {
  const isMissing = (script) =>
    state.newest[toSimulatedWorkerName(script)] === undefined && !state.workers[toSimulatedWorkerName(script)];
  for (const script of listConfigured("services", "service").filter(isMissing))
    end(`Could not resolve service binding. Target script '${script}' not found. [code: 10143]`, 1);
  const scripts = [
    ...listConfigured("durable_objects.bindings", "script_name"),
    ...listConfigured("migrations.transferred_classes", "from_script"),
  ];
  for (const script of scripts.filter(isMissing))
    end(`Cannot create binding for class 'ShoppingCart' because script '${script}' does not exist. [code: 10061]`, 1);
}

/** Assigns the configured routes to the Worker, whose code is already uploaded then, and keeps all others. */
function assignRoutes() {
  const heading = option("--env") ? `[env.${option("--env")}]` : "";
  const root = option("--env") ? configBlocks.find((block) => block.startsWith(heading)) : configBlocks[0];
  const patterns = [...(root ?? "").matchAll(/pattern = "([^"]+)"/g)].map(([, pattern]) => pattern);
  const others = patterns.filter((pattern) => (state.routes[pattern] ?? worker) !== worker);
  if (others.length > 0)
    end(`Can't deploy routes that are assigned to another worker.\n${others.join("\n")}\nUnassign other workers`, 1);
  for (const pattern of patterns) state.routes[pattern] = worker;
}

function refuseMissingQueues(...kinds) {
  for (const queue of kinds.flatMap(listConfiguredQueues))
    if (state.queues[queue] === undefined)
      end(`Queue "${queue}" does not exist. To create it, run: wrangler queues create ${queue}`, 1);
}

/** A queue has one consumer. Versions don't include consumers: only deployments and their triggers attach them. */
function attachConsumers() {
  for (const queue of listConfiguredQueues("consumers")) {
    const other = state.queues[queue];
    if (other !== null && other !== worker) end(`Queue "${queue}" already has a consumer. [code: 11004]`, 1);
    state.queues[queue] = worker;
  }
}

switch (`${first} ${second ?? ""}`.trim()) {
  case "whoami":
    end(
      JSON.stringify({
        loggedIn: true,
        accounts: Array.from({ length: state.accounts }, (_, index) => ({
          name: `Account ${index}`,
          id: `id-${index}`,
        })),
      }),
    );
    break;
  case "secret put":
    if (!isNewestServing())
      end("Secret edit failed. The latest version of your Worker isn't currently deployed. [code: 10215]", 1);
    state.secrets = [...new Set([...state.secrets, third])];
    // Creates a missing Worker without code, as a version that serves.
    if (state.newest[worker] === undefined && !state.workers[worker]) {
      state.newest[worker] = `draft-${++state.uploaded}`;
      state.workers[worker] = [{ version_id: state.newest[worker], percentage: 100 }];
    }
    end(`Uploaded secret ${third}`);
    break;
  case "versions secret":
    if (state.newest[worker] === undefined)
      end("There are currently no uploaded versions of this Worker. Please upload a version first.", 1);
    if (third === "list") {
      const versions = state.workers[worker] ?? [];
      const list = ({ version_id, percentage }) => [
        `-- Version ${version_id} (${percentage}%) secrets --`,
        ...[...state.secrets, ...Object.keys(state.versionSecrets[version_id] ?? {})].map(
          (name) => `Secret Name: ${name}`,
        ),
      ];
      end(versions.flatMap(list).join("\n"));
    }
    if (third === "bulk") end(`Created version ${addVersion(JSON.parse(readFileSync(0, "utf8")))}.`);
    if (third === "delete") end(`Created version ${addVersion({ [flagless[3]]: null })}.`);
    addVersion();
    state.secrets = [...new Set([...state.secrets, flagless[3]])];
    end(`Created version ${state.newest[worker]} with secret ${flagless[3]}.`);
    break;
  case "secret list":
    end(JSON.stringify(state.secrets.map((name) => ({ name, type: "secret_text" }))));
    break;
  case "r2 bucket": {
    const describe = (name) => `name:           ${name}\ncreation_date:  2026-11-01`;
    const isHere = (name) => (state.places[name]?.jurisdiction ?? undefined) === option("--jurisdiction");
    const buckets = state.buckets.filter(isHere);
    // Without sorting, new buckets may be on any page.
    if (third === "list") end(buckets.toSorted().slice(0, BUCKETS_PER_PAGE).map(describe).join("\n\n"));
    if (third === "info") {
      if (!buckets.includes(flagless[3])) end("The specified bucket does not exist. [code: 10006]", 1);
      end(describe(flagless[3]));
    }
    state.buckets.push(flagless[3]);
    state.places[flagless[3]] = { jurisdiction: option("--jurisdiction"), location: option("--location") };
    end("Created.");
    break;
  }
  case "queues list": {
    const from = (Number(option("--page") ?? 1) - 1) * QUEUES_PER_PAGE;
    end(
      Object.keys(state.queues)
        .toSorted()
        .slice(from, from + QUEUES_PER_PAGE)
        .join("\n"),
    );
    break;
  }
  case "queues info":
    if (state.queues[third] === undefined) end(`Queue "${third}" does not exist.`, 1);
    end(`Queue Name: ${third}`);
    break;
  case "queues create":
    if (state.queues[third] !== undefined) end(`Queue name '${third}' is already taken. [code: 11009]`, 1);
    state.queues[third] = null;
    end(`Created queue '${third}'`);
    break;
  case "deploy":
    refuseMissingWorkers();
    refuseMissingQueues("producers", "consumers");
    attachConsumers();
    state.newest[worker] = `whole-${++state.uploaded}`;
    state.workers[worker] = [{ version_id: state.newest[worker], percentage: 100 }];
    assignRoutes();
    end("Deployed.");
    break;
  case "triggers deploy":
    refuseMissingQueues("producers", "consumers");
    attachConsumers();
    assignRoutes();
    end("Deployed.");
    break;
  case "deployments status":
    end(
      state.workers[worker] ? JSON.stringify({ versions: state.workers[worker] }) : "no deployments",
      state.workers[worker] ? 0 : 1,
    );
    break;
  case "versions upload": {
    if (state.newest[worker]?.startsWith("draft") && listConfigured("migrations", "tag").length > 0)
      end("Version upload failed. Migrations must be fully applied by wrangler deploy first. [code: 10211]", 1);
    refuseMissingWorkers();
    refuseMissingQueues("producers");
    const version_id = addVersion();
    appendFileSync(
      process.env.WRANGLER_OUTPUT_FILE_PATH,
      `${JSON.stringify({ type: "version-upload", version_id })}\n`,
    );
    end(`Uploaded ${version_id}`);
    break;
  }
  case "versions list": {
    const toNumber = (id) => Number(/^v(\d+)-/.exec(id)?.[1] ?? 0);
    const ids = (state.workers[worker] ?? []).map(({ version_id }) => version_id);
    end(JSON.stringify(ids.toSorted((a, b) => toNumber(a) - toNumber(b)).map((id) => ({ id }))));
    break;
  }
  case "versions deploy":
    state.workers[worker] = flagless.slice(2).map((spec) => {
      const [version_id, percentage] = spec.replace("%", "").split("@");
      return { version_id, percentage: Number(percentage) };
    });
    logServingSecrets();
    end("Deployed.");
    break;
  case "d1 list":
    callApi(Math.floor(Object.keys(state.databases).length / DATABASES_PER_PAGE) + 1);
    end(JSON.stringify(Object.entries(state.databases).map(([name, uuid]) => ({ name, uuid }))));
    break;
  case "d1 info": {
    callApi();
    // The configured id counts, if the Worker binds a database of that name.
    const names = listConfigured("d1_databases", "database_name");
    const configured = listConfigured("d1_databases", "database_id")[names.indexOf(third)];
    const uuid = configured ?? state.databases[third];
    const name = Object.keys(state.databases).find((database) => state.databases[database] === uuid);
    if (name === undefined) end("The database was not found. [code: 7404]", 1);
    end(JSON.stringify({ name, uuid, jurisdiction: state.places[name]?.jurisdiction ?? null }));
    break;
  }
  case "d1 create": {
    callApi();
    const [jurisdiction, location] = [option("--jurisdiction"), option("--location")];
    if (state.databases[third] !== undefined) end("A database with that name already exists. [code: 7502]", 1);
    const id = `00000000-0000-4000-8000-${String(Object.keys(state.databases).length + 1).padStart(12, "0")}`;
    state.databases[third] = id;
    state.places[third] = { jurisdiction, location };
    end(`database_id = "${id}"`);
    break;
  }
  case "d1 delete":
    callApi();
    delete state.databases[third];
    end("Deleted.");
    break;
  case "d1 time-travel":
    callApi();
    end(JSON.stringify({ bookmark: "00000001-a" }));
    break;
  case "d1 migrations": {
    const sqlite = database(flagless[3]);
    const created = `CREATE TABLE IF NOT EXISTS d1_migrations(
      id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT UNIQUE,
      applied_at TIMESTAMP DEFAULT CURRENT_TIMESTAMP NOT NULL);`;
    runStatements(sqlite, splitLikeQueryApi(created));
    const [applied] = runStatements(sqlite, ["SELECT name FROM d1_migrations"]);
    const names = new Set(applied.results.map(({ name }) => name));
    const isOwn = (block) => block.includes(`database_name = "${flagless[3]}"`);
    const configured = /^migrations_dir = "([^"]+)"/m.exec(configBlocks.find(isOwn) ?? "")?.[1];
    const migrations = process.env.STAND_IN_MIGRATIONS ?? configured ?? "migrations";
    for (const file of readdirSync(migrations).sort()) {
      if (names.has(file)) continue;
      const text = readFileSync(join(migrations, file), "utf8");
      runStatements(sqlite, splitLikeQueryApi(`${text}\nINSERT INTO d1_migrations (name) values ('${file}');`));
    }
    end("Applied.");
    break;
  }
  case "d1 execute": {
    const sqlite = database(third);
    const command = option("--command");
    const answers =
      command === undefined
        ? runStatements(sqlite, splitStatements(readFileSync(option("--file"), "utf8")))
        : runStatements(sqlite, splitLikeQueryApi(command));
    end(JSON.stringify(answers, null, 2));
    break;
  }
  default:
    end(`The stand-in knows no "${command}".`, 1);
}
