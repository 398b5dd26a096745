import { describe, expect, test } from "vitest";
import { getMailKindForHistoryEntry } from "#domain/bookings/booking-mails.ts";
import { canDeleteNote, isTaskOverdue } from "#domain/contracts/notes.ts";

test("lets the author and managers delete a note", () => {
  const note = { createdBy: "staff:2" };
  expect(canDeleteNote(note, { userId: 2, role: "operator" })).toBe(true);
  expect(canDeleteNote(note, { userId: 3, role: "agent" })).toBe(false);
  expect(canDeleteNote(note, { userId: 3, role: "manager" })).toBe(true);
});

describe("a task is overdue", () => {
  test("counts a task as overdue from the day after its due date until it is done", () => {
    const task = { dueDate: "2030-06-10", doneAt: null };
    expect(isTaskOverdue(task, "2030-06-10")).toBe(false);
    expect(isTaskOverdue(task, "2030-06-11")).toBe(true);
    expect(isTaskOverdue({ ...task, doneAt: 1 }, "2030-06-11")).toBe(false);
  });

  test("counts a task without a due date never as overdue", () => {
    expect(isTaskOverdue({ dueDate: null, doneAt: null }, "2030-06-11")).toBe(false);
  });
});

test.each([{ before: { note: "Keys in the safe" } }, { before: { task: "Call" }, after: { task: "Call; done" } }])(
  "mails customers nothing about a history entry of a note or task: %j",
  (detail) => {
    const entry = {
      ...{ paidAfterExpiry: false, isInvoicedAgain: false, isDepositReturned: false },
      ...{ canMail: () => true, detail },
    };
    expect(getMailKindForHistoryEntry({ event: "changed", status: "confirmed", ...entry })).toBeUndefined();
  },
);
