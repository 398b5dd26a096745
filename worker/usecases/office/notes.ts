import { canDeleteNote, type TaskChange, type TaskFields, type TaskFilter } from "#domain/contracts/notes.ts";
import { createReason } from "#domain/problems.ts";
import { formatCursor } from "#domain/reporting/page-cursor.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  changeTaskStatements,
  customerNoteQueries,
  deleteNoteStatements,
  type NoteSubject,
  newNoteStatements,
  newTaskStatements,
  noteQuery,
  noteSubjectAccessQuery,
  taskAssigneeQuery,
  taskListQueries,
  taskQuery,
} from "#worker/store/contracts/notes.ts";
import { toCivilNow } from "#worker/tenancy/clock.ts";
import { type Page, toPage } from "#worker/usecases/shared/page.ts";
import { type NoteAnswer, type TaskAnswer, toNoteAnswer, toTaskAnswer } from "./note-answers.ts";
import { findMissingRightRefusal, type OfficeRefusal, type OfficeWrite } from "./office-context.ts";
import { runOfficeWriteOnce } from "./office-write.ts";
import { getTokenUserId, readAsStaff, type StaffAnswer, type StaffRequest } from "./read-as-staff.ts";

const refuseOwner = ({ kind }: NoteSubject): Result<never, OfficeRefusal> =>
  err({ kind: kind === "reservation" ? "reservationNotFound" : "customerNotFound" });

/** Adds a note to a reservation or customer, once per key. */
export async function addNote(
  write: OfficeWrite,
  owner: NoteSubject,
  text: string,
): Promise<Result<StaffAnswer<NoteAnswer>, OfficeRefusal>> {
  const { db } = write.tenant;
  const userId = await getTokenUserId(write);
  return runOfficeWriteOnce(write, {
    right: "hand_over",
    content: { note: owner, text },
    read: () => [noteSubjectAccessQuery(db, owner, userId)] as const,
    decide: ({ rows: [[found]], actor, at }) => {
      if (found?.isAccessible !== 1) return refuseOwner(owner);
      const id = found.nextNoteId;
      return ok({ resource: String(id), statements: newNoteStatements(db, owner, { id, text, actor, at }) });
    },
    readBack: (id) => [noteQuery(db, Number(id), userId)] as const,
    answer: ([[note]], { staff }) => (note ? ok(toNoteAnswer(note, staff)) : err({ kind: "noteNotFound" })),
  });
}

/** Deletes a user's own note, or any note if the user is a manager. */
export async function deleteNote(
  write: OfficeWrite,
  id: number,
): Promise<Result<StaffAnswer<undefined>, OfficeRefusal>> {
  const { db } = write.tenant;
  const userId = await getTokenUserId(write);
  return runOfficeWriteOnce(write, {
    right: "hand_over",
    content: { deleteNote: id },
    read: () => [noteQuery(db, id, userId)] as const,
    decide: ({ rows: [[note]], staff, actor, at }) => {
      if (!note) return err({ kind: "noteNotFound" });
      if (!canDeleteNote(note, staff)) return err({ kind: "rightMissing", right: "manage" });
      return ok({ resource: String(id), statements: deleteNoteStatements(db, note, { actor, at }) });
    },
    readBack: () => [] as const,
    answer: () => ok(undefined),
  });
}

/** Notes and tasks of a customer. */
export interface CustomerNotes {
  readonly notes: readonly NoteAnswer[];
  readonly tasks: readonly TaskAnswer[];
}

/** Returns a customer's notes and tasks, in one round trip. */
export async function readCustomerNotes(
  request: StaffRequest,
  id: number,
): Promise<Result<StaffAnswer<CustomerNotes>, OfficeRefusal>> {
  const { db } = request.tenant;
  const userId = await getTokenUserId(request);
  const owner = { kind: "customer", id } as const;
  const read = await readAsStaff(
    request,
    () => [noteSubjectAccessQuery(db, owner, userId), ...customerNoteQueries(db, id)] as const,
  );
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const [[found], notes, tasks] = rows;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  if (found?.isAccessible !== 1) return refuseOwner(owner);
  const today = toCivilNow(catalogue.settings.timezone, request.now).date;
  const value = {
    notes: notes.map((note) => toNoteAnswer(note, staff)),
    tasks: tasks.map((task) => toTaskAnswer(task, today)),
  };
  return ok({ value, freshToken });
}

const unknownAssignee = { kind: "invalid", field: "assignee_id", reason: createReason("not_known") } as const;

/** Adds a task to a reservation or customer, once per key. */
export async function addTask(
  write: OfficeWrite,
  owner: NoteSubject,
  fields: TaskFields,
): Promise<Result<StaffAnswer<TaskAnswer>, OfficeRefusal>> {
  const { db } = write.tenant;
  const userId = await getTokenUserId(write);
  return runOfficeWriteOnce(write, {
    ...answerTask(write, userId),
    right: "hand_over",
    content: { task: owner, fields },
    read: () => [noteSubjectAccessQuery(db, owner, userId), taskAssigneeQuery(db, fields.assigneeId)] as const,
    decide: ({ rows: [[found], [assignee]], actor, at }) => {
      if (found?.isAccessible !== 1) return refuseOwner(owner);
      if (fields.assigneeId !== null && assignee?.isStaff !== 1) return err(unknownAssignee);
      const id = found.nextTaskId;
      return ok({ resource: String(id), statements: newTaskStatements(db, owner, { ...fields, id, actor, at }) });
    },
  });
}

function answerTask({ tenant, now }: OfficeWrite, userId: number) {
  return {
    readBack: (id: string) => [taskQuery(tenant.db, Number(id), userId)] as const,
    answer: (
      [[task]]: readonly [readonly Parameters<typeof toTaskAnswer>[0][]],
      { catalogue }: { readonly catalogue: { readonly settings: { readonly timezone: string } } },
    ): Result<TaskAnswer, OfficeRefusal> =>
      task ? ok(toTaskAnswer(task, toCivilNow(catalogue.settings.timezone, now).date)) : err({ kind: "taskNotFound" }),
  };
}

/** Changes a task, completes it or opens it again. */
export async function changeTask(
  write: OfficeWrite,
  id: number,
  { expectedVersion, change }: { readonly expectedVersion: number | undefined; readonly change: TaskChange },
): Promise<Result<StaffAnswer<TaskAnswer>, OfficeRefusal>> {
  const { db } = write.tenant;
  const userId = await getTokenUserId(write);
  return runOfficeWriteOnce(write, {
    ...answerTask(write, userId),
    right: "hand_over",
    content: { changeTask: id, change, expectedVersion },
    read: () => [taskQuery(db, id, userId), taskAssigneeQuery(db, change.assigneeId)] as const,
    decide: ({ rows: [[task], [assignee]], catalogue, actor, at }) => {
      if (!task) return err({ kind: "taskNotFound" });
      if (expectedVersion !== undefined && expectedVersion !== task.version) {
        const { date } = toCivilNow(catalogue.settings.timezone, at);
        return err({ kind: "taskChanged", task: toTaskAnswer(task, date) });
      }
      const { text = task.text, dueDate = task.dueDate, assigneeId = task.assigneeId } = change;
      const isNew = assigneeId !== null && assigneeId !== task.assigneeId;
      if (isNew && assignee?.isStaff !== 1) return err(unknownAssignee);
      const changed = { text, dueDate, assigneeId, isDone: change.isDone ?? task.doneAt !== null };
      const statements = isUnchanged(task, changed) ? [] : changeTaskStatements(db, task, changed, { actor, at });
      return ok({ resource: String(id), statements });
    },
  });
}

function isUnchanged(
  task: TaskFields & { readonly doneAt: number | null },
  { text, dueDate, assigneeId, isDone }: TaskFields & { readonly isDone: boolean },
): boolean {
  const isSame = task.text === text && task.dueDate === dueDate && task.assigneeId === assigneeId;
  return isSame && (task.doneAt !== null) === isDone;
}

/** Lists the tasks of the user's branches by due date. One round trip. */
export async function listTasks(
  request: StaffRequest,
  filter: TaskFilter,
): Promise<Result<StaffAnswer<Page<TaskAnswer, string>>, OfficeRefusal>> {
  const userId = await getTokenUserId(request);
  const toToday = (timezone: string) => toCivilNow(timezone, request.now).date;
  const read = await readAsStaff(request, ({ settings }) =>
    taskListQueries(request.tenant.db, { ...filter, userId, today: toToday(settings.timezone) }),
  );
  if (!read.ok) return read;
  const { staff, freshToken, catalogue, rows } = read.value;
  const missing = findMissingRightRefusal(staff, "see");
  if (missing) return missing;
  const [tasks, [counted]] = rows;
  const today = toToday(catalogue.settings.timezone);
  const answers = tasks.map((task) => toTaskAnswer(task, today));
  const value = toPage(answers, counted, filter.pageSize, ({ dueDate, id }) =>
    formatCursor(dueDate ?? "9999-12-31", id),
  );
  return ok({ value, freshToken });
}
