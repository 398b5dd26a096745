import type {
  ImportCheck,
  ImportedCounts,
  ImportFiles,
  ImportRefusal,
  ImportTable,
} from "#domain/operations/imports.ts";
import { err, ok, type Result } from "#domain/result.ts";
import { officeRequestQuery } from "#worker/store/guards/office-requests.ts";
import { importsQuery } from "#worker/store/operations/imports.ts";
import type { TempDatabaseClient, TempDatabaseRequest } from "#worker/tenancy/temp-database.ts";
import {
  createUserIdempotencyKey,
  findMissingRightRefusal,
  type OfficeRefusal,
  type OfficeWrite,
} from "#worker/usecases/office/office-context.ts";
import { findReusedKeyRefusal, findStaleFactorRefusalForWrite } from "#worker/usecases/office/office-write.ts";
import { readAsStaff, type StaffAnswer, type StaffRequest } from "#worker/usecases/office/read-as-staff.ts";
import { computeFingerprint } from "#worker/usecases/shared/fingerprint.ts";
import { hashBytesSha256 } from "#worker/usecases/shared/hash-bytes.ts";

/** Recorded import. `id` is undefined if it changed nothing. */
export interface ImportRecord {
  readonly id: number | undefined;
  readonly at: number;
  readonly by: string | null;
  readonly undoneAt: number | null;
  readonly isUndoable: boolean;
  readonly files: readonly ImportedCounts[];
}

type OfficeResult<T> = Promise<Result<StaffAnswer<T>, OfficeRefusal>>;

/** Lists the imports, newest first. Administrators only. */
export async function listImports(request: StaffRequest): OfficeResult<readonly ImportRecord[]> {
  const read = await readAsAdministrator(request);
  if (!read.ok) return read;
  const { rows, freshToken } = read.value;
  return ok({ value: rows[1].map(toImport), freshToken });
}

/** Returns the tables that the office can import and their columns. */
export async function listImportableTables(request: StaffRequest): OfficeResult<readonly ImportTable[]> {
  return inScratch(request, (scratch) => scratch.tables());
}

/** Returns the templates as a zip file. */
export async function readImportTemplates(request: StaffRequest): OfficeResult<Uint8Array<ArrayBuffer>> {
  return inScratch(request, (scratch) => scratch.templates());
}

/** Tests an import in a copy of the account and reports its effects. */
export async function checkImport(request: StaffRequest, importFiles: ImportFiles): OfficeResult<ImportCheck> {
  const tried = await inScratch(request, (scratch) => scratch.check(importFiles));
  if (!tried.ok) return tried;
  const { value, freshToken } = tried.value;
  if (value.kind === "checked") return ok({ value: value.check, freshToken });
  return err(value.kind === "written" ? { kind: "importUnavailable" } : value);
}

/** Imports files, once per key. Imports all or nothing, and reports the errors. */
export async function importFilesOnce(write: OfficeWrite, files: ImportFiles): OfficeResult<ImportRecord> {
  const content = { ...files, files: await Promise.all(files.files.map(hashed)) };
  return writeInScratch(write, content, async (scratch, request) => {
    const tried = await scratch.write(files, request);
    if (tried.kind === "checked") return err({ kind: "importHasProblems", check: tried.check });
    if (tried.kind !== "written") return err(tried);
    const nothing = { id: undefined, at: write.now, by: null, undoneAt: null, isUndoable: false, files: tried.files };
    return ok(tried.id === undefined ? nothing : tried.id);
  });
}

/** Undoes the last import, once per key. Removes added rows and restores changed ones. */
export async function undoImportOnce(write: OfficeWrite, id: number): OfficeResult<ImportRecord> {
  return writeInScratch(write, { undo: id }, async (scratch, request, known) => {
    const importToUndo = known.find((item) => item.id === id);
    if (!importToUndo) return err({ kind: "importNotFound" });
    if (importToUndo.undoneAt !== null) return ok(id);
    if (importToUndo.isUndoable !== 1) return err({ kind: "importNotUndoable", reasons: [{ code: "not_last" }] });
    const undoResult = await scratch.undo(request);
    return undoResult.kind === "undone" ? ok(id) : err(undoResult);
  });
}

type Doing = (
  scratch: TempDatabaseClient,
  request: TempDatabaseRequest,
  known: Awaited<ReturnType<typeof importsQuery>>,
) => Promise<Result<number | ImportRecord, OfficeRefusal>>;

async function writeInScratch(write: OfficeWrite, content: unknown, doing: Doing): OfficeResult<ImportRecord> {
  const { scratch, db } = write.tenant;
  const [key, importToUndo] = await Promise.all([createUserIdempotencyKey(write), computeFingerprint(content)]);
  const read = await readAsAdministrator(write, key);
  if (!read.ok) return read;
  const { staff, factor, rows, freshToken } = read.value;
  const [[before], imports] = rows;
  const refused =
    findReusedKeyRefusal(before, { fingerprint: importToUndo }) ??
    findStaleFactorRefusalForWrite("administer", false, factor);
  if (refused) return refused;
  if (!scratch) return err({ kind: "importUnavailable" });
  const request = { key, fingerprint: importToUndo, actor: `staff:${staff.userId}`, now: write.now };
  const undoResult = before
    ? ok(Number(before.resource))
    : await recoverTwinResult(db, key, doing(scratch, request, imports));
  if (!undoResult.ok) return undoResult;
  if (typeof undoResult.value !== "number") return ok({ value: undoResult.value, freshToken });
  const storedImport = (await importsQuery(db)).find(({ id }) => id === undoResult.value);
  return storedImport ? ok({ value: toImport(storedImport), freshToken }) : err({ kind: "importNotFound" });
}

// A concurrent request with the same key may have finished first. Then the import is done, regardless of this result.
async function recoverTwinResult(
  db: OfficeWrite["tenant"]["db"],
  key: string,
  doing: ReturnType<Doing>,
): ReturnType<Doing> {
  const undoResult = await doing;
  if (undoResult.ok && typeof undoResult.value === "number") return undoResult;
  const [[twin]] = await db.batch([officeRequestQuery(db, key)]);
  return twin ? ok(Number(twin.resource)) : undoResult;
}

async function inScratch<T>(request: StaffRequest, work: (scratch: TempDatabaseClient) => Promise<T>): OfficeResult<T> {
  const read = await readAsAdministrator(request);
  if (!read.ok) return read;
  const { scratch } = request.tenant;
  if (!scratch) return err({ kind: "importUnavailable" } satisfies ImportRefusal);
  return ok({ value: await work(scratch), freshToken: read.value.freshToken });
}

async function readAsAdministrator(request: StaffRequest, key = "") {
  const { db } = request.tenant;
  const read = await readAsStaff(request, () => [officeRequestQuery(db, key), importsQuery(db)] as const);
  if (!read.ok) return read;
  return findMissingRightRefusal(read.value.staff, "administer") ?? read;
}

function toImport({ files, isUndoable, ...one }: Awaited<ReturnType<typeof importsQuery>>[number]): ImportRecord {
  return { ...one, isUndoable: isUndoable === 1, files: JSON.parse(files) as readonly ImportedCounts[] };
}

async function hashed({ bytes, ...file }: ImportFiles["files"][number]) {
  return { ...file, bytes: await hashBytesSha256(bytes) };
}
