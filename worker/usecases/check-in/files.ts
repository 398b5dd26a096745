import { ERASED } from "#domain/access/erased.ts";
import { canAccessBranch } from "#domain/access/sessions.ts";
import { readImage } from "#domain/check-in/images.ts";
import { isContractText, MAX_CONTRACT_BYTES } from "#domain/printing/read-contract.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { toHex } from "#worker/auth/bytes.ts";
import { type FileRow, fileQueries, saveContractText, saveFile } from "#worker/store/check-in/files.ts";
import { readAsStaff, type StaffRefusal, type StaffRequest } from "#worker/usecases/access/read-as-staff.ts";
import type { StaffAnswer } from "./read-day.ts";

export const MAX_FILE_BYTES = 10 * 1024 * 1024;
/** More would take more memory to show than a phone has. */
export const MAX_IMAGE_PIXELS = 50_000_000;
const MAX_FILES_PER_BOOKING = 500;

export type FileRefusal =
  | StaffRefusal
  | { readonly kind: "unknownBooking" }
  | { readonly kind: "unknownFile" }
  | { readonly kind: "notAnImage" }
  | { readonly kind: "tooManyPixels" }
  | { readonly kind: "hashMismatch" }
  | { readonly kind: "tooManyFiles" }
  | { readonly kind: "customerErased" };

/** Why the bytes of a file were not read: more than it may have, too slowly, or not to their end. */
export type UnreadFile = "tooLarge" | "tooSlow" | "brokenOff";

/** Names a photo or a signature. */
export interface FileName {
  readonly bookingId: number;
  readonly hash: string;
}

/** A file that is there; a text has no pixels. */
export interface StoredFile {
  readonly hash: string;
  readonly bytes: number;
  readonly contentType: FileRow["contentType"] | "text/plain";
  readonly width: number;
  readonly height: number;
}

/** What a file is, by its own bytes. */
type FileFacts = Pick<StoredFile, "contentType" | "width" | "height">;

/** Whether a file is there, for those who may see its booking. */
export async function findFile(
  request: StaffRequest,
  { bookingId, hash }: FileName,
): Promise<
  Result<
    StaffAnswer<StoredFile | undefined> & {
      readonly userId: number;
      readonly isFull: boolean;
      readonly isErased: boolean;
    },
    FileRefusal
  >
> {
  const read = await readAsStaff(request, () => fileQueries(request.tenant.db, bookingId, hash));
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const [[booking], [image], [contract]] = rows;
  const file = image ?? (contract && { ...contract, ...TEXT });
  if (!booking || !canAccessBranch(staff, booking.branchCode, booking.returnBranchCode)) {
    return err({ kind: "unknownBooking" });
  }
  const isErased = booking.customerName === ERASED;
  return ok({
    value: file,
    freshToken,
    userId: staff.userId,
    isFull: booking.files >= MAX_FILES_PER_BOOKING,
    isErased,
  });
}

/**
 * Keeps a photo, a signature or the text that was signed under the hash of its bytes, which are read once it is known
 * whose they are; `readBytes` answers why not, where there are more than a file may have or they do not all come.
 * `isNew` is false where it was there already: the same file again is the same file. The object store comes first, so
 * that what the database speaks of is there.
 */
export async function keepFile(
  request: StaffRequest,
  name: FileName,
  readBytes: () => Promise<Uint8Array<ArrayBuffer> | UnreadFile>,
): Promise<
  Result<
    StaffAnswer<{ readonly file: StoredFile; readonly isNew: boolean }>,
    FileRefusal | { readonly kind: UnreadFile }
  >
> {
  const storedFile = await findFile(request, name);
  if (!storedFile.ok) return storedFile;
  const bytes = await readBytes();
  if (typeof bytes === "string") return err({ kind: bytes });
  const { value: known, freshToken, userId, isFull, isErased } = storedFile.value;
  if (known) return ok({ value: { file: known, isNew: false }, freshToken });
  if (isErased) return err({ kind: "customerErased" });
  if (isFull) return err({ kind: "tooManyFiles" });
  const examined = await examine(bytes, name.hash);
  if (!examined.ok) return examined;
  const { tenant, now } = request;
  const facts = examined.value;
  await tenant.files.put(filePath(name), bytes, { sha256: name.hash, contentType: facts.contentType });
  const file = { ...name, ...facts, bytes: bytes.byteLength };
  const row = { ...name, bytes: bytes.byteLength, uploadedBy: userId, uploadedAt: now };
  const { contentType } = facts;
  await (contentType === "text/plain"
    ? saveContractText(tenant.db, row)
    : saveFile(tenant.db, { ...row, ...facts, contentType }));
  return ok({ value: { file, isNew: true }, freshToken });
}

async function examine(bytes: Uint8Array<ArrayBuffer>, hash: string): Promise<Result<FileFacts, FileRefusal>> {
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  if (toHex(digest) !== hash) return err({ kind: "hashMismatch" });
  if (isContract(bytes)) return ok(TEXT);
  const image = bytes.byteLength < 20 ? undefined : readImage(bytes);
  if (!image) return err({ kind: "notAnImage" });
  return image.width * image.height > MAX_IMAGE_PIXELS ? err({ kind: "tooManyPixels" }) : ok(image);
}

const TEXT = { contentType: "text/plain", width: 0, height: 0 } as const;

function isContract(bytes: Uint8Array): boolean {
  if (bytes.byteLength > MAX_CONTRACT_BYTES) return false;
  try {
    return isContractText(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch {
    return false;
  }
}

/** A file with its bytes. */
export async function readFile(
  request: StaffRequest,
  name: FileName,
): Promise<Result<StaffAnswer<{ readonly file: StoredFile; readonly body: ReadableStream }>, FileRefusal>> {
  const storedFile = await findFile(request, name);
  if (!storedFile.ok) return storedFile;
  const { value: file, freshToken } = storedFile.value;
  const body = file && (await request.tenant.files.get(filePath(name)));
  return body ? ok({ value: { file, body }, freshToken }) : err({ kind: "unknownFile" });
}

/** Where a file lies among the account's objects. */
export function filePath({ bookingId, hash }: FileName): string {
  return `check-in/${bookingId}/${hash}`;
}
