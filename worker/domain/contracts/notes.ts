import { hasRight } from "#domain/access/rights.ts";
import type { SignedInUser } from "#domain/access/sessions.ts";

/** Fields of a task that staff write. */
export interface TaskFields {
  readonly text: string;
  readonly dueDate: string | null;
  readonly assigneeId: number | null;
}

/** Change of a task. Absent fields stay. */
export type TaskChange = Partial<TaskFields> & { readonly isDone?: boolean | undefined };

/** Filters for tasks. Absent filters don't apply. */
export interface TaskFilter {
  readonly isMine: boolean | undefined;
  readonly isOpen: boolean | undefined;
  readonly isOverdue: boolean | undefined;
  /** Due date and id of the last task of the page before. */
  readonly after: { readonly due: string; readonly id: number } | undefined;
  readonly pageSize: number;
}

/** Whether a user may delete a note: its author and managers. */
export function canDeleteNote(
  { createdBy }: { readonly createdBy: string },
  { userId, role }: Pick<SignedInUser, "userId" | "role">,
): boolean {
  return createdBy === `staff:${userId}` || hasRight(role, "manage");
}

/** Whether a task is open and was due before a date. */
export function isTaskOverdue(
  { doneAt, dueDate }: { readonly doneAt: number | null; readonly dueDate: string | null },
  today: string,
): boolean {
  return doneAt === null && dueDate !== null && dueDate < today;
}
