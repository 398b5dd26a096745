import { readNumber, readOptions } from "#scripts/command-line.ts";
import { createDemoRandom } from "#scripts/demo/random.ts";
import { runStep } from "#scripts/steps.ts";
import { type AccountName, type Answer, type Call, type Client, createClient } from "#tools/platform/client.ts";
import { getDemoAccount, getPartnerKey, signIn, signInAsStaff } from "#tools/platform/credentials.ts";
import { type Platform, preparePlatform } from "#tools/platform/platform.ts";
import { runTool } from "#tools/platform/run-tool.ts";
import type { Caller, RequestRecipe } from "./caller.ts";
import { formatFileReport, fuzzFiles } from "./files/fuzz-files.ts";
import { createJourneys, type Journeys, loadPendingUnits } from "./journeys.ts";
import { type KnownValues, loadKnownValues } from "./known-values.ts";
import {
  isPreexistingAccess,
  loadOfficeResources,
  type OfficeResources,
  pickResource,
  recordOfficeAnswer,
} from "./office-values.ts";
import type { Operation } from "./operations.ts";
import { readOperations } from "./read-operations.ts";
import { type FuzzReport, formatStatusTable, listNeverSuccessful, recordFuzzAnswer } from "./report.ts";
import { buildRequest, type FuzzRequest } from "./requests.ts";

// npm run fuzz -- [--requests 20000] [--files 20000] [--seed 1] [--only <path prefix> | files]: reads hostile images,
// texts and tables, and reports those that take long or much memory. Then sends hostile requests to all operations of
// the OpenAPI documents, or to those with a path prefix, and reports invalid responses.

const { values } = readOptions({
  options: {
    requests: { type: "string", default: "20000" },
    files: { type: "string", default: "20000" },
    seed: { type: "string", default: "1" },
    only: { type: "string", default: "" },
  },
});
const REQUEST_COUNT = readNumber("requests", values.requests);
const FILE_COUNT = readNumber("files", values.files);
const CONCURRENCY = 16;

/** An account under test with its caller, existing values and created data. */
interface FuzzedAccount {
  caller: Caller;
  readonly known: KnownValues;
  readonly ofOffice: OfficeResources;
  readonly journeys: Journeys;
}

async function registerBookingCustomer(
  client: Client,
  account: AccountName,
  mailbox: Platform["mailbox"],
  operations: readonly Operation[],
): Promise<FuzzedAccount> {
  const { engineKey, users } = getDemoAccount(account);
  const erp = getPartnerKey(account, `${account}-erp`);
  const keys = { ota: getPartnerKey(account, `${account}-agency`), integration: erp, analytics: erp };
  const caller = { account, keys, engineKey: engineKey.apiKey, token: await signInAsStaff(client, account) };
  const officeResources = await loadOfficeResources(client, caller, operations);
  const known = { ...officeResources.values, ...(await loadKnownValues(client, caller)) };
  const units = await loadPendingUnits(client, caller, known);
  const { username = "", password = "" } = users.at(-1) ?? {};
  const customerToken = await signIn(client, account, { username, password });
  const journeys = createJourneys({ known, units, customerToken, mailbox });
  return { caller, known, ofOffice: officeResources, journeys };
}

// A body above the limit is rejected before it's read, and its connection is closed, which may affect another request.
// A second attempt clarifies which one caused it.
function sendTwice(client: Client, call: Call): Promise<Answer> {
  return client
    .send(call)
    .catch(() => client.send(call, "anew"))
    .catch((error) => ({ status: 0, headers: {}, bytes: Buffer.from(String(error)) }));
}

interface Sent {
  readonly operation: Operation;
  readonly recipe: RequestRecipe | undefined;
  readonly request: FuzzRequest;
}

function recordAnswer(
  { journeys, ofOffice }: FuzzedAccount,
  { operation, recipe, request }: Sent,
  answer: Answer,
): void {
  const text = answer.bytes.toString();
  const token = answer.headers["authorization"];
  // A conflict in field work is a valid result that the office sees.
  const isExpectedStatus = (answer.status >= 200 && answer.status < 300) || answer.status === 409;
  if (request.method === operation.method && isExpectedStatus)
    journeys.observe({ operation, recipe, text, token: token === undefined ? token : `${token}` });
  recordOfficeAnswer(ofOffice, operation, text);
}

async function fuzz({ port, mailbox }: Platform, operations: readonly Operation[]): Promise<FuzzReport> {
  const client = createClient(port);
  const random = createDemoRandom(`fuzz ${values.seed}`);
  const acme = await registerBookingCustomer(client, "acme", mailbox, operations);
  const globex = await registerBookingCustomer(client, "globex", mailbox, operations);
  const report: FuzzReport = { statuses: new Map(), refusals: new Map(), faults: [] };
  const sendOne = async () => {
    const operation = random.pick(operations);
    const fuzzed = random.chance(0.9) ? acme : globex;
    const { caller, known, ofOffice, journeys } = fuzzed;
    const requestRecipe = journeys.pickRecipe(operation, random) ?? pickResource(ofOffice, operation, random);
    const recipe = random.chance(0.8) ? requestRecipe : undefined;
    const request = await buildRequest(operation, caller, { random, known, now: Date.now() }, recipe);
    if (isPreexistingAccess(ofOffice, request.path)) return;
    const answer = await sendTwice(client, { ...request, account: caller.account as AccountName });
    recordAnswer(fuzzed, { operation, recipe, request }, answer);
    // The request ended its own session, so start another one.
    if (answer.status === 401 && request.headers["Authorization"] === fuzzed.caller.token)
      fuzzed.caller = { ...caller, token: await signInAsStaff(client, caller.account as AccountName) };
    recordFuzzAnswer(report, operation, request, answer);
  };
  let requestCount = 0;
  const worker = async () => {
    while (requestCount++ < REQUEST_COUNT) await sendOne();
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, worker));
  return report;
}

async function countFileFaults(): Promise<number> {
  const report = await runStep(`${FILE_COUNT} files, seed ${values.seed}`, () => fuzzFiles(values.seed, FILE_COUNT));
  console.log(`\n${formatFileReport(report)}\n`);
  for (const fault of report.faults) console.log(`  ${fault}`);
  return report.faults.length;
}

await runTool("fuzz", async (stateDir) => {
  const fileFaults = values.only.startsWith("/") ? 0 : await countFileFaults();
  if (values.only === "files") return fileFaults === 0 ? 0 : 1;
  const platform = await runStep("Demo companies and Worker", () => preparePlatform(stateDir));
  await platform.start();
  const all = await readOperations();
  const operations = all.filter(({ path }) => path.startsWith(values.only));
  const report = await runStep(`${REQUEST_COUNT} requests, seed ${values.seed}`, () => fuzz(platform, operations));
  await platform.kill();
  console.log(`\n${formatStatusTable(report)}\n`);
  const never = listNeverSuccessful(report, operations);
  console.log(`${operations.length - never.length} of ${operations.length} operations were done at least once.`);
  for (const name of never) console.log(`  never: ${name} (${report.refusals.get(name) ?? "not sent"})`);
  console.log(report.faults.length === 0 ? "No fault." : `${report.faults.length} faults.`);
  return report.faults.length + fileFaults === 0 ? 0 : 1;
});
