import "./page.ts";
import { strFromU8, unzipSync } from "fflate";
import { createElement } from "preact";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { setAccount } from "../../pwa/office/src/account.ts";
import { type RowResult, runForEach, toRowOutcome } from "../../pwa/office/src/desk/bulk-actions.ts";
import { BulkBar } from "../../pwa/office/src/desk/bulk-bar.tsx";
import { chosenBranchCode } from "../../pwa/office/src/desk/chosen-branch.ts";
import type { ReservationListItem } from "../../pwa/office/src/desk/reservation.ts";
import { useRowSelection } from "../../pwa/office/src/desk/use-selection.ts";
import { mailDocument } from "../../pwa/office/src/pages/money/mail-document.ts";
import { zipFiles } from "../../pwa/office/src/pages/money/zip-files.ts";
import { assignFreeVehicles, sendReservationMessage } from "../../pwa/office/src/pages/reservations/bulk-actions.ts";
import { urlQuery } from "../../pwa/office/src/route.ts";
import { loadTexts } from "../../pwa/office/src/texts.ts";
import { renderComponent } from "./render.ts";

const row = (id: number, changes: Partial<ReservationListItem> = {}) =>
  ({
    ...{ id, kind: "rental", status: "confirmed", customer_fullname: `Customer ${id}` },
    ...{ customer_email: "a@example.com", ...changes },
  }) as ReservationListItem;

/** Answers each request by its method and path. */
function answerRequests(answers: Readonly<Record<string, readonly [status: number, body: object]>>) {
  const sentBodies: unknown[] = [];
  vi.stubGlobal("fetch", (path: string, { method, body }: RequestInit) => {
    const answer = answers[`${method} ${path.replace("/api/v1/office", "")}`];
    if (!answer) return Promise.reject(new Error("no network"));
    if (body) sentBodies.push(JSON.parse(String(body)));
    return Promise.resolve(new Response(JSON.stringify(answer[1]), { status: answer[0] }));
  });
  return sentBodies;
}

const vehicle = (reference: string, canLeave = true) => ({ reference, can_leave: canLeave, is_own_category: true });
const rental = (references: readonly (string | null)[], version = 1) => ({
  reservation: { version, units: references.map((reference, id) => ({ id, reference })) },
});

beforeEach(async () => {
  setAccount({ currency_decimals: 2 });
  await loadTexts("en");
});
afterEach(() => {
  vi.unstubAllGlobals();
  urlQuery.value = new URLSearchParams();
  chosenBranchCode.value = "";
});

let selected: ReturnType<typeof useRowSelection<ReservationListItem>> | undefined;

function Selection() {
  selected = useRowSelection(
    ({ id }) => id,
    () => undefined,
  );
  return null;
}

const getSelectedIds = (rows: readonly ReservationListItem[]) => selected?.bulk(rows).rows.map(({ id }) => id);

describe("a selection of rows", () => {
  const rows = [row(1), row(2), row(3)];

  test("ends when the filters or the branch change, so that no export goes out without its ids", async () => {
    const view = renderComponent(createElement(Selection, {}));
    const changes = [
      () => (urlQuery.value = new URLSearchParams({ view: "companies" })),
      () => (chosenBranchCode.value = "IBZ"),
    ];
    for (const change of changes) {
      selected?.selection.onChange(new Set([1, 2]));
      await vi.waitFor(() => expect(getSelectedIds(rows)).toEqual([1, 2]));
      change();
      await vi.waitFor(() => expect(selected?.isSelecting).toBe(false));
      expect(getSelectedIds(rows)).toEqual([]);
    }
    view.close();
  });

  test("keeps only the rows whose action failed", async () => {
    const view = renderComponent(createElement(Selection, {}));
    selected?.selection.onChange(new Set([1, 2, 3]));
    await vi.waitFor(() => expect(selected?.isSelecting).toBe(true));
    selected?.bulk(rows).onDone([2]);
    await vi.waitFor(() => expect(getSelectedIds(rows)).toEqual([2]));
    view.close();
  });

  test("offers no action without a row, and still shows the last results", () => {
    const bar = { isBusy: false, onAll: () => undefined, onClear: () => undefined, children: "Export" };
    const show = (count: number, results: readonly RowResult[]) => {
      const view = renderComponent(createElement(BulkBar, { ...bar, count, results }));
      const text = view.readText();
      view.close();
      return text;
    };
    const result = { id: 1, name: "Customer 1", isDone: true, text: "sent" };
    expect(show(0, [])).toBe("");
    expect(show(0, [result])).toContain("Customer 1");
    expect(show(0, [result])).not.toContain("Export");
    expect(show(1, [])).toContain("Export");
  });
});

test("repeats a row's request under its key until it succeeds", async () => {
  const keys: (string | null)[] = [];
  let isOnline = false;
  vi.stubGlobal("fetch", (_path: string, { headers }: RequestInit) => {
    keys.push(new Headers(headers).get("Idempotency-Key"));
    return isOnline ? Promise.resolve(Response.json({}, { status: 201 })) : Promise.reject(new Error("no network"));
  });
  const send = (text: string) => sendReservationMessage(row(1), { text });
  await expect(send("Hello")).rejects.toThrow("no network");
  isOnline = true;
  for (const text of ["Hello", "Hello", "Bye"]) await send(text);
  const [lost, repeated, next, other] = keys;
  expect(repeated).toBe(lost);
  expect(new Set([lost, next, other]).size).toBe(3);
});

test("shows for each document which address gets its mail, or why it is refused", async () => {
  answerRequests({
    "POST /documents/1/mail": [201, { message: { address: "obras@example.com" } }],
    "POST /documents/2/mail": [409, { code: "document_is_draft" }],
  });
  const results: RowResult[] = [];
  const nameRow = ({ id }: { readonly id: number }) => ({ id, name: `F/${id}` });
  await runForEach([{ id: 1 }, { id: 2 }, { id: 3 }], nameRow, mailDocument, (result) => results.push(result));
  expect(results.map(({ name, isDone }) => [name, isDone])).toEqual([
    ["F/1", true],
    ["F/2", false],
    ["F/3", false],
  ]);
  expect(results[0]?.text).toContain("obras@example.com");
  expect(results[1]?.text).not.toBe("");
});

describe("an action for several reservations", () => {
  test("shows a bulk action's result for each reservation, and continues after a failure", async () => {
    const sentBodies = answerRequests({
      "POST /reservations/1/messages": [201, {}],
      "POST /reservations/2/messages": [403, { code: "permission_denied", params: { right: "hand_over" } }],
    });
    const results: RowResult[] = [];
    const rows = [row(1), row(2), row(3, { customer_email: null }), row(4)];
    await runForEach(
      rows,
      ({ id }) => ({ id, name: `Reservation ${id}` }),
      (item) => sendReservationMessage(item, { text: "Hello" }),
      (result) => results.push(result),
    );
    expect(results.map(({ id, isDone }) => [id, isDone])).toEqual([
      [1, true],
      [2, false],
      [3, false],
      [4, false],
    ]);
    expect(results[2]?.text).toBe("The customer has no email address. Add one.");
    expect(sentBodies).toEqual([{ text: "Hello" }, { text: "Hello" }]);
  });

  test("assigns a free vehicle to each unit without one, and names the missing one", async () => {
    const vehicles = { data: [vehicle("OUT", false), vehicle("A-1"), vehicle("A-2")] };
    const sentBodies = answerRequests({
      "GET /reservations/1": [200, rental([null, "A-9", null])],
      "GET /reservations/1/vehicles": [200, vehicles],
      "POST /reservations/1/assign": [200, rental([], 7)],
      "GET /reservations/2": [200, rental([null])],
      "GET /reservations/2/vehicles": [200, { data: [vehicle("OUT", false)] }],
    });
    expect(await assignFreeVehicles(row(1))).toEqual({ isDone: true, text: "A-1, A-2" });
    expect(sentBodies).toEqual([
      { expected_version: 1, unit_id: 0, reference: "A-1" },
      { expected_version: 7, unit_id: 2, reference: "A-2" },
    ]);
    expect(await assignFreeVehicles(row(2))).toEqual({ isDone: false, text: "No free vehicle of the category." });
    expect(await assignFreeVehicles(row(3, { status: "done" }))).toMatchObject({ isDone: false });
  });

  test("shows the problem of the refused field as the result of a bulk action", () => {
    const detail = [{ field: "to", message: "", code: "missing" as const }];
    const outcome = toRowOutcome({ status: 400, body: { error: "", code: "invalid_input", detail } }, "done");
    expect(outcome.isDone).toBe(false);
    expect(outcome.text).toContain("Fill in this field");
    expect(toRowOutcome({ status: 201, body: {} }, "done")).toEqual({ isDone: true, text: "done" });
  });

  test("packs the PDFs of the selected documents into one ZIP file", async () => {
    const documents = new Map([
      ["A-1.pdf", new TextEncoder().encode("first")],
      ["A-2.pdf", new TextEncoder().encode("second")],
    ]);
    const unpacked = unzipSync(new Uint8Array(await zipFiles(documents).arrayBuffer()));
    expect(Object.entries(unpacked).map(([name, content]) => [name, strFromU8(content)])).toEqual([
      ["A-1.pdf", "first"],
      ["A-2.pdf", "second"],
    ]);
  });
});
