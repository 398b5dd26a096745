import type { ApiCallResult, Client } from "../api/client.ts";
import type { Database } from "./db.ts";
import type { StoredWorkFile } from "./items.ts";
import { readFileBytes } from "./stored-work.ts";

/**
 * `later`: nothing reached the server or no response came back. `failed`: the server returned an error. `too_large`:
 * the file was too large.
 */
export type FileUploadOutcome = "arrived" | "failed" | "too_large" | "later" | "signed_out";

/** Number of server errors after which an item or photo needs attention. */
export const MAX_FAILED_TRIES = 8;
const TOO_LARGE = 413;

/** Inputs and callbacks for sending a file. */
export interface FileUploadDeps {
  readonly database: Database;
  readonly client: Client;
  readonly onProgress: (file: StoredWorkFile, sentBytes: number) => void;
  /** Called if the connection was lost or the server is overloaded, with the waiting time that the server sent. */
  readonly onLater: (retryAfterSeconds: number | undefined) => void;
}

/**
 * Sends a file identified by its hash. If an earlier attempt may have succeeded, first checks whether the server has
 * it.
 */
export async function uploadCheckInFile(deps: FileUploadDeps, file: StoredWorkFile): Promise<FileUploadOutcome> {
  const { database, client } = deps;
  const path = `/api/v1/booking/${file.booking_id}/check-in-files/${file.hash}`;
  if (file.attempted) {
    const response = await client.call("HEAD", path);
    // A captive portal may also return 200, but with an HTML page.
    if (response.kind === "ok" && response.type === file.type) return markArrived(database, file);
    if (response.kind !== "refused") return toUnansweredOutcome(deps, response);
  }
  const bytes = await readFileBytes(database, file.key);
  if (bytes === "none") return markFailed(database, file, { status: 0, code: "lost", message: "" });
  if (bytes === "locked") return markFailed(database, file, { status: 0, code: "locked", message: "" });
  return upload(deps, file, path, bytes);
}

async function upload(
  deps: FileUploadDeps,
  file: StoredWorkFile,
  path: string,
  bytes: ArrayBuffer,
): Promise<FileUploadOutcome> {
  const { database, client } = deps;
  await saveFileRecord(database, { ...file, attempted: true });
  const answer = await client.call<{ readonly hash?: string }>("PUT", path, {
    bytes,
    contentType: file.type,
    onProgress: (sentBytes) => deps.onProgress(file, sentBytes),
  });
  if (answer.kind === "refused") return markFailed(database, file, answer);
  if (answer.kind !== "ok") {
    if (answer.kind !== "signed_out")
      await saveFileRecord(database, { ...file, attempted: true, interruptions: getUploadInterruptionCount(file) + 1 });
    return toUnansweredOutcome(deps, answer);
  }
  // A captive portal returns 200 for everything. Only the file's hash proves that the server has it.
  if (answer.value?.hash === file.hash) return markArrived(database, file);
  deps.onLater(undefined);
  return "later";
}

function toUnansweredOutcome({ onLater }: FileUploadDeps, answer: ApiCallResult<unknown>): FileUploadOutcome {
  if (answer.kind === "signed_out") return "signed_out";
  onLater(answer.kind === "unreachable" ? answer.retryAfterSeconds : undefined);
  return "later";
}

/** Returns the number of consecutive interrupted uploads of a file. */
export const getUploadInterruptionCount = ({ interruptions = 0 }: StoredWorkFile) => interruptions;

async function markArrived(database: Database, file: StoredWorkFile): Promise<FileUploadOutcome> {
  await saveFileRecord(database, { ...file, arrived: true, attempted: true, trouble: null, interruptions: 0 });
  return "arrived";
}

async function markFailed(
  database: Database,
  file: StoredWorkFile,
  { status, code, message }: { readonly status: number; readonly code: string; readonly message: string },
): Promise<FileUploadOutcome> {
  const failure = { status, code, message };
  await saveFileRecord(database, { ...file, attempted: true, tries: file.tries + 1, trouble: failure });
  return status === TOO_LARGE ? "too_large" : "failed";
}

/** Stops retrying a file that is permanently too large. Only the user can retry it. */
export async function stopFileRetries(database: Database, { key }: StoredWorkFile): Promise<void> {
  await database.write(["files"], async (transaction) => {
    const files = transaction.objectStore("files");
    const file = await files.get(key);
    if (file) await files.put({ ...file, tries: MAX_FAILED_TRIES });
  });
}

/** Stores the upload state of a file, without its bytes. */
export async function saveFileRecord(database: Database, file: StoredWorkFile): Promise<void> {
  await database.write(["files"], (transaction) => transaction.objectStore("files").put(file));
}
