import { eq, getTableColumns, type SQL, sql } from "drizzle-orm";
import type { TaskFields, TaskFilter } from "#domain/contracts/notes.ts";
import { isCustomerVisibleToUserSql } from "#worker/store/access/customer-visibility.ts";
import { selectStaffName } from "#worker/store/access/staff-name.ts";
import type { Database, Query } from "#worker/store/database.ts";
import { prepareQuery } from "#worker/store/prepared-queries.ts";
import { bookingHistory } from "#worker/store/schema/bookings.ts";
import { catalogueVersion } from "#worker/store/schema/catalogue-version.ts";
import { notes, officeTasks } from "#worker/store/schema/notes.ts";
import { customerHistory } from "#worker/store/schema/people.ts";
import { getTotalCountLimit } from "#worker/store/search.ts";
import { isInUserBranchesSql } from "#worker/store/user-branches.ts";

/** Reservation or customer of a note or task. */
export interface NoteSubject {
  readonly kind: "reservation" | "customer";
  readonly id: number;
}

const note = { ...getTableColumns(notes), author: selectStaffName(sql`notes.created_by`).as("note_author") };
const task = {
  ...getTableColumns(officeTasks),
  author: selectStaffName(sql`office_tasks.created_by`).as("task_author"),
  doneByName: selectStaffName(sql`office_tasks.done_by`).as("task_done_by"),
  assignee: sql<string | null>`(SELECT full_name FROM users WHERE id = office_tasks.assignee_id)`.as("task_assignee"),
};

/** Returns the query for the notes of a reservation, newest first. */
export const bookingNotesQuery = prepareQuery((db) =>
  db
    .select(note)
    .from(notes)
    .where(eq(notes.bookingId, sql.placeholder("bookingId")))
    .orderBy(sql`notes.id DESC`),
);
export type NoteRow = Awaited<ReturnType<typeof bookingNotesQuery>>[number];

/** Returns the query for the tasks of a reservation: open ones first, each by due date. */
export const bookingTasksQuery = prepareQuery((db) =>
  db
    .select(task)
    .from(officeTasks)
    .where(eq(officeTasks.bookingId, sql.placeholder("bookingId")))
    .orderBy(sql`office_tasks.done_at IS NOT NULL, ${DUE}, office_tasks.id`),
);
export type TaskRow = Awaited<ReturnType<typeof bookingTasksQuery>>[number];

const DUE = sql`coalesce(office_tasks.due_date, '9999-12-31')`;

// Includes notes and tasks of customers that were merged into this one.
const isForCustomer = (id: number) =>
  sql`customer_id IN (SELECT customers.id FROM customers WHERE customers.id = ${id} OR customers.merged_into_id = ${id})`;

/** Returns the queries for a customer's notes, newest first, and tasks. */
export function customerNoteQueries(db: Database, customerId: number) {
  return [
    db.select(note).from(notes).where(isForCustomer(customerId)).orderBy(sql`notes.id DESC`),
    db
      .select(task)
      .from(officeTasks)
      .where(isForCustomer(customerId))
      .orderBy(sql`office_tasks.done_at IS NOT NULL, ${DUE}, office_tasks.id`),
  ] as const;
}

const isBookingVisible = (id: SQL, userId: number) =>
  sql`EXISTS (SELECT 1 FROM bookings WHERE bookings.id = ${id}
    AND ${isInUserBranchesSql(userId, sql`bookings.branch_code`, sql`bookings.return_branch_code`)})`;
const isPersonVisible = (id: SQL, userId: number) =>
  sql`EXISTS (SELECT 1 FROM customers WHERE customers.id = ${id} AND customers.erased_at IS NULL AND ${isCustomerVisibleToUserSql(userId)})`;
const isVisible = (table: "notes" | "office_tasks", userId: number) => {
  const column = (name: string) => sql.raw(`${table}.${name}`);
  return sql`(${isBookingVisible(column("booking_id"), userId)} OR ${isPersonVisible(column("customer_id"), userId)})`;
};

/**
 * Returns the query that reads whether the user may access the owner of a note, and the next ids of notes and tasks.
 */
export function noteSubjectAccessQuery(db: Database, { kind, id }: NoteSubject, userId: number) {
  const isAccessible =
    kind === "reservation" ? isBookingVisible(sql`${id}`, userId) : isPersonVisible(sql`${id}`, userId);
  return db
    .select({
      isAccessible: sql<number>`${isAccessible}`.as("is_accessible"),
      nextNoteId: sql<number>`(SELECT coalesce(max(id), 0) + 1 FROM notes)`.as("next_note_id"),
      nextTaskId: sql<number>`(SELECT coalesce(max(id), 0) + 1 FROM office_tasks)`.as("next_task_id"),
    })
    .from(catalogueVersion);
}

/** Returns the query for a note that the user may see. */
export function noteQuery(db: Database, id: number, userId: number) {
  return db
    .select(note)
    .from(notes)
    .where(sql`notes.id = ${id} AND ${isVisible("notes", userId)}`);
}

/** Returns the query for a task that the user may see. */
export function taskQuery(db: Database, id: number, userId: number) {
  return db
    .select(task)
    .from(officeTasks)
    .where(sql`office_tasks.id = ${id} AND ${isVisible("office_tasks", userId)}`);
}

/** Returns the query that reads whether a user can be assigned a task: active staff. */
export function taskAssigneeQuery(db: Database, id: number | null | undefined) {
  return db
    .select({
      isStaff:
        sql<number>`EXISTS (SELECT 1 FROM users WHERE users.id = ${id ?? 0} AND users.kind = 'staff' AND users.active = 1)`.as(
          "is_staff",
        ),
    })
    .from(catalogueVersion);
}

/** Task list of a user on a date of the account. */
export interface TaskSearch extends TaskFilter {
  readonly today: string;
  readonly userId: number;
}

/** Returns the queries for a page of tasks by due date, and their number. */
export function taskListQueries(db: Database, search: TaskSearch) {
  const { isMine, isOpen, isOverdue, today, userId, after, pageSize } = search;
  const isLate = sql`(office_tasks.done_at IS NULL AND ${DUE} < ${today})`;
  const conditions = sql.join(
    [
      isVisible("office_tasks", userId),
      ...toCondition(isMine, sql`office_tasks.assignee_id IS ${userId}`),
      ...toCondition(isOpen, sql`office_tasks.done_at IS NULL`),
      ...toCondition(isOverdue, isLate),
    ],
    sql` AND `,
  );
  const limit = getTotalCountLimit(pageSize) + 1;
  const next = after ? sql`${conditions} AND (${DUE}, office_tasks.id) > (${after.due}, ${after.id})` : conditions;
  return [
    db
      .select(task)
      .from(officeTasks)
      .where(next)
      .orderBy(sql`${DUE}, office_tasks.id`)
      .limit(pageSize + 1),
    db
      .select({ total: sql<number>`count(*)`.as("total") })
      .from(sql`(SELECT 1 FROM office_tasks WHERE ${conditions} LIMIT ${limit})`),
  ] as const;
}

function toCondition(isWanted: boolean | undefined, condition: SQL): readonly SQL[] {
  if (isWanted === undefined) return [];
  return isWanted ? [condition] : [sql`NOT ${condition}`];
}

/** History entry of a note or task. */
interface NoteEntry {
  readonly at: number;
  readonly actor: string;
  readonly before?: object | undefined;
  readonly after?: object | undefined;
}

/** Adds an entry to the history of the note's reservation or customer. */
function entryStatement(
  db: Database,
  { bookingId, customerId }: Pick<NoteRow, "bookingId" | "customerId">,
  { at, actor, before, after }: NoteEntry,
): readonly Query[] {
  const entry = { at, actor, event: "changed", detail: JSON.stringify({ before, after }) } as const;
  return [
    ...(bookingId === null ? [] : [db.insert(bookingHistory).values({ ...entry, bookingId })]),
    ...(customerId === null ? [] : [db.insert(customerHistory).values({ ...entry, customerId })]),
  ];
}

const toOwnerColumns = ({ kind, id }: NoteSubject) => ({
  bookingId: kind === "reservation" ? id : null,
  customerId: kind === "customer" ? id : null,
});

/** Returns the statements that add a note and its history entry. */
export function newNoteStatements(
  db: Database,
  owner: NoteSubject,
  { id, text, actor, at }: { readonly id: number; readonly text: string; readonly actor: string; readonly at: number },
): readonly Query[] {
  const columns = toOwnerColumns(owner);
  return [
    db.insert(notes).values({ id, ...columns, text, createdBy: actor, createdAt: at }),
    ...entryStatement(db, columns, { at, actor, after: { note: text } }),
  ];
}

/** Returns the statements that delete a note and add the history entry. */
export function deleteNoteStatements(
  db: Database,
  row: NoteRow,
  { actor, at }: { readonly actor: string; readonly at: number },
): readonly Query[] {
  return [
    db.delete(notes).where(eq(notes.id, row.id)),
    ...entryStatement(db, row, { at, actor, before: { note: row.text } }),
  ];
}

const toEntry = ({ text, dueDate, assigneeId }: TaskFields, isDone: boolean) => ({
  task: [text, dueDate ?? "", assigneeId === null ? "" : `staff:${assigneeId}`, isDone ? "done" : ""]
    .filter(Boolean)
    .join("; "),
});

/** Returns the statements that add a task and its history entry. */
export function newTaskStatements(
  db: Database,
  owner: NoteSubject,
  { id, actor, at, ...fields }: TaskFields & { readonly id: number; readonly actor: string; readonly at: number },
): readonly Query[] {
  const columns = toOwnerColumns(owner);
  return [
    db.insert(officeTasks).values({ id, ...columns, ...fields, createdBy: actor, createdAt: at, lastUpdate: at }),
    ...entryStatement(db, columns, { at, actor, after: toEntry(fields, false) }),
  ];
}

/** Returns the statements that change a task and add the history entry. Fails if it has changed since it was read. */
export function changeTaskStatements(
  db: Database,
  row: TaskRow,
  changed: TaskFields & { readonly isDone: boolean },
  { actor, at }: { readonly actor: string; readonly at: number },
): readonly Query[] {
  const { isDone, ...fields } = changed;
  const wasDone = row.doneAt !== null;
  const done = isDone ? { doneAt: at, doneBy: actor } : { doneAt: null, doneBy: null };
  return [
    db
      .update(officeTasks)
      .set({ ...fields, ...(isDone !== wasDone && done), version: row.version + 1, lastUpdate: at })
      .where(eq(officeTasks.id, row.id)),
    ...entryStatement(db, row, { at, actor, before: toEntry(row, wasDone), after: toEntry(fields, isDone) }),
  ];
}
