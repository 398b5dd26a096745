// Simulates wrangler (variable WRANGLER_PROGRAM) with Cloudflare as a folder specified in STAND_IN. Logs each command
// in commands.log and behaves as in state.json. Commands without an account use the real wrangler.
import { spawnSync } from "node:child_process";
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";

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
  workers: {},
  uploaded: 0,
  fails: null,
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

const isPrinter = (option("--config") ?? "").includes("printer");
const worker = `${isPrinter ? "printer-" : ""}${option("--env") ?? "development"}`;
const command = flagless.join(" ");
const isQuiet = /^(deployments status|whoami|secret list|r2 bucket list|d1 (list|execute|time-travel))/.test(command);
if (!isQuiet)
  appendFileSync(join(folder, "commands.log"), `${command}${isPrinter || option("--env") ? ` · ${worker}` : ""}\n`);
if (!state.isSignedIn) end("You are not authenticated.", 1);
if (state.fails && new RegExp(state.fails).test(`${command} · ${worker}`))
  end("A request to Cloudflare's API failed.", 1);

const [first, second, third] = flagless;
const database = (name) => {
  const sqlite = new DatabaseSync(join(folder, `${name}.sqlite`));
  sqlite.exec("PRAGMA foreign_keys = on; PRAGMA synchronous = off");
  return sqlite;
};

switch (`${first} ${second ?? ""}`.trim()) {
  case "whoami":
    end("You are logged in.");
    break;
  case "secret list":
    end(JSON.stringify(state.secrets.map((name) => ({ name, type: "secret_text" }))));
    break;
  case "r2 bucket":
    end(state.buckets.map((name) => `name:           ${name}\ncreation_date:  2026-11-01`).join("\n\n"));
    break;
  case "deploy":
    state.workers[worker] = [{ version_id: `whole-${++state.uploaded}`, percentage: 100 }];
    end("Deployed.");
    break;
  case "triggers deploy":
    end("Deployed.");
    break;
  case "deployments status":
    end(
      state.workers[worker] ? JSON.stringify({ versions: state.workers[worker] }) : "no deployments",
      state.workers[worker] ? 0 : 1,
    );
    break;
  case "versions upload": {
    const version_id = `v${++state.uploaded}-${worker}`;
    appendFileSync(
      process.env.WRANGLER_OUTPUT_FILE_PATH,
      `${JSON.stringify({ type: "version-upload", version_id })}\n`,
    );
    end(`Uploaded ${version_id}`);
    break;
  }
  case "versions deploy":
    state.workers[worker] = flagless.slice(2).map((spec) => {
      const [version_id, percentage] = spec.replace("%", "").split("@");
      return { version_id, percentage: Number(percentage) };
    });
    end("Deployed.");
    break;
  case "d1 list":
    end(JSON.stringify(Object.entries(state.databases).map(([name, uuid]) => ({ name, uuid }))));
    break;
  case "d1 create": {
    const id = `00000000-0000-4000-8000-${String(Object.keys(state.databases).length + 1).padStart(12, "0")}`;
    state.databases[third] = id;
    end(`database_id = "${id}"`);
    break;
  }
  case "d1 delete":
    delete state.databases[third];
    end("Deleted.");
    break;
  case "d1 time-travel":
    end(JSON.stringify({ bookmark: "00000001-a" }));
    break;
  case "d1 migrations": {
    const sqlite = database(flagless[3]);
    sqlite.exec("CREATE TABLE IF NOT EXISTS d1_migrations (id INTEGER PRIMARY KEY, name TEXT UNIQUE, applied_at TEXT)");
    const applied = new Set(
      sqlite
        .prepare("SELECT name FROM d1_migrations")
        .all()
        .map(({ name }) => name),
    );
    const { readdirSync } = await import("node:fs");
    sqlite.exec("BEGIN");
    for (const file of readdirSync("migrations").sort()) {
      if (applied.has(file)) continue;
      sqlite.exec(readFileSync(join("migrations", file), "utf8"));
      sqlite.prepare("INSERT INTO d1_migrations (name) VALUES (?)").run(file);
    }
    sqlite.exec("COMMIT");
    end("Applied.");
    break;
  }
  case "d1 execute": {
    const sqlite = database(third);
    const command = option("--command");
    sqlite.exec("BEGIN");
    if (command === undefined) sqlite.exec(readFileSync(option("--file"), "utf8"));
    // As wrangler-d1.ts joins them.
    const statements = command?.split(/;\n|;$/).filter((sql) => sql.trim() !== "") ?? [];
    const answers = statements.map((sql) => ({ results: sqlite.prepare(sql).all(), success: true, meta: {} }));
    sqlite.exec("COMMIT");
    end(JSON.stringify(answers, null, 2));
    break;
  }
  default:
    end(`The stand-in knows no "${command}".`, 1);
}
