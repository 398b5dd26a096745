import { ERASED_TEXT } from "#domain/access/erased-text.ts";
import { canAccessBranch } from "#domain/access/sessions.ts";
import { readImageInfo } from "#domain/check-in/images.ts";
import { hasContractTextFormat, hasPrintableSize, MAX_CONTRACT_BYTES } from "#domain/printing/contract-blocks.ts";
import { MAX_SIGNATURE_BYTES } from "#domain/printing/contracts.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  type CheckInFileRow,
  checkInFileQueries,
  recordStoredContractText,
  recordStoredFile,
} from "#worker/store/check-in/files.ts";
import {
  readAsStaff,
  type StaffAnswer,
  type StaffRefusal,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";
import { hashBytesSha256 } from "#worker/usecases/shared/hash-bytes.ts";
import { putUpload } from "#worker/usecases/shared/put-upload.ts";
import { MAX_IMAGE_PIXELS, rebuildImageBytes, yieldAfterLargeRead } from "#worker/usecases/shared/rebuild-image.ts";

export const MAX_CHECK_IN_FILE_BYTES = 10 * 1024 * 1024;
const MAX_FILES_PER_BOOKING = 500;

export type CheckInFileRefusal =
  | StaffRefusal
  | { readonly kind: "unknownBooking" }
  | { readonly kind: "unknownFile" }
  | { readonly kind: "notAnImage" }
  | { readonly kind: "tooManyPixels" }
  | { readonly kind: "signatureTooLarge" }
  | { readonly kind: "hashMismatch" }
  | { readonly kind: "tooManyFiles" }
  | { readonly kind: "customerErased" };

/** Reasons why a file wasn't read: too large, too slow, or incomplete. */
export type FileReadProblem = "tooLarge" | "tooSlow" | "brokenOff";

/** Body of an upload. Both functions return an error for too large or incomplete files. */
export interface UploadBody {
  read(maxBytes: number): Promise<Uint8Array<ArrayBuffer> | FileReadProblem>;
  /** Reads the bytes without storing them. */
  skip(maxBytes: number): Promise<number | FileReadProblem>;
}

/** Identifies a photo or a signature. */
export interface CheckInFileId {
  readonly bookingId: number;
  readonly hash: string;
}

/** Stored file. A text has no pixels. */
export interface StoredCheckInFile {
  readonly hash: string;
  readonly sizeBytes: number;
  readonly contentType: CheckInFileRow["contentType"] | "text/plain";
  readonly width: number;
  readonly height: number;
}

/** File type and size, detected from its bytes. */
type DetectedFileType = Pick<StoredCheckInFile, "contentType" | "width" | "height">;

type FoundCheckInFile = StaffAnswer<StoredCheckInFile | undefined> & {
  readonly userId: number;
  readonly isFull: boolean;
  readonly isErased: boolean;
  readonly isSignature: boolean;
};

/** Checks whether a file exists. Only for users with access to its booking. */
export async function findCheckInFile(
  request: StaffRequest,
  { bookingId, hash }: CheckInFileId,
): Promise<Result<FoundCheckInFile, CheckInFileRefusal>> {
  const read = await readAsStaff(request, () => checkInFileQueries(request.tenant.db, bookingId, hash));
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const [[booking], [image], [contract]] = rows;
  const file = image ?? (contract && { ...contract, ...TEXT });
  if (!booking || !canAccessBranch(staff, booking.branchCode, booking.returnBranchCode)) {
    return err({ kind: "unknownBooking" });
  }
  const isErased = booking.customerName === ERASED_TEXT;
  return ok({
    value: file,
    freshToken,
    userId: staff.userId,
    isFull: booking.files >= MAX_FILES_PER_BOOKING,
    isErased,
    isSignature: booking.isSignature === 1,
  });
}

/**
 * Stores a photo, a signature or the signed text under the hash of the sent bytes. Location and text metadata
 * of images are removed. Reads the bytes only after the access check, and doesn't keep those of an existing
 * or refused file. `isNew` is false if the file already existed. Writes the object first, so that the
 * database never references a missing object.
 */
export async function storeCheckInFile(
  request: StaffRequest,
  name: CheckInFileId,
  upload: UploadBody,
): Promise<
  Result<
    StaffAnswer<{ readonly file: StoredCheckInFile; readonly isNew: boolean }>,
    CheckInFileRefusal | { readonly kind: FileReadProblem }
  >
> {
  const storedFile = await findCheckInFile(request, name);
  if (!storedFile.ok) return storedFile;
  const { value: known, freshToken, userId } = storedFile.value;
  const received = await receive(upload, storedFile.value);
  if (!received.ok) return received;
  const bytes = received.value;
  if (known) return ok({ value: { file: known, isNew: false }, freshToken });
  const examined = await examine(bytes, name.hash);
  if (!examined.ok) return examined;
  const { tenant, now } = request;
  const { content, ...facts } = examined.value;
  const sha256 = content === bytes ? name.hash : await hashBytesSha256(content);
  await yieldAfterLargeRead(content.length);
  const { contentType } = facts;
  const putAgain = await putUpload(tenant.files, getCheckInFilePath(name), content, { sha256, contentType });
  const file = { ...name, ...facts, sizeBytes: content.byteLength };
  const row = { ...name, sizeBytes: content.byteLength, uploadedBy: userId, uploadedAt: now };
  await (contentType === "text/plain"
    ? recordStoredContractText(tenant.db, row)
    : recordStoredFile(tenant.db, { ...row, ...facts, contentType }));
  await putAgain();
  return ok({ value: { file, isNew: true }, freshToken });
}

// Reads the sent bytes. If the file already exists or is refused, reads them without storing them.
async function receive(
  upload: UploadBody,
  { value, isErased, isFull, isSignature }: FoundCheckInFile,
): Promise<Result<Uint8Array<ArrayBuffer>, CheckInFileRefusal | { readonly kind: FileReadProblem }>> {
  const isStored = !value && !isErased && !isFull;
  const bytes = await upload[isStored ? "read" : "skip"](isSignature ? MAX_SIGNATURE_BYTES : MAX_CHECK_IN_FILE_BYTES);
  if (bytes === "tooLarge" && isSignature) return err({ kind: "signatureTooLarge" });
  if (typeof bytes === "string") return err({ kind: bytes });
  if (value) return ok(new Uint8Array());
  if (isErased) return err({ kind: "customerErased" });
  return typeof bytes === "number" ? err({ kind: "tooManyFiles" }) : ok(bytes);
}

async function examine(
  bytes: Uint8Array<ArrayBuffer>,
  hash: string,
): Promise<Result<DetectedFileType & { readonly content: Uint8Array<ArrayBuffer> }, CheckInFileRefusal>> {
  await yieldAfterLargeRead(bytes.length);
  if ((await hashBytesSha256(bytes)) !== hash) return err({ kind: "hashMismatch" });
  await yieldAfterLargeRead(bytes.length);
  if (isContract(bytes)) return ok({ ...TEXT, content: bytes });
  const image = bytes.byteLength < 20 ? undefined : readImageInfo(bytes);
  if (!image) return err({ kind: "notAnImage" });
  if (image.width * image.height > MAX_IMAGE_PIXELS) return err({ kind: "tooManyPixels" });
  const content = await rebuildImageBytes(image.contentType, bytes);
  await yieldAfterLargeRead(bytes.length);
  return content ? ok({ ...image, content }) : err({ kind: "notAnImage" });
}

const TEXT = { contentType: "text/plain", width: 0, height: 0 } as const;

function isContract(bytes: Uint8Array): boolean {
  if (bytes.byteLength > MAX_CONTRACT_BYTES) return false;
  try {
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return hasPrintableSize(text) && hasContractTextFormat(text);
  } catch {
    return false;
  }
}

/** Returns a file with its bytes. */
export async function readCheckInFile(
  request: StaffRequest,
  name: CheckInFileId,
): Promise<
  Result<StaffAnswer<{ readonly file: StoredCheckInFile; readonly body: ReadableStream }>, CheckInFileRefusal>
> {
  const storedFile = await findCheckInFile(request, name);
  if (!storedFile.ok) return storedFile;
  const { value: file, freshToken } = storedFile.value;
  const body = file && (await request.tenant.files.get(getCheckInFilePath(name)));
  return body ? ok({ value: { file, body }, freshToken }) : err({ kind: "unknownFile" });
}

/** Returns the object path of a file. */
export function getCheckInFilePath({ bookingId, hash }: CheckInFileId): string {
  return `check-in/${bookingId}/${hash}`;
}
