import { execFile, spawnSync } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { readReferences } from "#docs/build/documents.ts";
import { NEEDS } from "#docs/build/needs.ts";
import { type Call, toAsked } from "#docs/src/call.ts";
import { LANGUAGES, type Language } from "#docs/src/languages.ts";
import { snippetOf } from "#docs/src/snippets.ts";
import { bundleWorker, type LocalServer, serve } from "#scripts/local-runtime.ts";
import { migrate } from "#scripts/migrations.ts";
import { openApiDocuments } from "#scripts/openapi-documents.ts";
import { fillDemoAccounts } from "#scripts/prepare.ts";
import { developmentSecrets } from "#scripts/state-folder.ts";
import { freePort } from "#support/free-port.ts";
import { Learned } from "#support/learned.ts";
import { writeLookups } from "#support/localhost-lookup.ts";
import { demoAccounts } from "#worker/development/demo-accounts.ts";

const run = promisify(execFile);
const acme = demoAccounts[0];
const INSTALLED: Readonly<Record<Language, boolean>> = {
  curl: true,
  node: true,
  python: isInstalled("python3"),
  php: isInstalled("php"),
};
const languages = LANGUAGES.filter((language) => INSTALLED[language]);
const missing = LANGUAGES.filter((language) => !INSTALLED[language]);
if (missing.length > 0)
  console.warn(`Not run, because this machine does not have it: the snippets in ${missing.join(", ")}`);
// The gate runs what partners and websites ask, each in one of the languages; a release runs everything in all of them,
// each language on a demo as it stands.
const rounds: readonly (readonly Language[])[] = inject("isThorough") ? languages.map((one) => [one]) : [languages];

let folder: string;
let filled: string;
let secrets: Awaited<ReturnType<typeof developmentSecrets>>;
let bundle: Awaited<ReturnType<typeof bundleWorker>>;

function isInstalled(command: string): boolean {
  return spawnSync(command, ["--version"]).status === 0;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docs-snippets-"));
  filled = join(folder, "filled");
  secrets = await developmentSecrets(filled);
  await migrate(filled);
  await fillDemoAccounts(filled, secrets);
  bundle = await bundleWorker({ development: true, folder: join(folder, "bundle") });
  await writeLookups(folder);
  await writeFile(join(folder, ".curlrc"), 'silent\nwrite-out = "\\n%{http_code}"\n');
}, 300_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

interface Came {
  readonly status: number;
  readonly text: string;
}

/** Runs a snippet as it stands in a shell, in Node, in Python or in PHP, and reads what it printed. */
async function runSnippet(language: Language, snippet: string, environment: Record<string, string>): Promise<Came> {
  const env = { ...process.env, ...environment, CURL_HOME: folder, PYTHONPATH: folder };
  const options = { cwd: folder, env, timeout: 60_000, maxBuffer: 50_000_000 };
  // What ends in an error of its own is a failure of its own: the others are run all the same.
  const ran = await programs[language](snippet, options).catch((error: unknown) => String(error));
  if (typeof ran === "string") return { status: 0, text: ran };
  const { stdout } = ran;
  const text = stdout.trimEnd();
  if (language === "curl") {
    const at = text.lastIndexOf("\n");
    return { status: Number(text.slice(at + 1)), text: text.slice(0, Math.max(at, 0)) };
  }
  return { status: Number.parseInt(text, 10), text: text.slice(text.indexOf(" ") + 1) };
}

type Options = Parameters<typeof execFile>[2] & { readonly encoding?: "utf8" };
const start = (program: string, args: readonly string[], options: object) =>
  run(program, [...args], { ...options, encoding: "utf8" } as Options) as Promise<{ stdout: string }>;

const programs: Readonly<Record<Language, (snippet: string, options: object) => Promise<{ stdout: string }>>> = {
  curl: (snippet, options) => start("bash", ["-c", snippet], options),
  node: (snippet, options) =>
    start(process.execPath, ["--import", join(folder, "localhost.mjs"), "--input-type=module", "-e", snippet], options),
  python: (snippet, options) => start("python3", ["-c", snippet], options),
  php: (snippet, options) => start("php", ["-r", snippet.replace(/^<\?php\n/, "")], options),
};

const ENDS_SESSIONS = new Set(["signOut", "signOutEverywhere", "endSession"]);

/** Who calls: a key by its scope, or the token of somebody who signs in. */
class Caller {
  private readonly tokens = new Map<string, string>();
  private readonly address: string;

  constructor(address: string) {
    this.address = address;
  }

  async environmentOf(call: Call): Promise<Record<string, string>> {
    const { as, operation } =
      [...(call.first ?? []).map((one) => one.call), call].find((one) => one.as !== "nobody") ?? call;
    if (as === "nobody") return {};
    if (as === "staff" || as === "customer") return { RENTAL_TOKEN: await this.tokenOf(as, operation) };
    const key = acme?.partnerKeys.find(({ use }) => (as === "ota" ? use === "agency" : use.includes(as)));
    return { RENTAL_KEY: key?.apiKey ?? "", RENTAL_SECRET: key?.secret ?? "" };
  }

  private async tokenOf(as: string, operation: string): Promise<string> {
    const known = this.tokens.get(as);
    if (known && !ENDS_SESSIONS.has(operation)) return known;
    const user = acme?.users.find(({ username }) => username.startsWith(`${as}@`));
    const body = JSON.stringify({ username: user?.username, password: user?.password });
    const asked = `curl -s -D - -o /dev/null -X POST ${this.address}/api/v1/login -H 'Content-Type: application/json' -d '${body}'`;
    const { stdout } = await run("bash", ["-c", asked], { env: { ...process.env, CURL_HOME: "/" } });
    const token = /^authorization: (.*)$/im.exec(stdout)?.[1]?.trim() ?? "";
    if (ENDS_SESSIONS.has(operation)) this.tokens.delete(as);
    else this.tokens.set(as, token);
    return token;
  }
}

const operations = inTheirOrder();

// In the order of the documents, which the other examples are asked in, too.
function inTheirOrder(): readonly Call[] {
  const documents = Object.keys(openApiDocuments).filter((name) => inject("isThorough") || name !== "office");
  const byDocument = new Map(readReferences().map(({ document, chapters }) => [document, chapters]));
  return documents.flatMap((document) => {
    const described = openApiDocuments[document]?.() as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    const names = Object.values(described.paths).flatMap((methods) =>
      Object.values(methods).map((one) => one.operationId),
    );
    const calls = (byDocument.get(document) ?? []).flatMap(({ operations: of }) => of.map(({ call }) => call));
    return names.flatMap((name) => calls.find(({ operation }) => operation === name) ?? []);
  });
}

/**
 * What stands in a path instead of the example: what was made before. Calls that bring others with them name it
 * themselves.
 */
function learnedValues({ first, parameters }: Call, named: unknown): Record<string, string> {
  if (first || named === undefined) return {};
  return Object.fromEntries(parameters.filter((one) => one.in === "path").map(({ name }) => [name, String(named)]));
}

describe.each(rounds.map((round) => [round.join(", "), round] as const))("in %s", (_, round) => {
  let server: LocalServer;
  let stateDir: string;
  let origin: string;

  beforeAll(async () => {
    stateDir = await mkdtemp(join(folder, "state-"));
    await cp(filled, stateDir, { recursive: true });
    const port = await freePort();
    const bindings = { ...secrets, LOG_LEVEL: "error", DEVELOPMENT_PORT: String(port), WEBHOOKS: "by_the_clock" };
    server = await serve({ stateDir, bundle, bindings, port });
    origin = `http://acme.localhost:${port}`;
  }, 300_000);

  afterAll(() => server.dispose());

  test("every request of the documentation works as it stands, with the demo as it stands", async () => {
    const learned = new Learned();
    const caller = new Caller(origin);
    const failed: unknown[] = [];
    let done = 0;
    for (const call of operations.filter(({ operation }) => NEEDS[operation] === undefined)) {
      const language = round[done % round.length] ?? "curl";
      const values = learnedValues(call, learned.named[call.operation]);
      const asked = toAsked(call, new Date().toISOString().slice(0, 10), {
        values,
        ...(learned.freeAccessId && { freeAccessId: learned.freeAccessId }),
      });
      const environment = await caller.environmentOf(call);
      const { status, text } = await runSnippet(language, snippetOf(language, origin, asked), environment);
      if (![200, 201, 202, 204, 303].includes(status))
        failed.push({ operation: call.operation, language, status, text });
      else if (text.startsWith("{")) learned.learn(call.operation, JSON.parse(text));
      done += 1;
    }
    expect(failed).toEqual([]);
    expect(done).toBeGreaterThan(inject("isThorough") ? 300 : 90);
  }, 1_200_000);
});
