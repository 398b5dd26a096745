import { effect, signal } from "@preact/signals";
import { openStorage } from "../offline/storage.ts";
import { date, fetchAhead, renewDay, showDay } from "./day.ts";
import { counts } from "./outbox.ts";
import { client, database, keepSession, reload, send, session, takeLoginToken } from "./phone.ts";
import { loadKeptSettings, renewSettings, today } from "./settings.ts";

interface Connection {
  readonly connected: boolean;
  readonly user?: { readonly full_name: string; readonly role: string };
}

export type SignInOutcome = "ok" | "wrong" | "not_staff" | "too_many" | "unreachable";

export const isSigningIn = signal(false);

/** Until the server knows who it is, whoever was signed in stays so. */
export async function signIn(username: string, password: string): Promise<SignInOutcome> {
  isSigningIn.value = true;
  try {
    return await connect(username.trim().toLowerCase(), password);
  } finally {
    isSigningIn.value = false;
  }
}

async function connect(username: string, password: string): Promise<SignInOutcome> {
  const answer = await client.call<Connection>("POST", "/api/v1/login", { json: { username, password } });
  if (answer.kind === "refused" && answer.status === 429) return "too_many";
  if (answer.kind !== "ok") return "unreachable";
  const { connected, user } = answer.value;
  if (!connected || !user) return connected === false ? "wrong" : "unreachable";
  if (user.role === "customer") return "not_staff";
  const token = takeLoginToken();
  await keepSession({ token, username, full_name: user.full_name, role: user.role, expired: false });
  void openStorage();
  await start();
  void send(true);
  return "ok";
}

// What the server has received changes what it tells.
let received = 0;
effect(() => {
  const { confirmed, sending, waiting } = counts.value;
  if (confirmed > received && sending + waiting === 0) void renewDay();
  received = confirmed;
});

/** The day on which this shift began, to notice that another has. */
let shift = "";

document.addEventListener("visibilitychange", () => {
  const { value } = session;
  if (document.visibilityState === "visible" && value && !value.expired) void comeBack();
});

/** The phone comes out of the pocket: perhaps it is tomorrow. */
async function comeBack(): Promise<void> {
  const now = today();
  if (date.peek() !== shift || shift === now) return renewDay();
  shift = now;
  await showDay(now);
  await fetchAhead();
}

/** Shows the day that is kept, then asks the server. */
export async function start(): Promise<void> {
  await loadKeptSettings();
  const asked = renewSettings();
  if (!(await hasSettings())) await asked;
  shift = today();
  await showDay(shift);
  void asked.then(() => fetchAhead());
}

async function hasSettings(): Promise<boolean> {
  return (await database.use((db) => db.count("cache"))) > 0;
}

/** Leaves nothing of the company's customers on the phone. What has not arrived goes with it: ask before. */
export async function signOut(): Promise<void> {
  await client.call("DELETE", "/api/v1/logout");
  await database.use(async (db) => {
    for (const store of ["ops", "drafts", "files", "contents", "cache"] as const) await db.clear(store);
  });
  await keepSession(undefined);
  await reload();
}
