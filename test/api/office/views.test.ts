import { beforeEach, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { callOffice } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";

interface View {
  readonly id: number;
  readonly name: string;
  readonly shared: boolean;
  readonly own: boolean;
}

let boss = "";
let desk = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  [boss, desk] = [await createToken("boss"), await createToken("desk")];
});

const list = async (token: string) => {
  const answer = await callOffice("GET", "/views", { token });
  return (await answer.json<{ readonly data: readonly View[] }>()).data;
};
const save = (token: string, changes: object = {}, key?: string) =>
  callOffice("POST", "/views", {
    token,
    ...(key !== undefined && { key }),
    body: { list: "reservations", name: "Unpaid here", query: "view=unpaid&sort=-total_pending", ...changes },
  });

test("keeps a saved view private, and lets only managers share one", async () => {
  const own = await save(desk);
  expect([own.status, await own.json()]).toEqual([
    201,
    {
      view: {
        ...{
          id: expect.any(Number),
          list: "reservations",
          name: "Unpaid here",
          query: "view=unpaid&sort=-total_pending",
        },
        ...{ shared: false, own: true },
      },
    },
  ]);
  expect((await save(desk, { shared: true })).status).toBe(403);
  expect((await save(boss, { name: "For all", shared: true })).status).toBe(201);
  expect((await list(desk)).map(({ name, own }) => [name, own])).toEqual([
    ["For all", false],
    ["Unpaid here", true],
  ]);
  expect((await list(boss)).map(({ name }) => name)).toEqual(["For all"]);
});

test("saves a list view once per idempotency key, and hides it from other users", async () => {
  const ids = [await save(boss, {}, "one"), await save(boss, {}, "one")].map((answer) => answer.json<{ view: View }>());
  expect(new Set((await Promise.all(ids)).map(({ view }) => view.id)).size).toBe(1);
  const [{ id }] = (await list(boss)) as readonly [View];
  expect(await list(desk)).toEqual([]);
  expect((await callOffice("DELETE", `/views/${id}`, { token: desk })).status).toBe(404);
  expect((await callOffice("DELETE", `/views/${id}`, { token: boss })).status).toBe(204);
  expect(await list(boss)).toEqual([]);
  expect((await callOffice("DELETE", `/views/${id}`, { token: boss })).status).toBe(404);
});

test("lets only managers delete a shared view", async () => {
  await save(boss, { shared: true });
  const [{ id }] = (await list(desk)) as readonly [View];
  expect((await callOffice("DELETE", `/views/${id}`, { token: desk })).status).toBe(403);
  expect((await list(desk)).length).toBe(1);
  expect((await callOffice("DELETE", `/views/${id}`, { token: boss })).status).toBe(204);
  expect(await list(desk)).toEqual([]);
});

test.each([
  ["list", { list: "secrets" }],
  ["name", { name: "  " }],
  ["name", { name: "x".repeat(61) }],
  ["query", { query: "x".repeat(501) }],
])("rejects an invalid view, naming the field %s", async (field, changes) => {
  const answer = await save(boss, changes);
  expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining(`"${field}"`)]);
});
