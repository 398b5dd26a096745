import { batch, effect, signal } from "@preact/signals";
import type { PasskeyQuestion } from "#shared/passkeys.ts";
import type { AtStart } from "../offline/at-start.ts";
import { isQuotaExceeded, type Session } from "../offline/db.ts";
import { deleteAuthorWork } from "../offline/forget.ts";
import { recall } from "../offline/meta.ts";
import { releaseRefused } from "../offline/outbox.ts";
import { clearKeys } from "../offline/ring.ts";
import { newKey } from "../offline/seal.ts";
import { openStorage, retryWithLessData } from "../offline/storage.ts";
import {
  clearDays,
  date,
  fetchAhead,
  isLoading,
  loadFleet,
  renewDay,
  renewFleet,
  showDay,
  showStoredDay,
} from "./day.ts";
import { counts, drafts, isReached, unsent, viewer } from "./outbox.ts";
import {
  askForKeys,
  broadcastSignIn,
  broadcastSignOut,
  client,
  database,
  isFactorMissing,
  keepSession,
  reload,
  send,
  session,
  takeLoginToken,
} from "./phone.ts";
import { reportWork } from "./report.ts";
import { office } from "./review.ts";
import { replaceRoute } from "./route.ts";
import { branch, loadStoredSettings, renewSettings, settings, today } from "./settings.ts";
import { clearTrips } from "./transfers.ts";
import { clearWalkIn } from "./walk-in.ts";
import { work } from "./work.ts";

interface Connection {
  readonly connected: boolean;
  readonly user?: { readonly full_name: string; readonly role: string };
  /** The password is right, and the account has a second factor. */
  readonly second_factor?: "required" | "wrong";
  /** What a passkey is to sign, for who has one. */
  readonly passkey?: PasskeyQuestion;
}

type ConnectionAnswer = Awaited<ReturnType<typeof client.call<Connection>>>;

export type SignInOutcome =
  | "ok"
  | "wrong"
  | "code_required"
  | "code_wrong"
  | "not_staff"
  | "too_many"
  | "unreachable"
  | "no_room";

export const isSigningIn = signal(false);
/** What a passkey of who signs in may sign instead of a code; good once. */
export const passkeyQuestion = signal<PasskeyQuestion | undefined>(undefined);

/** What proves the second factor: a code, or what a passkey signed. */
export interface SignInProof {
  readonly code?: string;
  readonly passkey?: unknown;
}

/** Until the server knows who it is, whoever was signed in stays so. */
export async function signIn(username: string, password: string, proof: SignInProof = {}): Promise<SignInOutcome> {
  isSigningIn.value = true;
  try {
    return await connect(username.trim().toLowerCase(), password, proof);
  } finally {
    isSigningIn.value = false;
  }
}

async function connect(username: string, password: string, proof: SignInProof): Promise<SignInOutcome> {
  const { passkey, code: typed = "" } = proof;
  const code = typed.trim();
  const json = { username, password, ...(code !== "" && { code }), ...(passkey !== undefined && { passkey }) };
  const answer = await client.call<Connection>("POST", "/api/v1/login", { json });
  passkeyQuestion.value = answer.kind === "ok" ? answer.value.passkey : undefined;
  const refused = getRefusal(answer);
  if (refused) return refused;
  if (answer.kind !== "ok" || !answer.value.user) return "unreachable";
  const { user } = answer.value;
  const token = takeLoginToken();
  isFactorMissing.value = false;
  const before = session.peek()?.username;
  if (before !== username) await clearKeys(database, { inMemory: true });
  if (before !== undefined && before !== username) await clearLists();
  const expiredSession = { token, username, full_name: user.full_name, role: user.role, expired: false };
  if (!(await beginSession(expiredSession, before !== username))) return "no_room";
  void openStorage();
  // Where the answer is lost they are asked for again: what waits is shown then.
  await askForKeys();
  broadcastSignIn();
  await releaseRefused(database, self());
  await reload();
  await start();
  void send(true);
  return "ok";
}

/** Whether there is room on the phone for the session and its key. */
async function beginSession(expiredSession: Session, isOther: boolean): Promise<boolean> {
  try {
    await retryWithLessData(database, async () => {
      if (isOther || !(await recall(database, "key"))) await newKey(database);
      await batch(() => {
        // At once: while the lists are on their way, whoever signed in goes where they like.
        replaceRoute("day");
        return keepSession(expiredSession);
      });
    });
    return true;
  } catch (error) {
    await keepSession(undefined);
    if (!isQuotaExceeded(error)) throw error;
    return false;
  }
}

function getRefusal(answer: ConnectionAnswer): Exclude<SignInOutcome, "ok" | "no_room"> | undefined {
  if (answer.kind === "refused" && answer.status === 429) return "too_many";
  if (answer.kind !== "ok") return "unreachable";
  const { connected, user, second_factor: factor } = answer.value;
  if (factor) return factor === "wrong" ? "code_wrong" : "code_required";
  if (!connected || !user) return connected === false ? "wrong" : "unreachable";
  return user.role === "customer" ? "not_staff" : undefined;
}

// What the server has received changes what it tells.
let received = 0;
effect(() => {
  const { confirmed, sending, waiting } = counts.value;
  if (confirmed > received && sending + waiting === 0) void renewDay().then(renewFleet);
  received = confirmed;
});

const REPORT_MS = 30_000;

// What was begun and what waits, told soon after it changes and no more often than that.
let reporting: ReturnType<typeof setTimeout> | undefined;
effect(() => {
  const isSomething = drafts.value.size + unsent.value >= 0 && isReached.value === true;
  if (!isSomething || reporting !== undefined) return;
  reporting = setTimeout(() => {
    reporting = undefined;
    void reportWork();
  }, REPORT_MS);
});

/** The day on which this shift began, to notice that another has. */
let shift = "";

document.addEventListener("visibilitychange", () => {
  const { value } = session;
  if (document.visibilityState === "visible" && value && !value.expired) void comeBack();
});

let wasReached: boolean | undefined;
effect(() => {
  const { value: isThere } = isReached;
  const isBack = wasReached === false && isThere === true;
  wasReached = isThere;
  const who = session.peek();
  if (isBack && who && !who.expired) void catchUp();
});

/** The server is there again: what could not be asked meanwhile is now, and perhaps it says that it is another day. */
async function catchUp(): Promise<void> {
  if (settings.peek()) await comeBack();
  if (isAhead) return;
  if (settings.peek()) await prepare(renewSettings());
  else await start();
}

/** The phone comes out of the pocket: perhaps it is tomorrow. */
async function comeBack(): Promise<void> {
  const now = today();
  if (date.peek() !== shift || shift === now) return renewDay();
  shift = now;
  await showDay(now);
  await fetchAhead();
}

/** Shows the day as this phone keeps it, where it does; nobody is asked. */
export async function showStoredAccount(atStart: AtStart): Promise<void> {
  // The start follows.
  isLoading.value = true;
  await loadStoredSettings(atStart);
  if (settings.peek()) await showStoredDay(today());
}

/** Shows the day that is kept, then asks the server. */
export async function start(): Promise<void> {
  isLoading.value = true;
  if (!isPlaced()) await loadStoredSettings();
  const settingsRenewal = renewSettings();
  if (!isPlaced()) await settingsRenewal;
  shift = today();
  await showDay(shift);
  void prepare(settingsRenewal);
}

/** Whether what a shift needs was fetched since the app was started. */
let isAhead = false;

/** Fetches what a shift needs, once the server has told the settings. */
async function prepare(settingsRenewal: Promise<boolean>): Promise<void> {
  isAhead = await settingsRenewal;
  await (isAhead ? fetchAhead() : loadFleet());
}

/** Which branch's day it is to be, is known. */
const isPlaced = () => settings.peek() !== undefined && branch.peek() !== "";

/** What was told to whoever leaves is nothing for whoever comes: of the lists nothing stays, in memory neither. */
async function clearLists(): Promise<void> {
  await database.use((db) => db.clear("cache"));
  batch(() => {
    clearDays();
    clearTrips();
    clearWalkIn();
    settings.value = undefined;
    office.value = undefined;
    work.value = undefined;
  });
}

/**
 * Signs out and leaves nothing of the company's customers on the phone. One's own work that has not arrived goes with
 * it: ask before; that of colleagues stays for them.
 */
export async function signOut(): Promise<void> {
  const who = self();
  await leave();
  await deleteAuthorWork(database, who);
  await reload();
}

/** Who is signed in, by this name and by the number of their key, which all their names have. */
const self = () => ({ author: session.peek()?.username ?? "", seal: viewer.peek()?.seal });

/** The phone goes to a colleague: nothing is shown any more, and what waits does so until its author is back. */
export async function switchUser(): Promise<void> {
  await leave();
  await reload();
}

// The session ends first: an answer that is still on its way is for nobody then.
async function leave(): Promise<void> {
  void client.call("DELETE", "/api/v1/logout");
  await batch(() => {
    replaceRoute("sign-in");
    return keepSession(undefined);
  });
  await clearKeys(database, { inMemory: true });
  await clearLists();
  broadcastSignOut();
}
