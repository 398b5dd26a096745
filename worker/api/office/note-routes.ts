import { createRoute } from "@hono/zod-openapi";
import { dropEmptyParameters } from "#worker/api/drop-empty-parameters.ts";
import type { ApiRoutes } from "#worker/api/interface.ts";
import { jsonContent, jsonRequest } from "#worker/api/openapi.ts";
import { setFreshTokenHeader, toStaffRequest } from "#worker/api/signed-in.ts";
import {
  addNote,
  addTask,
  changeTask,
  deleteNote,
  listTasks,
  readCustomerNotes,
} from "#worker/usecases/office/notes.ts";
import { answerOffice, createPageMapper } from "./answers.ts";
import { answerOfficeRefusal } from "./errors.ts";
import { officeFailureAnswer } from "./failure-messages.ts";
import * as messages from "./note-messages.ts";
import {
  idempotencyHeaders,
  officeCreationMiddlewares,
  officeFailureResponses,
  officeSecurity,
  officeWriteMiddlewares,
  toOfficeWrite,
} from "./office-api.ts";
import { reservationParams } from "./request-messages.ts";

const OWNERS = {
  reservation: { path: "/reservations/{id}", tags: ["Reservations"], name: "Reservation" },
  customer: { path: "/customers/{id}", tags: ["Customers"], name: "Customer" },
} as const;

const newNote = { text: "Arrives late. Keys are in the safe." };
const newTask = { text: "Call about the child seat", due_date: "2030-06-09" };

const createNoteRoute = <Owner extends keyof typeof OWNERS>(owner: Owner) =>
  createRoute({
    method: "post",
    path: `${OWNERS[owner].path}/notes`,
    operationId: `add${OWNERS[owner].name}Note`,
    tags: [...OWNERS[owner].tags],
    summary: `Add a note to a ${owner}`,
    security: officeSecurity,
    middleware: officeCreationMiddlewares,
    request: {
      params: reservationParams,
      headers: idempotencyHeaders,
      body: jsonRequest(messages.newNoteBody, "The note", newNote),
    },
    responses: { 201: jsonContent(messages.noteAnswer, "The note"), ...officeFailureResponses.writing(404, 409, 422) },
  });

const createTaskRoute = <Owner extends keyof typeof OWNERS>(owner: Owner) =>
  createRoute({
    method: "post",
    path: `${OWNERS[owner].path}/tasks`,
    operationId: `add${OWNERS[owner].name}Task`,
    tags: [...OWNERS[owner].tags],
    summary: `Add a task to a ${owner}`,
    security: officeSecurity,
    middleware: officeCreationMiddlewares,
    request: {
      params: reservationParams,
      headers: idempotencyHeaders,
      body: jsonRequest(messages.newTaskBody, "The task", newTask),
    },
    responses: { 201: jsonContent(messages.taskAnswer, "The task"), ...officeFailureResponses.writing(404, 409, 422) },
  });

const deleteRoute = createRoute({
  method: "delete",
  path: "/notes/{id}",
  operationId: "deleteNote",
  tags: ["Reservations"],
  summary: "Delete a note as its author or a manager",
  security: officeSecurity,
  request: { params: reservationParams, headers: idempotencyHeaders },
  responses: { 204: { description: "Deleted" }, ...officeFailureResponses.reading(404, 409, 422) },
});

const customerNotesRoute = createRoute({
  method: "get",
  path: "/customers/{id}/notes",
  operationId: "listCustomerNotes",
  tags: ["Customers"],
  summary: "List the notes of a customer",
  security: officeSecurity,
  request: { params: reservationParams },
  responses: {
    200: jsonContent(messages.notesAnswer, "The notes, newest first"),
    ...officeFailureResponses.reading(404),
  },
});

const customerTasksRoute = createRoute({
  method: "get",
  path: "/customers/{id}/tasks",
  operationId: "listCustomerTasks",
  tags: ["Customers"],
  summary: "List the tasks of a customer",
  security: officeSecurity,
  request: { params: reservationParams },
  responses: {
    200: jsonContent(messages.tasksAnswer, "The tasks, open ones first"),
    ...officeFailureResponses.reading(404),
  },
});

const tasksRoute = createRoute({
  method: "get",
  path: "/tasks",
  operationId: "listTasks",
  tags: ["Attention"],
  summary: "List tasks by due date",
  security: officeSecurity,
  middleware: [dropEmptyParameters],
  request: { query: messages.tasksQuery },
  responses: { 200: jsonContent(messages.taskList, "A page of tasks"), ...officeFailureResponses.reading() },
});

const taskConflict = officeFailureAnswer.extend(messages.taskAnswer.partial().shape).meta({ id: "TaskConflict" });

const changeRoute = createRoute({
  method: "patch",
  path: "/tasks/{id}",
  operationId: "changeTask",
  tags: ["Attention"],
  summary: "Change or complete a task",
  security: officeSecurity,
  middleware: officeWriteMiddlewares,
  request: {
    params: reservationParams,
    headers: idempotencyHeaders,
    body: jsonRequest(messages.taskChangeBody, "What changes", { done: true }),
  },
  responses: {
    200: jsonContent(messages.taskAnswer, "The task"),
    ...officeFailureResponses.writing(404, 422),
    409: jsonContent(taskConflict, "Conflict with the current state. See `code`"),
  },
});

/** Registers the routes of notes and tasks. */
export function registerNoteRoutes({ routes }: ApiRoutes): void {
  for (const kind of ["reservation", "customer"] as const) {
    routes.openapi(createNoteRoute(kind), async (c) => {
      const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
      const added = await addNote(write, { kind, id: c.req.valid("param").id }, c.req.valid("json").text);
      return answerOffice(c, added, (note, context) => ({ note: messages.toNoteMessage(note, context) }), 201);
    });
    routes.openapi(createTaskRoute(kind), async (c) => {
      const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
      const fields = messages.toTaskFields(c.req.valid("json"));
      const added = await addTask(write, { kind, id: c.req.valid("param").id }, fields);
      return answerOffice(c, added, (task, context) => ({ task: messages.toTaskMessage(task, context) }), 201);
    });
  }
  routes.openapi(deleteRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const deleted = await deleteNote(write, c.req.valid("param").id);
    if (!deleted.ok) return answerOfficeRefusal(c, deleted.error);
    setFreshTokenHeader(c, deleted.value.freshToken);
    return c.body(null, 204);
  });
  routes.openapi(customerNotesRoute, async (c) =>
    answerOffice(
      c,
      await readCustomerNotes(toStaffRequest(c), c.req.valid("param").id),
      ({ notes }, context) => ({ data: notes.map((note) => messages.toNoteMessage(note, context)) }),
      200,
    ),
  );
  routes.openapi(customerTasksRoute, async (c) =>
    answerOffice(
      c,
      await readCustomerNotes(toStaffRequest(c), c.req.valid("param").id),
      ({ tasks }, context) => ({ data: tasks.map((task) => messages.toTaskMessage(task, context)) }),
      200,
    ),
  );
  routes.openapi(tasksRoute, async (c) =>
    answerOffice(
      c,
      await listTasks(toStaffRequest(c), messages.toTaskPageSearch(c.req.valid("query"))),
      createPageMapper(messages.toTaskMessage),
      200,
    ),
  );
  routes.openapi(changeRoute, async (c) => {
    const write = toOfficeWrite(c, c.req.valid("header")["idempotency-key"]);
    const { expected_version: expectedVersion, ...body } = c.req.valid("json");
    const changed = await changeTask(write, c.req.valid("param").id, {
      expectedVersion,
      change: messages.toTaskChange(body),
    });
    return answerOffice(c, changed, (task, context) => ({ task: messages.toTaskMessage(task, context) }), 200);
  });
}
