import { setTimeout } from "node:timers/promises";
import { findPasswordProblems } from "#domain/access/passwords.ts";
import { type AccountName, createJsonCall, createUnexpectedAnswerError, parseJson } from "#tools/platform/client.ts";
import type { ChaosWriter, WriterContext } from "./context.ts";
import { recordExpectation } from "./record-expectations.ts";

const MAIL_MILLISECONDS = 3000;

interface Person {
  readonly account: AccountName;
  readonly username: string;
}

/**
 * Creates a customer who registers, signs in, verifies the address, resets the password through the emailed link, signs
 * in with it and signs out.
 */
export function createCustomerBookingsWriter(account: AccountName): ChaosWriter {
  return async (context) => {
    const { history, random } = context;
    const person = { account, username: `chaos-${random.hex(12)}@example.com` };
    const password = createPassword(random, "Chaos");
    history.customers.set(person.username, { account, state: "asked" });
    await signUp(context, person, password);
    history.customers.set(person.username, { account, state: "registered", password });
    await ask(context, person, "/web-customer/check-user-email");
    await signInAndOut(context, person, password, true);
    if (random.chance(0.6)) await chooseAnother(context, person);
  };
}

// One in two thousand is taken for a breached password.
function createPassword(random: WriterContext["random"], prefix: string): string {
  const password = `${prefix}-${random.hex(10)}!`;
  return findPasswordProblems(password).length === 0 ? password : createPassword(random, prefix);
}

async function signUp({ client }: WriterContext, { account, username }: Person, password: string): Promise<void> {
  const body = { email: username, password, name: "Ana", surname: `of ${account}` };
  const call = createJsonCall({ account, method: "POST", path: "/api/v1/signup/customer" }, body);
  const answer = await client.sendUntilAnswered(call);
  // A conflict with this customer's own account, after a lost response.
  if (answer.status !== 200 && answer.status !== 409) throw createUnexpectedAnswerError(call, answer);
}

async function ask({ client }: WriterContext, { account, username }: Person, path: string): Promise<void> {
  const call = createJsonCall({ account, method: "POST", path: `/api/v1${path}` }, { username });
  const answer = await client.sendUntilAnswered(call);
  if (answer.status !== 200 || parseJson(answer) !== true) throw createUnexpectedAnswerError(call, answer);
}

async function signInAndOut(
  context: WriterContext,
  { account, username }: Person,
  password: string,
  isNew = false,
): Promise<void> {
  const { client, history } = context;
  const login = createJsonCall({ account, method: "POST", path: "/api/v1/login" }, { username, password });
  const answer = await client.sendUntilAnswered(login);
  if (answer.status !== 200 || parseJson(answer).connected !== true) throw createUnexpectedAnswerError(login, answer);
  history.logins += 1;
  const headers = { Authorization: String(answer.headers["authorization"]) };
  if (isNew) await verify(context, { account, username }, headers);
  const logout = { account, method: "DELETE", path: "/api/v1/logout", headers };
  await client.sendUntilAnswered(logout);
  // After any kill, a signed-out customer stays signed out.
  const rentals = { account, method: "GET", path: "/api/v1/web-customer/renting-reservations", headers };
  const refused = await client.sendUntilAnswered(rentals);
  if (refused.status !== 401) throw createUnexpectedAnswerError(rentals, refused);
}

const VERIFIED = "SELECT 1 FROM users WHERE email = ? AND unverified_since IS NULL";

// Repeated requests within an hour send no more emails, so the link of the registration is used.
async function verify(
  context: WriterContext,
  { account, username }: Person,
  headers: Readonly<Record<string, string>>,
): Promise<void> {
  const again = { account, method: "POST", path: "/api/v1/web-customer/verification", headers };
  const repeatedAnswer = await context.client.sendUntilAnswered(again);
  if (repeatedAnswer.status !== 200) throw createUnexpectedAnswerError(again, repeatedAnswer);
  const verification = await mailedLink(context, username, "verify-email");
  if (verification === undefined) return;
  const question = { account, sql: VERIFIED, values: [username], before: 0, after: 1 };
  await recordExpectation(context, `address of ${username}`, question, async () => {
    const call = createJsonCall(
      { account, method: "POST", path: "/api/v1/web-customer/verify-email" },
      { verification },
    );
    const answer = await context.client.sendUntilAnswered(call);
    if (answer.status !== 200 || parseJson(answer) !== true) throw createUnexpectedAnswerError(call, answer);
    return true;
  });
}

async function chooseAnother(context: WriterContext, person: Person): Promise<void> {
  const { client, history, random } = context;
  const { account, username } = person;
  await ask(context, person, "/web-customer/password-forgotten");
  const link = await mailedLink(context, username, "change-password");
  // The platform was killed between its response and the email, so a customer would request it again.
  if (link === undefined) return;
  const password = createPassword(random, "Other");
  history.customers.set(username, { account, state: "registered" });
  const body = { password, password_forgotten_hash: link };
  const call = createJsonCall({ account, method: "POST", path: "/api/v1/web-customer/change-password" }, body);
  const answer = await client.sendUntilAnswered(call);
  if (answer.status !== 200) throw createUnexpectedAnswerError(call, answer);
  // False is returned to a retry after a lost response, because the link is used. The new password is then valid.
  await signInAndOut(context, person, password);
  history.customers.set(username, { account, state: "registered", password, changed: true });
}

async function mailedLink(
  { mailbox }: WriterContext,
  username: string,
  page: "verify-email" | "change-password",
): Promise<string | undefined> {
  for (const until = Date.now() + MAIL_MILLISECONDS; Date.now() < until; ) {
    const mail = mailbox.get(username);
    // Registration and password reset emails have links of different kinds.
    const link = mail?.split(`/${page}?id=`)[1]?.match(/^[A-Za-z0-9_-]+/)?.[0];
    if (link) return link;
    await setTimeout(50);
  }
  return undefined;
}
