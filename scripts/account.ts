import { newMeter, openDatabase } from "#worker/store/database.ts";
import { countSealed } from "#worker/usecases/operations/reseal-secrets.ts";
import { addEmptyAccount, findNameProblems, findProblems, planOf, planOfEmpty } from "./accounts/add.ts";
import { addCompanies, planOfRemoval, readTerms, removeCompany, termsOf } from "./accounts/companies.ts";
import {
  addPartnerKey,
  addUser,
  ROLES,
  resetPassword,
  rotatePartnerKey,
  SCOPES,
  type Scope,
  setUserActive,
} from "./accounts/credentials.ts";
import { addEngineKey, findGatewayProblems, setGateway } from "./accounts/openings.ts";
import { masterKeyOf, secondMasterKeyOf, withDatabase } from "./accounts/target.ts";
import { accountNamed, readCommandLine } from "./command-line.ts";
import { deploy } from "./deploy.ts";
import { readAccounts } from "./local-runtime.ts";
import { reportFailure, unreadable } from "./steps.ts";
import { writeEnvironmentTypes } from "./types.ts";

const USAGE = `npm run account -- <what> [<account>] [options]

  add <account> --company "Blue Boats" --country ES --currency EUR --timezone Europe/Madrid --languages es,en --email you@company.example
      creates its database, binds it in wrangler.toml, applies the migrations, stores its settings, makes its first user and key
  add --from <companies.csv>  a line for each, with the columns account, company, country, currency, timezone, languages, email
  add <account> --empty       the same without anything in it: for npm run restore -- <other> --into <account>
  list                        the accounts of wrangler.toml, with what is in each
  remove <account> --yes      takes its binding out of wrangler.toml; with --delete-data its database, too, for good
      add and remove deploy once at the end where they are --remote (as npm run deploy does, with --url and --built); not with --no-deploy
  credentials <account> --scopes integration,analytics [--agency "Agency"] [--label "ERP"] [--key-only]     makes a partner key;
      with --key-only it opens invoices, internal bonds and charges without a signature
  credentials <account> --rotate <key>       gives a key a new secret; the one before stays good for a week
  secrets                     how many secrets of each account MASTER_KEY opens, and how many only SECOND_MASTER_KEY: while the master key is changed
  user <account> --email a@b.c --name "Ana Ruiz" --role operator|manager|administrator [--branches AIR,TOWN]    adds a member of staff
  user <account> --email a@b.c --reset | --disable | --enable

  engine-key <account> --label "Website" [--origins https://www.example.com,…] [--channel WEB]      makes a key for the company's website
  gateway <account> --method tpvA256|tpvB|tpvC|wallet_standard --environment test|live --merchant '{…}'
      binds a payment gateway or changes it; its key comes by the variable GATEWAY_SECRET

  everywhere: --remote (at Cloudflare; else the local state folder), --env <environment of wrangler.toml>, --dry-run (say what would be done)`;

const { values, positionals, target } = readCommandLine(
  [
    ...(["company", "country", "currency", "timezone", "languages", "email", "name", "role", "branches"] as const),
    ...(["scopes", "agency", "label", "rotate", "origins", "channel", "method", "environment", "merchant"] as const),
    ...(["from", "url", "pause"] as const),
  ],
  ["key-only", "reset", "disable", "enable", "yes", "empty", "no-deploy", "built", "delete-data", "dry-run"],
);

const [what = "", name = ""] = positionals;
const isDry = values["dry-run"] === true;
const now = Date.now();

function printPlan(plan: readonly string[]): void {
  console.log(`This would\n${plan.map((line) => `  - ${line}`).join("\n")}`);
}

function split(text: string | undefined): string[] {
  return (text ?? "")
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
}

/** The account that is named, which must be there. */
const theAccount = () => accountNamed(name, target);

function inDatabase<T>(work: (db: D1Database) => Promise<T>): Promise<T> {
  return withDatabase(theAccount(), target, work);
}

async function addEmpty(): Promise<void> {
  const problems = findNameProblems(name);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  if (isDry) return printPlan(planOfEmpty(name, target));
  await addEmptyAccount(name, target);
  await writeEnvironmentTypes();
  console.log(`\n${name} is there, and empty.`);
}

async function add(): Promise<void> {
  const companies = values.from === undefined ? [termsOf({ ...values, account: name })] : await readTerms(values.from);
  const problems = companies.flatMap((terms) =>
    findProblems(terms).map((problem) => (companies.length > 1 ? `${terms.name || "?"}: ${problem}` : problem)),
  );
  if (problems.length > 0) throw new Error(problems.join("\n"));
  if (isDry) return printPlan(companies.flatMap((terms) => planOf(terms, target)));
  await addCompanies(companies, target, { now, log: console.log });
  await serve();
}

/** Where accounts are at Cloudflare, the Workers have to be deployed to know them. */
async function serve(): Promise<void> {
  const { environment, isRemote } = target;
  if (!isRemote) return console.log("npm start serves what is there.");
  if (environment === undefined || values["no-deploy"])
    return console.log("Nobody is served anew before npm run deploy -- --env <environment>.");
  const pauseMilliseconds = values.pause === undefined ? {} : { pauseMilliseconds: Number(values.pause) * 1000 };
  await deploy({ environment, url: values.url, isBuilt: values.built === true, ...pauseMilliseconds });
}

async function list(): Promise<void> {
  const accounts = readAccounts(target.environment);
  for (const account of accounts) {
    const found = await withDatabase(account, target, describe).catch(unreadable);
    console.log(`${account.name.padEnd(20)} ${account.databaseName.padEnd(28)} ${found}`);
  }
}

async function describe(db: D1Database): Promise<string> {
  const migrated = await db.prepare("SELECT 1 AS found FROM sqlite_master WHERE name = 'settings'").first();
  if (!migrated) return "not migrated yet";
  const row = await db
    .prepare(`SELECT (SELECT account_name FROM settings) AS company, (SELECT count(*) FROM vehicles) AS vehicles,
      (SELECT count(*) FROM bookings) AS bookings, (SELECT count(*) FROM users WHERE kind = 'staff' AND active = 1) AS staff,
      (SELECT count(*) FROM d1_migrations) AS migrations`)
    .first<Record<"company" | "vehicles" | "bookings" | "staff" | "migrations", string | number | null>>();
  if (!row?.company) return "no settings yet";
  return `${row.company}: ${row.vehicles} vehicles, ${row.bookings} bookings, ${row.staff} members of staff, ${row.migrations} migrations`;
}

async function secrets(): Promise<void> {
  const keys = { masterKey: await masterKeyOf(target), secondMasterKey: secondMasterKeyOf() };
  for (const account of readAccounts(target.environment)) {
    const summary = await withDatabase(account, target, async (db) => {
      const of = { name: account.name, ...keys };
      const { inUse, second, unknown } = await countSealed(openDatabase(db, newMeter()), of);
      if (second + unknown > 0) process.exitCode = 1;
      return `${inUse} under MASTER_KEY, ${second} under SECOND_MASTER_KEY, ${unknown} under neither`;
    }).catch((error: unknown) => {
      process.exitCode = 1;
      return unreadable(error);
    });
    console.log(`${account.name.padEnd(20)} ${summary}`);
  }
}

async function remove(): Promise<void> {
  const account = theAccount();
  const deletesData = values["delete-data"] === true;
  const plan = planOfRemoval(account, deletesData);
  if (isDry) return printPlan(plan);
  if (!values.yes)
    throw new Error(`To remove an account say --yes. This would\n${plan.map((line) => `  - ${line}`).join("\n")}`);
  await removeCompany(account, target, { deletesData, log: console.log, serve });
}

async function credentials(): Promise<void> {
  const account = theAccount().name;
  if (values.rotate) {
    const apiKey = values.rotate;
    if (isDry)
      return printPlan([`give ${apiKey} of ${account} a new secret, and let the one before be good for a week`]);
    const masterKey = await masterKeyOf(target);
    const key = await inDatabase((db) => rotatePartnerKey(db, { account, masterKey, apiKey, now }));
    return console.log(`${key.apiKey} : ${key.secret}   (shown once; the secret before is good for a week)`);
  }
  const keyOnly = values["key-only"] === true;
  const known = newScopes(keyOnly);
  const label = values.label ?? values.agency ?? "Integration";
  if (isDry)
    return printPlan([
      `make a key for ${known.join(", ")} of ${account}, named ${label}${keyOnly ? ", by itself enough" : ""}`,
    ]);
  const masterKey = await masterKeyOf(target);
  const key = await inDatabase((db) =>
    addPartnerKey(db, { account, masterKey, label, scopes: known, agency: values.agency, keyOnly, now }),
  );
  console.log(`${key.apiKey} : ${key.secret}   (${known.join(", ")}; shown once)`);
}

function newScopes(keyOnly: boolean): readonly Scope[] {
  const scopes = split(values.scopes);
  const known = SCOPES.filter((scope) => scopes.includes(scope));
  if (known.length === 0 || known.length !== scopes.length)
    throw new Error(`--scopes must be some of ${SCOPES.join(",")}`);
  if (known.includes("ota") && !values.agency)
    throw new Error("--agency is required for the scope ota: whose bookings the key makes and sees");
  if (keyOnly && !known.includes("integration")) throw new Error("--key-only is of the scope integration");
  return known;
}

async function user(): Promise<void> {
  const email = values.email ?? "";
  if (!/^[^\s@]+@[^\s@]+\.[^\s@]+$/.test(email)) throw new Error("--email must be the user's address");
  theAccount();
  if (values.disable || values.enable) return letIn(email, values.enable === true);
  return values.reset ? giveNewPassword(email) : addStaff(email);
}

async function letIn(email: string, isActive: boolean): Promise<void> {
  if (isDry) return printPlan([`${isActive ? "let in" : "shut out"} ${email}, and end their sessions`]);
  await inDatabase((db) => setUserActive(db, email, isActive, now));
  console.log(`${email} is ${isActive ? "let in again" : "shut out"}.`);
}

async function giveNewPassword(email: string): Promise<void> {
  if (isDry) return printPlan([`give ${email} a new password, and end their sessions`]);
  const { password } = await inDatabase((db) => resetPassword(db, email, now));
  console.log(`${email} / ${password}   (shown once)`);
}

async function addStaff(email: string): Promise<void> {
  const role = ROLES.find((one) => one === values.role);
  if (!role) throw new Error(`--role must be one of ${ROLES.join(", ")}`);
  const branches = values.branches === undefined ? undefined : split(values.branches);
  const fullName = values.name ?? email;
  if (isDry) return printPlan([`make ${email} (${fullName}) ${role} of ${branches?.join(", ") ?? "all branches"}`]);
  const { password } = await inDatabase((db) => addUser(db, { email, fullName, role, branches, now }));
  console.log(`${email} / ${password}   (shown once)`);
}

async function engineKey(): Promise<void> {
  const account = theAccount().name;
  const label = values.label ?? "Website";
  if (isDry) return printPlan([`make an engine key of ${account}, named ${label}`]);
  const terms = { account, label, origins: split(values.origins), salesChannel: values.channel, now };
  console.log(`${await inDatabase((db) => addEngineKey(db, terms))}   (public: it stands in the website)`);
}

async function gateway(): Promise<void> {
  const account = theAccount().name;
  const { method = "", environment = "test", merchant = "" } = values;
  const secret = process.env["GATEWAY_SECRET"] || undefined;
  const terms = { account, masterKey: await masterKeyOf(target), method, environment, merchant, secret, now };
  const problems = findGatewayProblems(terms);
  if (problems.length > 0) throw new Error(problems.join("\n"));
  if (isDry) return printPlan([`bind ${method} (${environment}) to ${account}, or change it`]);
  await inDatabase((db) => setGateway(db, terms));
  console.log(
    `${method} (${environment}) is bound to ${account}. The office offers and tests it: settings, payment options.`,
  );
}

const commands: Readonly<Record<string, () => Promise<void>>> = {
  add: values.empty ? addEmpty : add,
  list,
  remove,
  credentials,
  secrets,
  user,
  "engine-key": engineKey,
  gateway,
};

try {
  const command = commands[what];
  if (!command) throw new Error(USAGE);
  await command();
} catch (error) {
  reportFailure(error);
}
