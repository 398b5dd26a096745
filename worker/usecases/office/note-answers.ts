import type { SignedInUser } from "#domain/access/sessions.ts";
import { canDeleteNote, isTaskOverdue } from "#domain/contracts/notes.ts";
import type { NoteRow, TaskRow } from "#worker/store/contracts/notes.ts";

/** Note as a staff member sees it. */
export type NoteAnswer = NoteRow & { readonly isDeletable: boolean };

/** Task, and whether it's overdue on a date in the account's time zone. */
export type TaskAnswer = TaskRow & { readonly isOverdue: boolean };

/** Returns a note and whether the user may delete it. */
export function toNoteAnswer(note: NoteRow, staff: SignedInUser): NoteAnswer {
  return { ...note, isDeletable: canDeleteNote(note, staff) };
}

/** Returns a task and whether it is overdue on a date. */
export function toTaskAnswer(task: TaskRow, today: string): TaskAnswer {
  return { ...task, isOverdue: isTaskOverdue(task, today) };
}
