import {
  isCustomerFileSizeAllowed,
  isPdf,
  MAX_CUSTOMER_FILE_MB,
  MAX_FILES_PER_CUSTOMER,
  toCustomerFileName,
} from "#domain/access/customer-files.ts";
import { canDeleteNote } from "#domain/contracts/notes.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  type CustomerFileRow,
  customerFileAccessQuery,
  customerFileQuery,
  customerFilesQuery,
  deleteCustomerFileStatements,
  getCustomerFilePath,
  newCustomerFileStatements,
} from "#worker/store/access/customer-files.ts";
import {
  createUserIdempotencyKey,
  findMissingRightRefusal,
  type OfficeRefusal,
  type OfficeWrite,
} from "#worker/usecases/office/office-context.ts";
import { runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import {
  getTokenUserId,
  readAsStaff,
  type StaffAnswer,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";
import { computeFingerprint } from "#worker/usecases/shared/fingerprint.ts";
import { hashBytesSha256 } from "#worker/usecases/shared/hash-bytes.ts";
import { putUpload } from "#worker/usecases/shared/put-upload.ts";
import { rebuildPrintableImage } from "#worker/usecases/shared/rebuild-image.ts";

/** File as a staff member sees it. */
export type CustomerFileAnswer = CustomerFileRow & { readonly isDeletable: boolean };

const notAFile = {
  kind: "invalid",
  field: "content",
  reason: createReason("customer_file", MAX_CUSTOMER_FILE_MB),
} as const;

/**
 * Adds a file to a customer's card, once per key. Images are rebuilt from the parts that show them. The object is
 * written first, so that no row names a missing one. Its name depends on the key, so that a repetition replaces nothing
 * and a deleted file is never found again.
 */
export async function addCustomerFile(
  write: OfficeWrite,
  customerId: number,
  { name, content }: { readonly name: string; readonly content: Uint8Array<ArrayBuffer> },
): Promise<Result<StaffAnswer<CustomerFileAnswer>, OfficeRefusal>> {
  const { db, files } = write.tenant;
  const userId = await getTokenUserId(write);
  const about = { customerFile: customerId, name, sha256: await hashBytesSha256(content) };
  const key = await computeFingerprint({ ...about, key: await createUserIdempotencyKey(write) });
  let putAgain: (() => Promise<void>) | undefined;
  const written = await runOfficeWriteOnce(write, {
    right: "hand_over",
    content: about,
    read: () => [customerFileAccessQuery(db, customerId, userId)] as const,
    decide: async ({ rows: [[found]], actor, at }) => {
      if (found?.isAccessible !== 1) return err({ kind: "customerNotFound" });
      if (found.files >= MAX_FILES_PER_CUSTOMER) return err({ kind: "tooManyFiles" });
      const examined = await examine(content);
      if (!examined) return err(notAFile);
      const { contentType, content: bytes } = examined;
      const added = {
        key,
        customerId,
        name: toCustomerFileName(name, contentType),
        contentType,
        sizeBytes: bytes.byteLength,
      };
      const sha256 = await hashBytesSha256(bytes);
      putAgain = await putUpload(files, getCustomerFilePath(added), bytes, { sha256, contentType });
      return ok({ resource: key, statements: newCustomerFileStatements(db, added, { actor, at }) });
    },
    readBack: () => [customerFileAccessQuery(db, customerId, userId), customerFileQuery(db, customerId, key)] as const,
    answer: ([[found], [file]], { staff }) =>
      found?.isAccessible === 1 && file
        ? ok({ ...file, isDeletable: canDeleteNote(file, staff) })
        : err({ kind: "fileNotFound" }),
  });
  if (written.ok) await putAgain?.();
  return written;
}

async function examine(content: Uint8Array<ArrayBuffer>) {
  if (!isCustomerFileSizeAllowed(content)) return undefined;
  return isPdf(content) ? ({ contentType: "application/pdf", content } as const) : rebuildPrintableImage(content);
}

/** Lists the files of a customer's card, in one round trip. */
export async function listCustomerFiles(
  request: StaffRequest,
  customerId: number,
): Promise<Result<StaffAnswer<readonly CustomerFileAnswer[]>, OfficeRefusal>> {
  const { db } = request.tenant;
  const userId = await getTokenUserId(request);
  const read = await readAsStaff(
    request,
    () => [customerFileAccessQuery(db, customerId, userId), customerFilesQuery(db, customerId)] as const,
  );
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const [[found], files] = rows;
  if (found?.isAccessible !== 1) return err({ kind: "customerNotFound" });
  return ok({ value: files.map((file) => ({ ...file, isDeletable: canDeleteNote(file, staff) })), freshToken });
}

/** Name of a file on a customer's card. */
export interface CustomerFileId {
  readonly customerId: number;
  readonly key: string;
}

/** Returns a file with its bytes. */
export async function readCustomerFile(
  request: StaffRequest,
  { customerId, key }: CustomerFileId,
): Promise<Result<StaffAnswer<{ readonly file: CustomerFileRow; readonly body: ReadableStream }>, OfficeRefusal>> {
  const { db, files } = request.tenant;
  const userId = await getTokenUserId(request);
  const read = await readAsStaff(
    request,
    () => [customerFileAccessQuery(db, customerId, userId), customerFileQuery(db, customerId, key)] as const,
  );
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const [[found], [file]] = rows;
  if (found?.isAccessible !== 1) return err({ kind: "customerNotFound" });
  const body = file && (await files.get(getCustomerFilePath(file)));
  return body ? ok({ value: { file, body }, freshToken }) : err({ kind: "fileNotFound" });
}

/**
 * Deletes a file. Only the user who added it or a manager may. If its object can't be deleted now, the cron job deletes
 * it.
 */
export async function deleteCustomerFile(
  write: OfficeWrite,
  { customerId, key }: CustomerFileId,
): Promise<Result<StaffAnswer<undefined>, OfficeRefusal>> {
  const { db, files, copies } = write.tenant;
  const userId = await getTokenUserId(write);
  let path: string | undefined;
  const deleted = await runOfficeWriteOnce(write, {
    right: "hand_over",
    content: { deleteCustomerFile: customerId, key },
    read: () => [customerFileAccessQuery(db, customerId, userId), customerFileQuery(db, customerId, key)] as const,
    decide: ({ rows: [[found], [file]], staff, actor, at }) => {
      if (found?.isAccessible !== 1) return err({ kind: "customerNotFound" });
      if (!file) return err({ kind: "fileNotFound" });
      if (!canDeleteNote(file, staff)) return err({ kind: "rightMissing", right: "manage" });
      path = getCustomerFilePath(file);
      return ok({ resource: key, statements: deleteCustomerFileStatements(db, file, { actor, at }) });
    },
    readBack: () => [] as const,
    answer: () => ok(undefined),
  });
  if (!deleted.ok || path === undefined) return deleted;
  await Promise.allSettled([files.delete(path), copies?.photos.delete(path)]);
  return deleted;
}
