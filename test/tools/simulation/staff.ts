import { type Clients, callUntilAnswered } from "./clients.ts";

const PASSWORD = "Right-pass-1!";
const LOGIN = { method: "POST", path: "/api/v1/login", headers: { "Content-Type": "application/json" } } as const;

/** Signs in staff, each time again because sessions expire after hours. Returns the token. */
export async function signInStaff(clients: Clients): Promise<string | undefined> {
  const body = JSON.stringify({ username: "boss", password: PASSWORD });
  const answer = await callUntilAnswered(clients, { ...LOGIN, body });
  if (answer && answer.status !== 200) clients.history.faults.push(`sign-in: ${answer.status} ${answer.text}`);
  return answer?.headers.get("Authorization") ?? undefined;
}
