import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { getBookableDay } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { callOffice, type ReservationAnswer, sellRentalAtDesk } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";

type Row = Readonly<Record<string, unknown>>;
const db = env.TENANT_ACME;
let boss = "";
let desk = "";
let id = 0;

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  await db.batch([
    db.prepare("UPDATE users SET role = 'agent' WHERE username = 'desk'"),
    db.prepare("UPDATE customers SET branch_code = 'ISLE' WHERE id = 1"),
  ]);
  boss = await createToken("boss");
  desk = await createToken("desk");
  id = (await sellRentalAtDesk(boss)).reservation.id;
});

const send = (method: string, path: string, body: object | undefined, token = boss, key?: string) =>
  callOffice(method, path, { token, ...(body && { body }), ...(key !== undefined && { key }) });
const readReservation = async (number = id) =>
  (await callOffice("GET", `/reservations/${number}`, { token: boss })).json<
    ReservationAnswer & { notes: readonly Row[]; tasks: readonly Row[] }
  >();
const addNote = async (text: string, token = boss) => {
  const answer = await send("POST", `/reservations/${id}/notes`, { text }, token);
  expect(answer.status).toBe(201);
  return (await answer.json<{ note: Row }>()).note;
};
const addTask = async (body: object, token = boss) => {
  const answer = await send("POST", `/reservations/${id}/tasks`, body, token);
  expect(answer.status).toBe(201);
  return (await answer.json<{ task: Row }>()).task;
};
const moveAway = () => db.prepare("UPDATE user_branches SET branch_code = 'ISLE'").run();
const listTasks = async (query: string, token = boss) =>
  (await callOffice("GET", `/tasks${query}`, { token })).json<{
    data: readonly Row[];
    total: number;
    next: string | null;
  }>();

describe("notes", () => {
  // Proves "office.md: the vehicles of a contract": GET /reservations/{id} contains notes, with author and time
  test("shows a reservation's notes with author and time, newest first, and records them in the history", async () => {
    await addNote("Keys are in the safe.\nCall before 10:00.", desk);
    const second = await addNote("Second driver comes later");
    const { notes, history, reservation } = await readReservation();
    expect(notes).toMatchObject([
      { text: "Second driver comes later", author: "Bea Boss", deletable: true },
      { text: "Keys are in the safe.\nCall before 10:00.", author: "Dora Desk" },
    ]);
    expect(notes[0]).toEqual(second);
    expect(notes[0]?.["created"]).toMatch(/^\d{4}-\d{2}-\d{2}/);
    expect(reservation.notes).toBeNull();
    expect(history[0]).toMatchObject({
      who: "Bea Boss",
      move: "changed",
      after: { note: "Second driver comes later" },
    });
  });

  // Proves "office.md: the vehicles of a contract": notes: idempotency key
  test("adds one note per key, and rejects other text with the same key", async () => {
    const path = `/reservations/${id}/notes`;
    const first = await send("POST", path, { text: "Once" }, boss, "note-1");
    const again = await send("POST", path, { text: "Once" }, boss, "note-1");
    expect(await again.json()).toEqual(await first.json());
    expect((await send("POST", path, { text: "Twice" }, boss, "note-1")).status).toBe(422);
    expect((await readReservation()).notes).toHaveLength(1);
  });

  // Proves "office.md: the vehicles of a contract": DELETE /notes/{id}: by its author or a manager
  test("lets its author or a manager delete a note, and keeps the note in the history", async () => {
    const note = await addNote("Not for you");
    const own = await addNote("My own", desk);
    const refused = await send("DELETE", `/notes/${note["id"]}`, undefined, desk);
    expect([refused.status, (await refused.json<{ code: string }>()).code]).toEqual([403, "permission_denied"]);
    expect((await send("DELETE", `/notes/${own["id"]}`, undefined, desk, "gone")).status).toBe(204);
    expect((await send("DELETE", `/notes/${own["id"]}`, undefined, desk, "gone")).status).toBe(204);
    expect((await send("DELETE", `/notes/${own["id"]}`, undefined, desk)).status).toBe(404);
    expect((await send("DELETE", `/notes/${note["id"]}`, undefined)).status).toBe(204);
    const { notes, history } = await readReservation();
    expect(notes).toEqual([]);
    expect(history[0]).toMatchObject({ before: { note: "Not for you" } });
  });

  test.each([[{}], [{ text: "" }], [{ text: "x".repeat(4001) }], [{ text: 1 }], [{ text: "a", more: 1 }]])(
    "names the wrong field of the note %j",
    async (body) => {
      const answer = await send("POST", `/reservations/${id}/notes`, body);
      expect(answer.status).toBe(400);
      expect(JSON.stringify(await answer.json())).toMatch(/text|more/);
    },
  );

  // Proves "office.md: the vehicles of a contract": notes and tasks of other branches are hidden
  test("prevents other branches from reading, adding and deleting notes", async () => {
    const note = await addNote("Internal", desk);
    await moveAway();
    expect((await send("POST", `/reservations/${id}/notes`, { text: "x" }, desk)).status).toBe(404);
    expect((await send("DELETE", `/notes/${note["id"]}`, undefined, desk)).status).toBe(404);
    expect((await send("POST", "/reservations/999999/notes", { text: "x" })).status).toBe(404);
    expect((await send("POST", `/reservations/${id}/notes`, { text: "x" }, await createToken("ana"))).status).toBe(403);
  });

  // Proves "office.md: the vehicles of a contract": POST, GET /customers/{id}/notes and /tasks
  test("stores notes and tasks of customers, also after a merge, visible to the customer's branches only", async () => {
    await db
      .prepare(
        "INSERT INTO customers (id, name, branch_code, created_at, last_update) VALUES (77, 'Eva', 'AIR', 1, 1), (78, 'Eva', 'AIR', 1, 1)",
      )
      .run();
    expect((await send("POST", "/customers/77/notes", { text: "Prefers diesel" }, desk)).status).toBe(201);
    expect((await send("POST", "/customers/77/tasks", { text: "Send the offer" }, desk)).status).toBe(201);
    expect((await send("POST", "/customers/77/merge", { into: 78 })).status).toBe(200);
    const notes = await (await callOffice("GET", "/customers/78/notes", { token: desk })).json<{
      data: readonly Row[];
    }>();
    expect(notes.data).toMatchObject([{ text: "Prefers diesel", author: "Dora Desk" }]);
    const tasks = await (await callOffice("GET", "/customers/78/tasks", { token: desk })).json<{
      data: readonly Row[];
    }>();
    expect(tasks.data).toMatchObject([{ text: "Send the offer", customer_id: 77, reservation_id: null }]);
    await moveAway();
    expect((await callOffice("GET", "/customers/78/notes", { token: desk })).status).toBe(404);
    expect((await send("POST", "/customers/78/notes", { text: "x" }, desk)).status).toBe(404);
    expect((await listTasks("", desk)).data).toEqual([]);
  });
});

describe("tasks", () => {
  // Proves "office.md: the vehicles of a contract": tasks with due date and assignee; PATCH /tasks/{id}
  test("creates a task with due date and assignee, completes it and reopens it", async () => {
    const task = await addTask({ text: "Call about the seat", due_date: getBookableDay(1), assignee_id: 2 });
    expect(task).toMatchObject({
      ...{
        text: "Call about the seat",
        due_date: getBookableDay(1),
        overdue: false,
        assignee_id: 2,
        assignee: "Dora Desk",
      },
      ...{ done: false, done_at: null, author: "Bea Boss", reservation_id: id, version: 1 },
    });
    const done = await send("PATCH", `/tasks/${task["id"]}`, { done: true, expected_version: 1 }, desk);
    expect((await done.json<{ task: Row }>()).task).toMatchObject({ done: true, done_by: "Dora Desk", version: 2 });
    const again = await send("PATCH", `/tasks/${task["id"]}`, { done: false, due_date: null, text: "Ask again" });
    expect((await again.json<{ task: Row }>()).task).toMatchObject({
      ...{ done: false, done_at: null, done_by: null, due_date: null, text: "Ask again", assignee_id: 2 },
    });
    const { tasks, history } = await readReservation();
    expect(tasks).toMatchObject([{ id: task["id"], version: 3 }]);
    expect(history.filter(({ after }) => JSON.stringify(after).includes("task"))).toHaveLength(3);
  });

  // Proves "office.md: the vehicles of a contract": PATCH /tasks/{id}: another expected_version is 409 with the task
  test("rejects a change of an outdated task version with the current task", async () => {
    const task = await addTask({ text: "Wash it" });
    await send("PATCH", `/tasks/${task["id"]}`, { done: true });
    const answer = await send("PATCH", `/tasks/${task["id"]}`, { text: "Wax it", expected_version: 1 });
    expect(answer.status).toBe(409);
    expect(await answer.json()).toMatchObject({ code: "changed_meanwhile", task: { done: true, version: 2 } });
  });

  test("applies simultaneous changes of a task one after the other, each on the latest version", async () => {
    const task = await addTask({ text: "Wash it" });
    const path = `/tasks/${task["id"]}`;
    const answers = await Promise.all([
      send("PATCH", path, { done: true }),
      send("PATCH", path, { text: "Wax it" }),
      send("PATCH", path, { due_date: getBookableDay(2) }),
    ]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await readReservation()).tasks).toMatchObject([
      { done: true, text: "Wax it", due_date: getBookableDay(2), version: 4 },
    ]);
  });

  test.each([
    [{ text: "x", due_date: "tomorrow" }, "due_date"],
    [{ text: "x", assignee_id: 1 }, "assignee_id"],
    [{ text: "x", assignee_id: 99 }, "assignee_id"],
    [{ due_date: "2030-01-01" }, "text"],
  ])("names the wrong field of the task %j, and creates none", async (body, field) => {
    const answer = await send("POST", `/reservations/${id}/tasks`, body);
    expect(answer.status).toBe(400);
    expect(JSON.stringify(await answer.json())).toContain(field);
    expect((await readReservation()).tasks).toEqual([]);
  });

  // Proves "office.md: the vehicles of a contract": GET /tasks: mine, open, overdue
  test("lists tasks by due date in pages, filtered by own, open and overdue", async () => {
    const later = await addTask({ text: "Later", due_date: getBookableDay(5), assignee_id: 2 });
    const late = await addTask({ text: "Late", due_date: "2020-01-02", assignee_id: 3 });
    const undated = await addTask({ text: "Some day" });
    await send("PATCH", `/tasks/${undated["id"]}`, { done: true });
    const ids = (list: { readonly data: readonly Row[] }) => list.data.map((task) => task["id"]);
    const [a, b, c] = [late["id"], later["id"], undated["id"]];
    expect(ids(await listTasks(""))).toEqual([a, b, c]);
    expect(ids(await listTasks("?mine=true"))).toEqual([a]);
    expect(ids(await listTasks("?mine=true", desk))).toEqual([b]);
    expect(ids(await listTasks("?open=true"))).toEqual([a, b]);
    expect(ids(await listTasks("?open=false"))).toEqual([c]);
    expect(ids(await listTasks("?overdue=true"))).toEqual([a]);
    const first = await listTasks("?page_size=2");
    expect([ids(first), first.total]).toEqual([[a, b], 3]);
    expect(ids(await listTasks(`?page_size=2&after=${first.next}`))).toEqual([c]);
    expect((await callOffice("GET", "/tasks?after=x", { token: boss })).status).toBe(400);
    expect((await callOffice("GET", "/tasks?mine=perhaps", { token: boss })).status).toBe(400);
    await moveAway();
    expect(await listTasks("", desk)).toMatchObject({ data: [], total: 0 });
    expect((await send("PATCH", `/tasks/${a}`, { done: true }, desk)).status).toBe(404);
  });

  // Proves "office.md: the vehicles of a contract": an overdue task is an attention item
  test("lists an overdue task as needing attention until it is done", async () => {
    const task = await addTask({ text: "Send the contract", due_date: "2020-01-01", assignee_id: 2 });
    const overdue = async (token = boss) =>
      (await (await callOffice("GET", "/attention", { token })).json<{ data: readonly Row[] }>()).data.filter(
        ({ kind }) => kind === "task_overdue",
      );
    expect(await overdue(desk)).toMatchObject([
      {
        reservation_id: id,
        params: { task: "Send the contract", due: "2020-01-01", assignee: "Dora Desk" },
        dismissible: false,
      },
    ]);
    await send("PATCH", `/tasks/${task["id"]}`, { done: true });
    expect(await overdue()).toEqual([]);
  });
});

// Proves "office.md: the vehicles of a contract": notes and tasks: exported and erased with their person
test("includes a person's notes and tasks in the data export, and deletes them by the erasure", async () => {
  const customerId = Number(
    await db.prepare("SELECT customer_id FROM bookings WHERE id = ?").bind(id).first("customer_id"),
  );
  await addNote("Has a broken arm");
  await addTask({ text: "Ask about the arm" });
  await send("POST", `/customers/${customerId}/notes`, { text: "Afraid of dogs" });
  const exported = await (await callOffice("GET", `/customers/${customerId}/export`, { token: boss })).json<{
    data: Readonly<Record<string, readonly Row[]>>;
  }>();
  expect(exported.data["notes"]?.map((note) => note["text"])).toEqual(["Has a broken arm", "Afraid of dogs"]);
  expect(exported.data["office_tasks"]).toMatchObject([{ text: "Ask about the arm" }]);
  const { reservation } = await readReservation();
  await send("POST", `/reservations/${id}/cancel`, { expected_version: reservation.version, reason: "ill" });
  const erased = await send("POST", `/customers/${customerId}/erase`, { reason: "asked for" });
  expect(erased.status).toBe(200);
  const remainingTexts = await db
    .prepare(
      "SELECT (SELECT count(*) FROM notes) + (SELECT count(*) FROM office_tasks) AS rows, (SELECT group_concat(detail) FROM booking_history) AS details",
    )
    .first<{ rows: number; details: string }>();
  expect(remainingTexts?.rows).toBe(0);
  expect(remainingTexts?.details).not.toContain("arm");
});
