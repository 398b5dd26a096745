import { Secret, TOTP } from "otpauth";
import { type Authenticator, createAuthenticator } from "#support/authenticator.ts";
import {
  type AccountName,
  type Answer,
  type Call,
  createJsonCall,
  createUnexpectedAnswerError,
  parseJson,
} from "#tools/platform/client.ts";
import type { ChaosWriter, WriterContext } from "./context.ts";
import { buildOfficeCall, sendWithIdempotencyKey, writeOfficeResource } from "./office-requests.ts";
import { readSessionId } from "./people.ts";
import { expectRows } from "./record-expectations.ts";

const STEP_MILLISECONDS = 30_000;
const CODES = 10;
const USER = "SELECT id FROM users WHERE username = ?";
const APP = `SELECT 1 FROM second_factors WHERE confirmed_at IS NOT NULL AND user_id = (${USER})`;
const RECOVERY = `SELECT 1 FROM recovery_codes WHERE user_id = (${USER})`;
const PASSKEY = `SELECT 1 FROM passkeys WHERE user_id = (${USER}) AND id = ?`;
const ANY_PASSKEY = `SELECT 1 FROM passkeys WHERE user_id = (${USER})`;
const OPEN = `SELECT 1 FROM user_sessions WHERE user_id = (${USER}) AND revoked_at IS NULL AND id IN (?, ?)`;

interface Person {
  readonly account: AccountName;
  readonly username: string;
  readonly password: string;
  readonly id: string;
}

/**
 * Creates a new staff user who sets up an authenticator app, recovery codes and a passkey, and ends one or all sessions
 * or loses all factors.
 */
export function createFactorsWriter(account: AccountName): ChaosWriter {
  return async (context) => {
    const person = await enter(context, account);
    const first = person && (await signIn(context, person));
    const app = first && (await enrol(context, person, first));
    if (!app) return;
    if (await signIn(context, person)) throw new Error(`${person.username} was asked for no code`);
    const second = await signIn(context, person, { code: app.codes[0] });
    expectCodes(context, person, second === undefined ? [CODES - 1, CODES] : CODES - 1);
    await prove(context, person, first, { code: generateCode(app.secret, 0) });
    await renewCodes(context, person, first);
    await addAndProvePasskey(context, person, first);
    await end(context, person, { first, second: second ?? first, secret: app.secret });
  };
}

async function end(
  context: WriterContext,
  person: Person,
  { first, second, secret }: { readonly first: string; readonly second: string; readonly secret: string },
): Promise<void> {
  if (context.random.chance(0.3)) return loseAll(context, person);
  if (context.random.chance(0.5)) await removeApp(context, person, first, secret);
  await leave(context, person, [first, second]);
}

async function addAndProvePasskey(context: WriterContext, person: Person, token: string): Promise<void> {
  const passkey = await addPasskey(context, person, token);
  if (!passkey) return;
  await provePasskey(context, person, token, passkey);
  if (context.random.chance(0.5)) await removePasskey(context, person, token, passkey);
}

async function enter(context: WriterContext, account: AccountName): Promise<Person | undefined> {
  const unique = context.random.hex(10);
  const [username, password] = [`factor-${unique}`, `Factor-${unique}!`];
  const userFields = { email: `${username}@example.com`, full_name: "Fay Factor", role: "agent" };
  const body = { username, password, ...userFields, branch_codes: context.accountData[account].branches.slice(0, 1) };
  const createdUser = await writeOfficeResource(context, {
    account,
    method: "POST",
    path: "/users",
    body,
    kind: "users",
  });
  return createdUser && { account, username, password, id: createdUser.id };
}

async function signIn(
  { client, history }: WriterContext,
  { account, username, password }: Person,
  proof: object = {},
): Promise<string | undefined> {
  const login = createJsonCall({ account, method: "POST", path: "/api/v1/login" }, { username, password, ...proof });
  const answer = await client.sendUntilAnswered(login);
  if (answer.status !== 200) throw createUnexpectedAnswerError(login, answer);
  const { connected, second_factor } = parseJson(answer);
  if (!connected && second_factor === undefined) throw createUnexpectedAnswerError(login, answer);
  if (!connected) return undefined;
  history.logins += 1;
  return String(answer.headers["authorization"]);
}

async function ask(
  { client }: WriterContext,
  { account }: Person,
  token: string,
  { method = "POST", path, body }: { readonly method?: string; readonly path: string; readonly body?: object },
): Promise<{ readonly call: Call; readonly answer: Answer }> {
  const call = buildOfficeCall(token, { account, method, path: `/api/v1${path}` }, body);
  return { call, answer: await client.sendUntilAnswered(call) };
}

// Each code is valid once, as are those of the previous and next 30 seconds.
function generateCode(secret: string, steps: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + steps * STEP_MILLISECONDS,
  });
}

function expectCodes(context: WriterContext, { account, username }: Person, rows: Parameters<typeof expectRows>[3]) {
  expectRows(context, `recovery codes of ${username}`, { account, sql: RECOVERY, values: [username] }, rows);
}

function expectApp(context: WriterContext, { account, username }: Person, rows: Parameters<typeof expectRows>[3]) {
  expectRows(context, `app for codes of ${username}`, { account, sql: APP, values: [username] }, rows);
}

// Recovery codes are returned once. After a lost response, the user has only the app.
async function enrol(context: WriterContext, person: Person, token: string) {
  const enrolment = await ask(context, person, token, { path: "/second-factor" });
  if (enrolment.answer.status !== 200) throw createUnexpectedAnswerError(enrolment.call, enrolment.answer);
  const { secret } = parseJson(enrolment.answer);
  expectApp(context, person, [0, 1]);
  const body = { code: generateCode(secret, -1) };
  const { call, answer } = await ask(context, person, token, { path: "/second-factor/confirm", body });
  if (answer.status === 400) return undefined;
  if (answer.status !== 200) throw createUnexpectedAnswerError(call, answer);
  const codes: readonly string[] = parseJson(answer).recovery_codes;
  expectApp(context, person, 1);
  expectCodes(context, person, [CODES - 1, CODES]);
  return { secret: String(secret), codes };
}

// After a retry the codes of the later response are valid.
async function renewCodes(context: WriterContext, person: Person, token: string): Promise<void> {
  expectCodes(context, person, [CODES - 1, CODES]);
  const { call, answer } = await ask(context, person, token, { path: "/second-factor/recovery-codes" });
  if (answer.status !== 200) throw createUnexpectedAnswerError(call, answer);
  expectCodes(context, person, CODES);
}

// A retry after a lost response is rejected, because each proof is valid once.
async function prove(context: WriterContext, person: Person, token: string, proof: object): Promise<void> {
  const { call, answer } = await ask(context, person, token, { path: "/second-factor/prove", body: proof });
  if (answer.status !== 200) throw createUnexpectedAnswerError(call, answer);
}

async function challenge(context: WriterContext, person: Person, token: string) {
  const { call, answer } = await ask(context, person, token, { path: "/second-factor/passkeys/challenge" });
  if (answer.status !== 200) throw createUnexpectedAnswerError(call, answer);
  return parseJson(answer);
}

function expectPasskey(context: WriterContext, { account, username }: Person, id: string, rows: 0 | 1 | [0, 1]) {
  expectRows(context, `passkey of ${username}`, { account, sql: PASSKEY, values: [username, id] }, rows);
}

async function addPasskey(context: WriterContext, person: Person, token: string): Promise<Authenticator | undefined> {
  const passkey = await createAuthenticator(-7, `http://${person.account}.localhost`);
  const createdUser = await passkey.create(await challenge(context, person, token));
  expectPasskey(context, person, passkey.id, [0, 1]);
  const body = { name: "chaos", ...createdUser };
  const { call, answer } = await ask(context, person, token, { path: "/second-factor/passkeys", body });
  // A retry after a lost response is rejected, because its challenge is valid once.
  if (answer.status === 400) return undefined;
  if (answer.status !== 200) throw createUnexpectedAnswerError(call, answer);
  expectPasskey(context, person, passkey.id, 1);
  return passkey;
}

async function provePasskey(context: WriterContext, person: Person, token: string, passkey: Authenticator) {
  const signed = await passkey.get(await challenge(context, person, token));
  await prove(context, person, token, { passkey: signed });
}

async function removePasskey(
  context: WriterContext,
  person: Person,
  token: string,
  { id }: Authenticator,
): Promise<void> {
  expectPasskey(context, person, id, [0, 1]);
  const path = `/second-factor/passkeys/${id}`;
  const { call, answer } = await ask(context, person, token, { method: "DELETE", path });
  if (answer.status !== 200 && answer.status !== 404) throw createUnexpectedAnswerError(call, answer);
  expectPasskey(context, person, id, 0);
}

// Removing the last factor removes the codes.
async function removeApp(context: WriterContext, person: Person, token: string, secret: string): Promise<void> {
  expectApp(context, person, [0, 1]);
  expectCodes(context, person, [0, CODES]);
  const body = { code: generateCode(secret, 1) };
  const { call, answer } = await ask(context, person, token, { path: "/second-factor/remove", body });
  if (answer.status !== 200) throw createUnexpectedAnswerError(call, answer);
  if (parseJson(answer).proved) expectApp(context, person, 0);
}

// An administrator resets lost factors. The password alone then suffices.
async function loseAll(context: WriterContext, person: Person): Promise<void> {
  const { account, username, id } = person;
  const passkeys = { account, sql: ANY_PASSKEY, values: [username] };
  expectApp(context, person, [0, 1]);
  expectCodes(context, person, [0, CODES]);
  expectRows(context, `passkey of ${username}`, passkeys, [0, 1]);
  const path = `/users/${id}/forget-factors`;
  await sendWithIdempotencyKey(context, { account, method: "POST", path, kind: "factors" });
  expectApp(context, person, 0);
  expectCodes(context, person, 0);
  expectRows(context, `passkey of ${username}`, passkeys, 0);
  if (!(await signIn(context, person))) throw new Error(`${username} was asked for a code that was taken away`);
}

// Ends one session by id, then all remaining ones.
async function leave(context: WriterContext, person: Person, [first, second]: readonly [string, string]) {
  const open = [readSessionId(first), readSessionId(second)] as const;
  const question = { account: person.account, sql: OPEN, values: [person.username, ...open] };
  const item = await ask(context, person, first, { method: "DELETE", path: `/sessions/${open[1]}` });
  if (first === second) return expectRows(context, `sessions of ${person.username}`, question, 0);
  if (item.answer.status !== 200) throw createUnexpectedAnswerError(item.call, item.answer);
  expectRows(context, `sessions of ${person.username}`, question, [0, 1]);
  const all = await ask(context, person, first, { method: "DELETE", path: "/sessions" });
  // A retry is unauthorized, because the first request ended its session.
  if (all.answer.status !== 200 && all.answer.status !== 401) throw createUnexpectedAnswerError(all.call, all.answer);
  expectRows(context, `sessions of ${person.username}`, question, 0);
  const revokedCheck = await ask(context, person, first, { method: "GET", path: "/sessions" });
  if (revokedCheck.answer.status !== 401) throw createUnexpectedAnswerError(revokedCheck.call, revokedCheck.answer);
}
