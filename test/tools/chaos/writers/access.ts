import { setTimeout } from "node:timers/promises";
import { Secret, TOTP } from "otpauth";
import { findPasswordProblems } from "#domain/access/passwords.ts";
import { type Authenticator, createAuthenticator } from "#support/authenticator.ts";
import { createUnexpectedAnswerError } from "#tools/platform/client.ts";
import { signInAsStaff } from "#tools/platform/credentials.ts";
import type { Actor, ChaosWriter } from "./actor.ts";

const MAIL_MILLISECONDS = 3000;

// Few random passwords are taken for breached ones.
function createPassword(actor: Actor): string {
  const password = `Chaos-${actor.random.hex(10)}!`;
  return findPasswordProblems(password).length === 0 ? password : createPassword(actor);
}

interface Proof {
  readonly code?: string | undefined;
}

/** Signs in and returns the token. Undefined if a second factor is required. */
async function signIn(
  actor: Actor,
  username: string,
  password: string,
  proof: Proof = {},
): Promise<string | undefined> {
  const { call, answer, content } = await actor.send("signIn", {}, { username, password, ...proof });
  if (content.connected) return String(answer.headers["authorization"]);
  if (content.second_factor === undefined) throw createUnexpectedAnswerError(call, answer);
  return undefined;
}

// After any kill, a session that ended stays ended.
async function expectSignedOut(actor: Actor, path: string, token: string): Promise<void> {
  const reply = await actor.get(path, { token, refusals: [401] });
  if (reply.isDone) throw createUnexpectedAnswerError(reply.call, reply.answer);
}

/**
 * Registers a customer who signs in, verifies the address, resets the password through the emailed link, signs in with
 * it and signs out.
 */
export const registerCustomer: ChaosWriter = async (actor) => {
  const { account, history, random } = actor;
  const username = `chaos-${random.hex(12)}@example.com`;
  const password = createPassword(actor);
  history.customers.set(username, { account, state: "asked" });
  const body = { email: username, password, name: "Ana", surname: `of ${account}` };
  // A conflict with this customer's own account, after a lost response.
  await actor.send("signUpCustomer", {}, body, { refusals: [409] });
  history.customers.set(username, { account, state: "registered", password });
  await expectTrue(actor, "checkUser", { username });
  await signInAndOut(actor, username, password, true);
  if (random.chance(0.6)) await chooseAnother(actor, username);
};

async function expectTrue(actor: Actor, operation: string, body: object, token?: string): Promise<void> {
  const { call, answer, content } = await actor.send(operation, {}, body, { ...(token && { token }) });
  if (content !== true) throw createUnexpectedAnswerError(call, answer);
}

async function signInAndOut(actor: Actor, username: string, password: string, isNew = false): Promise<void> {
  const token = await signIn(actor, username, password);
  if (token === undefined) throw new Error(`${username} was asked for a code`);
  if (isNew) await verify(actor, username, token);
  await actor.send("signOut", {}, undefined, { token, refusals: [401] });
  await expectSignedOut(actor, "/api/v1/web-customer/renting-reservations", token);
}

const VERIFIED = "SELECT 1 FROM users WHERE email = ? AND unverified_since IS NULL";

// Further requests within an hour send no email, so the registration's link is used.
async function verify(actor: Actor, username: string, token: string): Promise<void> {
  await actor.send("requestVerification", {}, undefined, { token });
  const verification = await readMailedLink(actor, username, "verify-email");
  if (verification === undefined) return;
  await actor.track(`address of ${username}`, [VERIFIED, [username]], async () => {
    await expectTrue(actor, "verifyEmail", { verification });
    return true;
  });
}

async function chooseAnother(actor: Actor, username: string): Promise<void> {
  const { account, history } = actor;
  await expectTrue(actor, "requestNewPassword", { username });
  const link = await readMailedLink(actor, username, "change-password");
  // The platform was killed between its response and the email, so a customer would request it again.
  if (link === undefined) return;
  const password = createPassword(actor);
  history.customers.set(username, { account, state: "registered" });
  // False is returned to a retry after a lost response, because the link is used. The new password is then valid.
  await actor.send("changePassword", {}, { password, password_forgotten_hash: link });
  await signInAndOut(actor, username, password);
  history.customers.set(username, { account, state: "registered", password, changed: true });
}

// Registration and password reset emails have links of different kinds.
async function readMailedLink({ context }: Actor, username: string, page: string): Promise<string | undefined> {
  for (const until = Date.now() + MAIL_MILLISECONDS; Date.now() < until; await setTimeout(50)) {
    const link = context.mailbox
      .get(username)
      ?.split(`/${page}?id=`)[1]
      ?.match(/^[A-Za-z0-9_-]+/)?.[0];
    if (link) return link;
  }
  return undefined;
}

/** Ends a new session as an administrator, which must stay ended after any kill. */
export const endStaffSession: ChaosWriter = async (actor) => {
  const token = await signInAsStaff(actor.context.client, actor.account);
  const id = readSessionId(token);
  await actor.write("endStaffSession", { id }, { forget: false }, { id });
  await expectSignedOut(actor, "/seasons", token);
};

/** Returns the session id in a token. */
function readSessionId(token: string): string {
  const [, claims = ""] = token.replace("Bearer ", "").split(".");
  return (JSON.parse(Buffer.from(claims, "base64url").toString()) as { readonly jti: string }).jti;
}

const STEP_MILLISECONDS = 30_000;
const CODES = 10;
const USER = "SELECT id FROM users WHERE username = ?";
const APP = `SELECT 1 FROM second_factors WHERE confirmed_at IS NOT NULL AND user_id = (${USER})`;
const RECOVERY = `SELECT 1 FROM recovery_codes WHERE user_id = (${USER})`;
const PASSKEY = `SELECT 1 FROM passkeys WHERE user_id = (${USER})`;
const OPEN = `SELECT 1 FROM user_sessions WHERE user_id = (${USER}) AND revoked_at IS NULL AND id IN (?, ?)`;

type Rows = Parameters<Actor["expect"]>[3];

/** A staff user who signs in with second factors. */
interface Person {
  readonly id: string;
  readonly username: string;
  readonly signIn: (proof?: Proof) => Promise<string | undefined>;
  /** Sends an operation with the first session. */
  readonly ask: (operation: string, body?: object, refusals?: readonly number[]) => ReturnType<Actor["ask"]>;
  readonly expectRows: (rows: { readonly app?: Rows; readonly codes?: Rows; readonly passkeys?: Rows }) => void;
}

/**
 * Creates a staff user who sets up an authenticator app, recovery codes and a passkey, and ends one or all sessions or
 * loses all factors.
 */
export const useSecondFactors: ChaosWriter = async (actor) => {
  const unique = actor.random.hex(10);
  const [username, password] = [`factor-${unique}`, createPassword(actor)];
  const role = { full_name: "Fay Factor", role: "agent", branch_codes: actor.data.branches.slice(0, 1) };
  const user = await actor.write("createUser", {}, { username, password, email: `${username}@example.com`, ...role });
  const token = user && (await signIn(actor, username, password));
  if (!token) return;
  const person: Person = {
    ...{ id: user.id, username, signIn: (proof) => signIn(actor, username, password, proof) },
    ask: (operation, body, refusals = []) => actor.ask(operation, {}, body, { token, refusals }),
    expectRows: ({ app, codes, passkeys }) => {
      if (app !== undefined) actor.expect(`app for codes of ${username}`, APP, [username], app);
      if (codes !== undefined) actor.expect(`recovery codes of ${username}`, RECOVERY, [username], codes);
      if (passkeys !== undefined) actor.expect(`passkey of ${username}`, PASSKEY, [username], passkeys);
    },
  };
  const app = await enrol(person);
  if (!app) return;
  if (await person.signIn()) throw new Error(`${username} was asked for no code`);
  const second = await person.signIn({ code: app.codes[0] });
  person.expectRows({ codes: second === undefined ? [CODES - 1, CODES] : CODES - 1 });
  await person.ask("proveSecondFactor", { code: generateCode(app.secret, 0) });
  // After a retry the codes of the later response are valid.
  person.expectRows({ codes: [CODES - 1, CODES] });
  await person.ask("renewRecoveryCodes");
  person.expectRows({ codes: CODES });
  await addPasskey(actor, person, token);
  if (actor.chance(0.3)) return loseAll(actor, person);
  if (actor.chance(0.5)) await removeApp(person, app.secret);
  await leave(actor, username, [token, second ?? token]);
};

// Each code is valid once, as are those of the previous and next 30 seconds.
function generateCode(secret: string, steps: number): string {
  return new TOTP({ secret: Secret.fromBase32(secret) }).generate({
    timestamp: Date.now() + steps * STEP_MILLISECONDS,
  });
}

// Recovery codes are returned once. After a lost response, the user has only the app.
async function enrol({ ask, expectRows }: Person) {
  const { secret } = await ask("beginSecondFactor");
  expectRows({ app: [0, 1] });
  const confirmed = await ask("confirmSecondFactor", { code: generateCode(secret, -1) }, [400]);
  if (!confirmed) return undefined;
  expectRows({ app: 1, codes: [CODES - 1, CODES] });
  return { secret: String(secret), codes: confirmed.recovery_codes as readonly string[] };
}

async function addPasskey(actor: Actor, { ask, expectRows }: Person, token: string): Promise<void> {
  const passkey: Authenticator = await createAuthenticator(-7, `http://${actor.account}.localhost`);
  const created = await passkey.create(await ask("challengePasskey"));
  expectRows({ passkeys: [0, 1] });
  // A retry after a lost response is rejected, because its challenge is valid once.
  if (!(await ask("addPasskey", { name: "chaos", ...created }, [400]))) return;
  expectRows({ passkeys: 1 });
  await ask("proveSecondFactor", { passkey: await passkey.get(await ask("challengePasskey")) });
  if (actor.chance(0.5)) return;
  expectRows({ passkeys: [0, 1] });
  await actor.send("removePasskey", { id: passkey.id }, undefined, { token, refusals: [404] });
  expectRows({ passkeys: 0 });
}

// Removing the last factor removes the codes.
async function removeApp({ ask, expectRows }: Person, secret: string): Promise<void> {
  expectRows({ app: [0, 1], codes: [0, CODES] });
  const { proved } = await ask("removeSecondFactor", { code: generateCode(secret, 1) });
  if (proved) expectRows({ app: 0 });
}

// An administrator resets lost factors. The password alone then suffices.
async function loseAll(actor: Actor, { id, username, expectRows, ...person }: Person): Promise<void> {
  expectRows({ app: [0, 1], codes: [0, CODES], passkeys: [0, 1] });
  await actor.write("forgetStaffFactors", { id });
  expectRows({ app: 0, codes: 0, passkeys: 0 });
  if (!(await person.signIn())) throw new Error(`${username} was asked for a code that was taken away`);
}

// Ends one session by id, then all remaining ones.
async function leave(actor: Actor, username: string, tokens: readonly [string, string]): Promise<void> {
  const [first, second] = tokens;
  const expectOpen = (rows: Rows) =>
    actor.expect(`sessions of ${username}`, OPEN, [username, ...tokens.map(readSessionId)], rows);
  const isSame = first === second;
  const refusals = isSame ? [401, 404] : [];
  await actor.send("endSession", { id: readSessionId(second) }, undefined, { token: first, refusals });
  if (isSame) return expectOpen(0);
  expectOpen([0, 1]);
  // A retry is unauthorized, because the first request ended its session.
  await actor.send("signOutEverywhere", {}, undefined, { token: first, refusals: [401] });
  expectOpen(0);
  await expectSignedOut(actor, "/api/v1/sessions", first);
}
