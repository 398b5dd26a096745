import { readFile } from "node:fs/promises";
import { STAFF_ROLES } from "#domain/access/sessions.ts";
import { normalizeEmail, normalizeOrCleanEmail } from "#domain/identity.ts";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import { ACCOUNT_NAME_PATTERN } from "#worker/tenancy/bindings.ts";
import { countSecretsByKey } from "#worker/usecases/operations/reencrypt-secrets.ts";
import {
  addEngineKey,
  findGatewayProblems,
  removeSigningCertificate,
  setGateway,
  setSigningCertificate,
} from "./accounts/account-access.ts";
import * as adding from "./accounts/add.ts";
import {
  addPartnerKey,
  addUser,
  PARTNER_KEY_SCOPES,
  resetPassword,
  resetSecondFactors,
  rotatePartnerKey,
  setUserActive,
} from "./accounts/credentials.ts";
import { chooseDataLocation, findDataLocationProblems } from "./accounts/data-location.ts";
import { listAccounts, usesDirectory } from "./accounts/directory.ts";
import { readMasterKey, readPreviousMasterKey, runForEachAccount, withDatabase } from "./accounts/target.ts";
import { readCommandLine, requireNamedAccount } from "./command-line.ts";
import { deployWorkers } from "./deploy.ts";
import { describeAccountError, reportFailure, reportNoAccounts } from "./steps.ts";
import { writeEnvironmentTypes } from "./types.ts";
import type { ConfiguredAccount } from "./wrangler-toml.ts";

const USAGE = `npm run account -- <command> [<account>] [options]

  add <account> --company "Blue Boats" --country ES --currency EUR --timezone Europe/Madrid --languages es,en --email you@company.example
      creates the database, binds it in wrangler.toml, applies the migrations, stores the settings, creates the first user and key
      With --remote: --jurisdiction eu|us|none, or --location weur|eeur|apac|oc|wnam|enam, where the data is stored. It can't be
      changed later. Default: DATA_JURISDICTION and DATA_LOCATION of the environment
  add --from <companies.csv>  adds one company per line. Columns: account, company, country, currency, timezone, languages, email,
      and jurisdiction and location if some differ
  add <account> --empty       adds an account without data, for npm run restore -- <other> --into <account>
  list                        lists the accounts of wrangler.toml and their contents
  remove <account> --yes      removes the binding from wrangler.toml; with --delete-data also the database, permanently
      With --remote, add and remove deploy once at the end (options --url and --built as for npm run deploy), unless --no-deploy
  credentials <account> --scopes integration,analytics [--agency "Agency"] [--label "ERP"] [--key-only]     creates a partner key
      --key-only lets it read invoices, internal bonds and charges without a signature
  credentials <account> --rotate <key>       gives a key a new secret; the old one works for 7 days
  secrets                     counts the secrets of each account that MASTER_KEY decrypts, and those that only PREVIOUS_MASTER_KEY does
  user <account> --email a@b.c --name "Ana Ruiz" --role operator|agent|manager|administrator [--branches AIR,TOWN]    adds a staff member
  user <account> --email a@b.c --reset | --disable | --enable | --forget-factors
      changes the user with that email or user name; --forget-factors removes lost passkeys, app and recovery codes

  engine-key <account> --label "Website" [--origins https://www.example.com,…] [--channel WEB]      creates a key for the company's website
  gateway <account> --method tpvA256|tpvB|tpvC|wallet_standard --environment test|live --merchant '{…}'
      adds or changes a payment gateway; the variable GATEWAY_SECRET contains its key
  signing-certificate <account> --file company.pem | --delete
      stores or deletes the company's certificate for Facturae, with its RSA key, without a password

  All commands: --remote (at Cloudflare, otherwise the local state folder), --env <environment of wrangler.toml>, --dry-run (changes nothing)`;

const { values, positionals, target } = readCommandLine(
  [
    ...(["company", "country", "currency", "timezone", "languages", "email", "name", "role", "branches"] as const),
    ...(["scopes", "agency", "label", "rotate", "origins", "channel", "method", "environment", "merchant"] as const),
    ...(["from", "url", "pause", "jurisdiction", "location", "file"] as const),
  ],
  [
    "key-only",
    "reset",
    "disable",
    "enable",
    "forget-factors",
    "yes",
    "empty",
    "no-deploy",
    "built",
    "delete-data",
    "delete",
    "dry-run",
  ],
  { most: 2, usage: USAGE },
);

const [what = "", name = ""] = positionals;
const isDry = values["dry-run"] === true;
const now = Date.now();

const formatPlan = (plan: readonly string[]) => `This would\n${plan.map((line) => `  - ${line}`).join("\n")}`;
const printPlan = (...plan: readonly string[]) => console.log(formatPlan(plan));

function split(text = ""): string[] {
  const listedItems = text.split(",").map((text) => text.trim());
  return listedItems.filter(Boolean);
}

/** Returns the named account. Throws if it doesn't exist. */
const theAccount = () => requireNamedAccount(name, target);

function inDatabase<T>(work: (db: D1Database) => Promise<T>): Promise<T> {
  return withDatabase(theAccount(), target, work);
}

async function addEmpty(): Promise<void> {
  if (!ACCOUNT_NAME_PATTERN.test(name)) throw new Error(adding.INVALID_ACCOUNT_NAME_MESSAGE);
  const terms = adding.toNewCompanySettings({ ...values, account: name });
  const problems = [...findDataLocationProblems(terms, target)];
  if (problems.length > 0) throw new Error(problems.join("\n"));
  const place = chooseDataLocation(terms, target);
  if (isDry) return printPlan(...adding.listEmptyAccountSteps(name, target, place));
  await adding.addEmptyAccount(name, target, place);
  await writeEnvironmentTypes();
  console.log(`\n${name} is there, and empty.`);
}

async function add(): Promise<void> {
  const { from } = values;
  const companies = from
    ? await adding.readNewCompanies(from)
    : [adding.toNewCompanySettings({ ...values, account: name })];
  const problems = companies.flatMap((terms, index) => {
    const accountPrefix = companies.length > 1 ? `${terms.account || "?"}: ` : "";
    const isTwice = companies.findIndex(({ account }) => account === terms.account) < index;
    const termProblems = [
      ...adding.findNewCompanyProblems(terms, target),
      ...(isTwice ? ["another line has the same name"] : []),
    ];
    return termProblems.map((problem) => `${accountPrefix}${problem}`);
  });
  if (problems.length > 0) throw new Error(problems.join("\n"));
  if (isDry) return printPlan(...companies.flatMap((terms) => adding.listAddCompanySteps(terms, target)));
  await adding.addCompanies(companies, target, now);
  await serve();
}

/** Deploys if a change of accounts needs a deployment. Otherwise prints when the account is available. */
async function serve(): Promise<void> {
  const { environment, isRemote } = target;
  if (!isRemote) return console.log("npm start serves what is there.");
  if (usesDirectory(target)) return console.log("It is served at once. No deployment is needed.");
  if (environment === undefined || values["no-deploy"])
    return console.log("New deployments take effect after npm run deploy -- --env <environment>.");
  await deployWorkers({ environment, url: values.url, isBuilt: values.built === true, pause: values.pause });
}

async function list(): Promise<void> {
  const accounts = await listAccounts(target);
  if (reportNoAccounts(accounts, target.environment)) return;
  for (const { account, ...asked } of await runForEachAccount(accounts, target, describe)) {
    const termProblems = "answer" in asked ? asked.answer : describeAccountError(asked.error);
    console.log(`${account.name.padEnd(20)} ${account.databaseName.padEnd(28)} ${termProblems}`);
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
  const keys = { masterKey: await readMasterKey(target), secondMasterKey: readPreviousMasterKey() };
  const count = (db: D1Database, { name: accountName }: ConfiguredAccount) =>
    countSecretsByKey(openDatabase(db, createUsageMeter()), { name: accountName, ...keys });
  const accounts = await listAccounts(target);
  if (reportNoAccounts(accounts, target.environment)) return;
  for (const { account, ...asked } of await runForEachAccount(accounts, target, count)) {
    const termProblems = "answer" in asked ? asked.answer : describeAccountError(asked.error);
    if (typeof termProblems === "string" || termProblems.second + termProblems.unknown > 0) process.exitCode = 1;
    const summary =
      typeof termProblems === "string"
        ? termProblems
        : `${termProblems.current} under MASTER_KEY, ${termProblems.second} under PREVIOUS_MASTER_KEY, ${termProblems.unknown} under neither`;
    console.log(`${account.name.padEnd(20)} ${summary}`);
  }
}

async function remove(): Promise<void> {
  if (usesDirectory(target))
    throw new Error(`npm run cells -- pause ${name}, then npm run cells -- delete ${name} --yes.`);
  const account = theAccount();
  const deletesData = values["delete-data"] === true;
  if (deletesData && !target.isRemote)
    throw new Error("--delete-data is for --remote: on this machine npm run reset forgets the databases, all of them.");
  const plan = adding.listRemoveCompanySteps(account, deletesData);
  if (isDry) return printPlan(...plan);
  if (!values.yes) throw new Error(`Add --yes to confirm the removal. ${formatPlan(plan)}`);
  await adding.removeCompany(account, target, { deletesData, serve });
}

async function credentials(): Promise<void> {
  const account = theAccount().name;
  if (values.rotate) return rotate(account, values.rotate);
  const keyOnly = values["key-only"] === true;
  const scopes = newScopes(keyOnly);
  const label = values.label ?? values.agency ?? "Integration";
  const keyDescription = `named ${label}${keyOnly ? ", by itself enough" : ""}`;
  if (isDry) return printPlan(`make a key for ${scopes.join(", ")} of ${account}, ${keyDescription}`);
  const terms = { account, masterKey: await readMasterKey(target), label, scopes, agency: values.agency, keyOnly, now };
  const key = await inDatabase((db) => addPartnerKey(db, terms));
  console.log(`${key.apiKey} : ${key.secret}   (${scopes.join(", ")}; shown once)`);
}

async function rotate(account: string, apiKey: string): Promise<void> {
  if (isDry) return printPlan(`give ${apiKey} of ${account} a new secret, and let the one before be good for a week`);
  const terms = { account, masterKey: await readMasterKey(target), apiKey, now };
  const { secret } = await inDatabase((db) => rotatePartnerKey(db, terms));
  console.log(`${apiKey} : ${secret}   (shown once; the secret before is good for a week)`);
}

function newScopes(keyOnly: boolean): readonly (typeof PARTNER_KEY_SCOPES)[number][] {
  const scopes = split(values.scopes);
  const known = PARTNER_KEY_SCOPES.filter((scope) => scopes.includes(scope));
  if (known.length === 0 || known.length !== scopes.length)
    throw new Error(`--scopes must be some of ${PARTNER_KEY_SCOPES.join(",")}`);
  if (known.includes("ota") && !values.agency)
    throw new Error("--agency is required for the scope ota: the key books for that agency");
  if (keyOnly && !known.includes("integration")) throw new Error("--key-only is of the scope integration");
  return known;
}

async function user(): Promise<void> {
  const email = normalizeOrCleanEmail(values.email ?? "");
  const requestedActions = (["reset", "disable", "enable", "forget-factors"] as const).filter((item) => values[item]);
  if (requestedActions.length > 1)
    throw new Error(`Say one of ${requestedActions.map((item) => `--${item}`).join(" and ")}, and only one.`);
  const [change] = requestedActions;
  if (email === "" || (!change && !normalizeEmail(email))) throw new Error("--email must be the user's address");
  theAccount();
  if (!change) return addStaff(email);
  if (change === "reset") return printNewPassword(email);
  return change === "forget-factors" ? takeFactors(email) : setUserAccess(email, change === "enable");
}

async function takeFactors(email: string): Promise<void> {
  if (isDry) return printPlan(`take passkeys, app for codes and recovery codes from ${email}, and end their sessions`);
  await inDatabase((db) => resetSecondFactors(db, email, now));
  console.log(`${email} signs in with the password alone, and sets up another second factor in the office.`);
}

async function setUserAccess(email: string, isActive: boolean): Promise<void> {
  if (isDry) return printPlan(`${isActive ? "let in" : "shut out"} ${email}, and end their sessions`);
  await inDatabase((db) => setUserActive(db, email, isActive, now));
  console.log(`${email} is ${isActive ? "let in again" : "shut out"}.`);
}

async function printNewPassword(email: string): Promise<void> {
  if (isDry) return printPlan(`give ${email} a new password, and end their sessions`);
  const password = await inDatabase((db) => resetPassword(db, email, now));
  console.log(`${email} / ${password}   (shown once)`);
}

async function addStaff(email: string): Promise<void> {
  const role = STAFF_ROLES.find((item) => item === values.role);
  if (!role) throw new Error(`--role must be one of ${STAFF_ROLES.join(", ")}`);
  const branches = values.branches === undefined ? undefined : split(values.branches);
  const fullName = values.name ?? email;
  if (isDry) return printPlan(`make ${email} (${fullName}) ${role} of ${branches?.join(", ") ?? "all branches"}`);
  const password = await inDatabase((db) => addUser(db, { email, fullName, role, branches, now }));
  console.log(`${email} / ${password}   (shown once)`);
}

async function engineKey(): Promise<void> {
  const account = theAccount().name;
  const label = values.label ?? "Website";
  if (isDry) return printPlan(`make an engine key of ${account}, named ${label}`);
  const terms = { account, label, origins: split(values.origins), salesChannel: values.channel, now };
  console.log(`${await inDatabase((db) => addEngineKey(db, terms))}   (public: it stands in the website)`);
}

async function gateway(): Promise<void> {
  const account = theAccount().name;
  const { method = "", environment = "test", merchant = "" } = values;
  const secret = process.env["GATEWAY_SECRET"] || undefined;
  const terms = { account, masterKey: await readMasterKey(target), method, environment, merchant, secret, now };
  const problems = [...findGatewayProblems(terms)];
  if (problems.length > 0) throw new Error(problems.join("\n"));
  if (isDry) return printPlan(`bind ${method} (${environment}) to ${account}, or change it`);
  await inDatabase((db) => setGateway(db, terms));
  console.log(
    `${method} (${environment}) is bound to ${account}. The office offers and tests it: settings, payment options.`,
  );
}

async function signingCertificate(): Promise<void> {
  const account = theAccount().name;
  if (values.delete === true) {
    if (isDry) return printPlan(`delete the signing certificate of ${account}`);
    await inDatabase(removeSigningCertificate);
    return console.log(`${account} has no signing certificate.`);
  }
  if (!values.file) throw new Error("--file must name a PEM file");
  const pem = await readFile(values.file, "utf8");
  if (isDry) return printPlan(`sign Facturae of ${account} with the certificate of ${values.file}`);
  const terms = { account, masterKey: await readMasterKey(target), pem, now };
  const taxIds = await inDatabase((db) => setSigningCertificate(db, terms));
  console.log(`Facturae of ${taxIds.join(", ")} are signed. Delete ${values.file}: it contains the private key.`);
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
  "signing-certificate": signingCertificate,
};

try {
  const command = commands[what];
  if (!command) throw new Error(USAGE);
  await command();
} catch (error) {
  reportFailure(error);
}
