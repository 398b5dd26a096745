import { execFile, spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, describe, expect, inject, test } from "vitest";
import { readReferences } from "#docs/build/documents.ts";
import { UNRUNNABLE_EXAMPLES } from "#docs/build/unrunnable-examples.ts";
import { type ExampleCall, toCallRequest } from "#docs/src/call.ts";
import { LANGUAGES, type Language } from "#docs/src/languages.ts";
import { createSnippet } from "#docs/src/snippets.ts";
import { bundleWorker, startLocalServer } from "#scripts/local-runtime.ts";
import { migrateLocalDatabases } from "#scripts/migrations.ts";
import { openApiDocuments } from "#scripts/openapi-documents.ts";
import { fillDemoAccounts } from "#scripts/prepare.ts";
import { PROJECT_ROOT } from "#scripts/processes.ts";
import { readOrCreateDevelopmentSecrets } from "#scripts/state-folder.ts";
import { findFreePort } from "#support/free-port.ts";
import { installOnDebian } from "#support/install-on-debian.ts";
import { IdsFromResponses } from "#support/learned-values.ts";
import { writeLocalhostResolvers } from "#support/localhost-lookup.ts";
import { demoAccounts } from "#worker/development/demo-accounts.ts";

const run = promisify(execFile);
const acme = demoAccounts[0];
/** Commands to run each language, and their Debian packages. */
const PROGRAMS: Readonly<
  Record<Language, { readonly commands: readonly string[]; readonly packages: readonly string[] }>
> = {
  curl: { commands: ["curl", "openssl", "jq"], packages: ["curl", "openssl", "jq"] },
  node: { commands: [], packages: [] },
  python: { commands: ["python3"], packages: ["python3"] },
  php: { commands: ["php"], packages: ["php-cli", "php-curl"] },
};
const listMissingLanguages = () => LANGUAGES.filter((language) => !PROGRAMS[language].commands.every(isInstalled));
if (listMissingLanguages().length > 0)
  installOnDebian(listMissingLanguages().flatMap((language) => PROGRAMS[language].packages));
const missing = listMissingLanguages();
const languages = LANGUAGES.filter((language) => !missing.includes(language));
// A release runs all calls in each language on an unchanged demo. Otherwise the test runs calls of partners and
// websites, each in one language.
const rounds: readonly (readonly Language[])[] = inject("isThorough")
  ? languages.map((language) => [language])
  : [languages];

let folder: string;
let filled: string;
let secrets: Awaited<ReturnType<typeof readOrCreateDevelopmentSecrets>>;
let bundle: Awaited<ReturnType<typeof bundleWorker>>;

function isInstalled(command: string): boolean {
  return spawnSync("bash", ["-c", `command -v ${command}`]).status === 0;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "docs-snippets-"));
  filled = join(folder, "filled");
  secrets = await readOrCreateDevelopmentSecrets(filled);
  await migrateLocalDatabases(filled);
  await fillDemoAccounts(filled, secrets);
  bundle = await bundleWorker({ development: true, folder: join(folder, "bundle") });
  await writeLocalhostResolvers(folder);
  await writeFile(join(folder, ".curlrc"), 'silent\nwrite-out = "\\n%{http_code}"\n');
}, 300_000);

afterAll(() => rm(folder, { recursive: true, force: true }));

interface Came {
  readonly status: number;
  readonly text: string;
}

/** Runs a snippet in a shell, Node, Python or PHP and parses its output. */
async function runSnippet(language: Language, snippet: string, environment: Record<string, string>): Promise<Came> {
  const env = { ...process.env, ...environment, CURL_HOME: folder, PYTHONPATH: folder };
  const options = { cwd: folder, env, maxBuffer: 50_000_000 };
  // Record errors as failures and run the others.
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

// Time limit within the shell command. Ending only the shell would leave its curl running, and this test would wait for
// it.
const TIMEOUT_SECONDS = "120";
type Options = Parameters<typeof execFile>[2] & { readonly encoding?: "utf8" };
const start = (program: string, args: readonly string[], options: object) =>
  run("timeout", ["--kill-after=5", TIMEOUT_SECONDS, program, ...args], {
    ...options,
    encoding: "utf8",
  } as Options) as Promise<{ stdout: string }>;

const programs: Readonly<Record<Language, (snippet: string, options: object) => Promise<{ stdout: string }>>> = {
  curl: (snippet, options) => start("bash", ["-c", snippet], options),
  node: (snippet, options) =>
    start(process.execPath, ["--import", join(folder, "localhost.mjs"), "--input-type=module", "-e", snippet], options),
  python: (snippet, options) => start("python3", ["-c", snippet], options),
  php: (snippet, options) => start("php", ["-r", snippet.replace(/^<\?php\n/, "")], options),
};

/** Quick start texts with calls as `{{call office/listReservations}}`. */
const CONTENT = join(PROJECT_ROOT, "pwa/docs/content");
const QUICK_STARTS = readdirSync(CONTENT)
  .map((name) => readFileSync(join(CONTENT, name), "utf8"))
  .join("");

const ENDS_SESSIONS = new Set(["signOut", "signOutEverywhere", "endSession"]);

/** Provides credentials of a call: a key by scope, or a user's token. */
class Caller {
  private readonly tokens = new Map<string, string>();
  private readonly address: string;

  constructor(address: string) {
    this.address = address;
  }

  async environmentOf(call: ExampleCall): Promise<Record<string, string>> {
    const { as, operation } =
      [...(call.first ?? []).map((firstCall) => firstCall.call), call].find((call) => call.as !== "nobody") ?? call;
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
    const requestCommand = `curl -s -D - -o /dev/null -X POST ${this.address}/api/v1/login -H 'Content-Type: application/json' -d '${body}'`;
    const { stdout } = await run("bash", ["-c", requestCommand], { env: { ...process.env, CURL_HOME: "/" } });
    const token = /^authorization: (.*)$/im.exec(stdout)?.[1]?.trim() ?? "";
    if (ENDS_SESSIONS.has(operation)) this.tokens.delete(as);
    else this.tokens.set(as, token);
    return token;
  }
}

// In document order, as for the other examples.
const byDocument = Object.keys(openApiDocuments)
  .filter((name) => inject("isThorough") || name !== "office")
  .map(
    (name) => [name, listCalls(name).filter(({ operation }) => UNRUNNABLE_EXAMPLES[operation] === undefined)] as const,
  );

function listCalls(document: string): readonly ExampleCall[] {
  const described = openApiDocuments[document]?.() as {
    paths: Record<string, Record<string, { operationId: string }>>;
  };
  const names = Object.values(described.paths).flatMap((methods) =>
    Object.values(methods).map((item) => item.operationId),
  );
  const chapters = readReferences().find((reference) => reference.document === document)?.chapters ?? [];
  const calls = chapters.flatMap(({ operations }) => operations.map(({ call }) => call));
  return names.flatMap((name) => calls.find(({ operation }) => operation === name) ?? []);
}

/** Returns path values of items created before. Calls with prerequisites set them themselves. */
function getLearnedValues({ first, parameters }: ExampleCall, learnedId: unknown): Record<string, string> {
  if (first || learnedId === undefined) return {};
  return Object.fromEntries(
    parameters.filter((parameter) => parameter.in === "path").map(({ name }) => [name, String(learnedId)]),
  );
}

// Describes a failure. Lists in quick starts must not be empty.
function describeFailure(document: string, { operation }: ExampleCall, { status, text }: Came): string | undefined {
  if (![200, 201, 202, 204, 303].includes(status)) return `${status}: ${text}`;
  const isEmpty = QUICK_STARTS.includes(`{{call ${document}/${operation}}}`) && /"data":\s*\[\]/.test(text);
  return isEmpty ? "finds nothing, and is shown in a quick start" : undefined;
}

test("finds the tools for every programming language of the documentation on this machine", () => {
  expect(missing).toEqual([]);
});

interface Failed {
  readonly operation: string;
  readonly language: Language;
  readonly failure: string;
}

/** Sends all requests of all documents to a separate demo, in one language or several in turn. */
async function askAll(round: readonly Language[]): Promise<readonly Failed[]> {
  const stateDir = await mkdtemp(join(folder, "state-"));
  await cp(filled, stateDir, { recursive: true });
  const port = await findFreePort();
  const bindings = { ...secrets, LOG_LEVEL: "error", DEVELOPMENT_PORT: String(port), WEBHOOKS: "by_the_clock" };
  const server = await startLocalServer({ stateDir, bundle, bindings, port });
  const origin = `http://acme.localhost:${port}`;
  const caller = new Caller(origin);
  const learnedValues = new IdsFromResponses();
  const failed: Failed[] = [];
  try {
    const all = byDocument.flatMap(([document, calls]) => calls.map((call) => [document, call] as const));
    for (const [index, [document, call]] of all.entries()) {
      const language = round[index % round.length] ?? "curl";
      const requestCommand = toCallRequest(call, new Date().toISOString().slice(0, 10), {
        values: getLearnedValues(call, learnedValues.valuesByName[call.operation]),
        ...(learnedValues.freeAccessId && { freeAccessId: learnedValues.freeAccessId }),
      });
      const environment = await caller.environmentOf(call);
      const snippetResult = await runSnippet(language, createSnippet(language, origin, requestCommand), environment);
      const failure = describeFailure(document, call, snippetResult);
      if (failure) failed.push({ operation: call.operation, language, failure });
      else if (snippetResult.text.startsWith("{")) learnedValues.learn(call.operation, JSON.parse(snippetResult.text));
    }
  } finally {
    await server.dispose();
  }
  return failed;
}

// Two at a time, because each runtime uses one core.
describe.each([rounds.slice(0, 2), rounds.slice(2)].filter((pair) => pair.length > 0).map((pair) => [pair]))(
  "matches the documentation's demo data to the generated data",
  (pair) => {
    // Proves "API documentation pages": Every request works with the demo, in curl, Node, Python and PHP
    test.concurrent.each(pair.map((round) => [round.join(", "), round] as const))(
      "answers every documented request unchanged when run with %s",
      async (_, round) => {
        expect(await askAll(round)).toEqual([]);
      },
      1_200_000,
    );
  },
);

test("runs more than 300 documented requests, or 90 in a short run", () => {
  const count = byDocument.reduce((sum, [, calls]) => sum + calls.length, 0);
  expect(count).toBeGreaterThan(inject("isThorough") ? 300 : 90);
});
