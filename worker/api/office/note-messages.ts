import { z } from "zod";
import type { TaskChange, TaskFields, TaskFilter } from "#domain/contracts/notes.ts";
import { type MessageFormat, nullableText, timestampTextSchema } from "#worker/api/integration/messages.ts";
import { civilDateSchema, integerTextSchema, noteText, reasonText } from "#worker/api/primitives.ts";
import { createCursorField, createMultiValueCursorParser, parseCursorDate, parseCursorId } from "./cursor-messages.ts";
import { totalIsExactSchema } from "./list-messages.ts";

const MAX_NOTE_LENGTH = 4000;
const MAX_TASK_LENGTH = 500;

export const newNoteBody = z
  .strictObject({ text: noteText(MAX_NOTE_LENGTH) }, "must be an object with a text")
  .meta({ id: "NewNote" });
export type NewNoteRequest = z.input<typeof newNoteBody>;

const dueDate = civilDateSchema.nullable();
const assignee = z.int("must be a whole number").min(1, "must be at least 1").nullable();

export const newTaskBody = z
  .strictObject(
    {
      text: reasonText(MAX_TASK_LENGTH),
      due_date: dueDate.optional(),
      assignee_id: assignee.optional().meta({ description: "Id of the staff member who does it" }),
    },
    "must be an object with a text",
  )
  .meta({ id: "NewTask" });
export type NewTaskRequest = z.input<typeof newTaskBody>;

export const taskChangeBody = z
  .strictObject(
    {
      expected_version: z.int("must be a whole number").min(1).optional(),
      text: reasonText(MAX_TASK_LENGTH).optional(),
      due_date: dueDate.optional(),
      assignee_id: assignee.optional(),
      done: z.boolean("must be true or false").optional(),
    },
    "must be an object",
  )
  .meta({ id: "TaskChange" });
export type TaskChangeRequest = z.input<typeof taskChangeBody>;

const flag = z
  .enum(["true", "false"], "must be true or false")
  .transform((value) => value === "true")
  .meta({ type: "boolean" });

export const tasksQuery = z.object({
  mine: flag.optional().meta({ type: "boolean", description: "Assigned to the caller" }),
  open: flag.optional(),
  overdue: flag.optional().meta({ type: "boolean", description: "Open, and due before today" }),
  page_size: integerTextSchema(200, 1).default(50),
  after: createCursorField(createMultiValueCursorParser({ due: parseCursorDate, id: parseCursorId })).optional(),
});

/** Converts the filters of the task list. */
export function toTaskSearch({
  mine,
  open,
  overdue,
}: Omit<z.output<typeof tasksQuery>, "page_size" | "after">): Omit<TaskFilter, "pageSize" | "after"> {
  return { isMine: mine, isOpen: open, isOverdue: overdue };
}

/** Converts the query of a page of the task list. */
export function toTaskPageSearch(query: z.output<typeof tasksQuery>): TaskFilter {
  return { ...toTaskSearch(query), pageSize: query.page_size, after: query.after };
}

/** Converts a new task. */
export function toTaskFields(body: z.output<typeof newTaskBody>): TaskFields {
  return { text: body.text, dueDate: body.due_date ?? null, assigneeId: body.assignee_id ?? null };
}

/** Converts the change of a task. Absent fields stay absent. */
export function toTaskChange(body: z.output<typeof taskChangeBody>): TaskChange {
  return {
    ...(body.text !== undefined && { text: body.text }),
    ...(body.due_date !== undefined && { dueDate: body.due_date }),
    ...(body.assignee_id !== undefined && { assigneeId: body.assignee_id }),
    ...(body.done !== undefined && { isDone: body.done }),
  };
}

export const noteSchema = z
  .object({
    id: z.int(),
    text: z.string(),
    author: nullableText.meta({ description: "Name of the staff member" }),
    created: timestampTextSchema,
    deletable: z.boolean().meta({ description: "Whether the caller may delete it: its author and managers" }),
  })
  .meta({ id: "Note" });

export const taskSchema = z
  .object({
    id: z.int(),
    version: z.int(),
    reservation_id: z.int().nullable(),
    customer_id: z.int().nullable(),
    text: z.string(),
    due_date: z.string().nullable(),
    overdue: z.boolean(),
    assignee_id: z.int().nullable(),
    assignee: nullableText.meta({ description: "Name of the staff member" }),
    done: z.boolean(),
    done_at: timestampTextSchema.nullable(),
    done_by: nullableText,
    author: nullableText,
    created: timestampTextSchema,
  })
  .meta({ id: "Task" });

export const noteAnswer = z.object({ note: noteSchema });
export const taskAnswer = z.object({ task: taskSchema });
export const notesAnswer = z.object({ data: z.array(noteSchema) });
export type CustomerNotesMessage = z.output<typeof notesAnswer>;
export const tasksAnswer = z.object({ data: z.array(taskSchema) });
export type CustomerTasksMessage = z.output<typeof tasksAnswer>;
export const taskList = z.object({
  data: z.array(taskSchema),
  total: z.int(),
  total_is_exact: totalIsExactSchema,
  next: z.string().nullable().meta({ description: "`after` of the next page" }),
});

export type TaskListMessage = z.output<typeof taskList>;

interface StoredNote {
  readonly id: number;
  readonly text: string;
  readonly author: string | null;
  readonly createdAt: number;
  readonly isDeletable: boolean;
}

export function toNoteMessage(row: StoredNote, messageFormat: MessageFormat): z.output<typeof noteSchema> {
  return {
    id: row.id,
    text: row.text,
    author: row.author,
    created: messageFormat.timestamp(row.createdAt),
    deletable: row.isDeletable,
  };
}

interface StoredTask extends TaskFields {
  readonly id: number;
  readonly version: number;
  readonly bookingId: number | null;
  readonly customerId: number | null;
  readonly assignee: string | null;
  readonly isOverdue: boolean;
  readonly doneAt: number | null;
  readonly doneByName: string | null;
  readonly author: string | null;
  readonly createdAt: number;
}

export function toTaskMessage(row: StoredTask, messageFormat: MessageFormat): z.output<typeof taskSchema> {
  return {
    id: row.id,
    version: row.version,
    reservation_id: row.bookingId,
    customer_id: row.customerId,
    text: row.text,
    due_date: row.dueDate,
    overdue: row.isOverdue,
    assignee_id: row.assigneeId,
    assignee: row.assignee,
    done: row.doneAt !== null,
    done_at: row.doneAt === null ? null : messageFormat.timestamp(row.doneAt),
    done_by: row.doneByName,
    author: row.author,
    created: messageFormat.timestamp(row.createdAt),
  };
}
