import type {
  GivenFiles,
  ImportCheck,
  ImportedCounts,
  ImportRefusal,
  ImportTable,
} from "#domain/operations/imports.ts";
import { ok, type Result, refuse } from "#domain/result.ts";
import { toHex } from "#worker/auth/bytes.ts";
import { importsQuery } from "#worker/store/operations/imports.ts";
import { officeRequestQuery } from "#worker/store/operations/office-requests.ts";
import type { Scratch, ScratchRequest } from "#worker/tenancy/scratch.ts";
import { readAsStaff, type StaffRequest } from "#worker/usecases/access/read-as-staff.ts";
import {
  keyOf,
  type OfficeAnswer,
  type OfficeRefusal,
  type OfficeWrite,
  refuseWithout,
} from "#worker/usecases/bookings/moves/office-context.ts";
import { refuseReused, refuseStale } from "#worker/usecases/operations/office-write.ts";
import { fingerprint } from "#worker/usecases/shared/fingerprint.ts";

/** An import as it is remembered; `id` is undefined where there was nothing to write. */
export interface RememberedImport {
  readonly id: number | undefined;
  readonly at: number;
  readonly by: string | null;
  readonly undoneAt: number | null;
  readonly isUndoable: boolean;
  readonly files: readonly ImportedCounts[];
}

type Answered<T> = Promise<Result<OfficeAnswer<T>, OfficeRefusal>>;

/** What was imported, the latest first; for administrators. */
export async function listImports(request: StaffRequest): Answered<readonly RememberedImport[]> {
  const read = await readAsAdministrator(request);
  if (!read.ok) return read;
  const { rows, freshToken } = read.value;
  return ok({ value: rows[1].map(toImport), freshToken });
}

/** What the office imports and what its files may say. */
export async function readImportTables(request: StaffRequest): Answered<readonly ImportTable[]> {
  return inScratch(request, (scratch) => scratch.tables());
}

/** Files to fill in, as a zip. */
export async function readImportTemplates(request: StaffRequest): Answered<Uint8Array<ArrayBuffer>> {
  return inScratch(request, (scratch) => scratch.templates());
}

/** Tries an import: all of it is done in a copy of the account, and what would become of it is said. */
export async function checkImport(request: StaffRequest, given: GivenFiles): Answered<ImportCheck> {
  const tried = await inScratch(request, (scratch) => scratch.check(given));
  if (!tried.ok) return tried;
  const { value, freshToken } = tried.value;
  if (value.kind === "checked") return ok({ value: value.check, freshToken });
  return refuse(value.kind === "written" ? { kind: "importUnavailable" } : value);
}

/** Imports files, all of it or nothing, once for each key; where anything is wrong, nothing, and what is. */
export async function importFiles(write: OfficeWrite, given: GivenFiles): Answered<RememberedImport> {
  const content = { ...given, files: await Promise.all(given.files.map(hashed)) };
  return writeInScratch(write, content, async (scratch, request) => {
    const tried = await scratch.write(given, request);
    if (tried.kind === "checked") return refuse({ kind: "importHasProblems", check: tried.check });
    if (tried.kind !== "written") return refuse(tried);
    const nothing = { id: undefined, at: write.now, by: null, undoneAt: null, isUndoable: false, files: tried.files };
    return ok(tried.id === undefined ? nothing : tried.id);
  });
}

/** Takes the last import back, once for each key: what it added goes, what it changed is as it was. */
export async function undoImported(write: OfficeWrite, id: number): Answered<RememberedImport> {
  return writeInScratch(write, { undo: id }, async (scratch, request, known) => {
    const asked = known.find((one) => one.id === id);
    if (!asked) return refuse({ kind: "importNotFound" });
    if (asked.undoneAt !== null) return ok(id);
    if (asked.isUndoable !== 1) return refuse({ kind: "importNotUndoable", reasons: ["it is not the last one"] });
    const done = await scratch.undo(request);
    return done.kind === "undone" ? ok(id) : refuse(done);
  });
}

type Doing = (
  scratch: Scratch,
  request: ScratchRequest,
  known: Awaited<ReturnType<typeof importsQuery>>,
) => Promise<Result<number | RememberedImport, OfficeRefusal>>;

async function writeInScratch(write: OfficeWrite, content: unknown, doing: Doing): Answered<RememberedImport> {
  const { scratch, db } = write.tenant;
  const [key, asked] = await Promise.all([keyOf(write), fingerprint(content)]);
  const read = await readAsAdministrator(write, key);
  if (!read.ok) return read;
  const { staff, factor, rows, freshToken } = read.value;
  const [[before], imports] = rows;
  const refused = refuseReused(before, { fingerprint: asked }) ?? refuseStale("administer", false, factor);
  if (refused) return refused;
  if (!scratch) return refuse({ kind: "importUnavailable" });
  const request = { key, fingerprint: asked, actor: `staff:${staff.userId}`, now: write.now };
  const done = before ? ok(Number(before.resource)) : await doneOnce(db, key, doing(scratch, request, imports));
  if (!done.ok) return done;
  if (typeof done.value !== "number") return ok({ value: done.value, freshToken });
  const found = (await importsQuery(db)).find(({ id }) => id === done.value);
  return found ? ok({ value: toImport(found), freshToken }) : refuse({ kind: "importNotFound" });
}

// A twin under the same key may have come first, after this one was read: then it is done, whatever is said now.
async function doneOnce(db: OfficeWrite["tenant"]["db"], key: string, doing: ReturnType<Doing>): ReturnType<Doing> {
  const done = await doing;
  if (done.ok && typeof done.value === "number") return done;
  const [[twin]] = await db.batch([officeRequestQuery(db, key)]);
  return twin ? ok(Number(twin.resource)) : done;
}

async function inScratch<T>(request: StaffRequest, work: (scratch: Scratch) => Promise<T>): Answered<T> {
  const read = await readAsAdministrator(request);
  if (!read.ok) return read;
  const { scratch } = request.tenant;
  if (!scratch) return refuse({ kind: "importUnavailable" } satisfies ImportRefusal);
  return ok({ value: await work(scratch), freshToken: read.value.freshToken });
}

async function readAsAdministrator(request: StaffRequest, key = "") {
  const { db } = request.tenant;
  const read = await readAsStaff(request, () => [officeRequestQuery(db, key), importsQuery(db)] as const);
  if (!read.ok) return read;
  return refuseWithout(read.value.staff, "administer") ?? read;
}

function toImport({ files, isUndoable, ...one }: Awaited<ReturnType<typeof importsQuery>>[number]): RememberedImport {
  return { ...one, isUndoable: isUndoable === 1, files: JSON.parse(files) as readonly ImportedCounts[] };
}

async function hashed({ bytes, ...file }: GivenFiles["files"][number]) {
  return { ...file, bytes: toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes))) };
}
