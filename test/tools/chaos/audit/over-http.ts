import { createHash } from "node:crypto";
import { type AccountName, type Client, createJsonCall, parseJson } from "#tools/platform/client.ts";
import type { WritersHistory } from "../history.ts";
import type { Violation } from "./violation.ts";

/** Checks what only the running platform can show: file contents and valid passwords. */
export async function auditOverHttp(
  client: Client,
  history: WritersHistory,
  staffTokens: Readonly<Record<AccountName, string>>,
): Promise<readonly Violation[]> {
  return [...(await auditFiles(client, history, staffTokens.acme)), ...(await auditPasswords(client, history))];
}

// Checks that each acknowledged file exists with its content.
async function auditFiles(client: Client, history: WritersHistory, token: string): Promise<readonly Violation[]> {
  const headers = { Authorization: token };
  const violations: Violation[] = [];
  for (const [name, isAcknowledged] of history.files) {
    if (!isAcknowledged) continue;
    const [booking, hash] = name.split("/");
    const path = `/api/v1/booking/${booking}/check-in-files/${hash}`;
    const answer = await client.sendUntilAnswered({ account: "acme", method: "GET", path, headers });
    const isComplete = answer.status === 200 && createHash("sha256").update(answer.bytes).digest("hex") === hash;
    if (!isComplete)
      violations.push({ check: "files named in the database are there", detail: `${name}: ${answer.status}` });
  }
  return violations;
}

// Checks that each registered customer can sign in with the latest acknowledged password.
async function auditPasswords(client: Client, history: WritersHistory): Promise<readonly Violation[]> {
  const violations: Violation[] = [];
  for (const [username, { account, password }] of history.customers) {
    if (password === undefined) continue;
    const login = createJsonCall({ account, method: "POST", path: "/api/v1/login" }, { username, password });
    const answer = await client.sendUntilAnswered(login);
    if (answer.status !== 200 || parseJson(answer).connected !== true)
      violations.push({ check: "the password acknowledged last is the one", detail: `${username}: ${answer.status}` });
  }
  return violations;
}
