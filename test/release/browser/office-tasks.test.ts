import { expect, test } from "vitest";
import { BOTH_THEMES, getDateInDays, type Office, useOffice } from "../../browser/office-page.ts";

let office: Office;
let page: Office["page"];

const { shows, press, ask } = useOffice((opened) => {
  ({ office, page } = opened);
});

interface Pending {
  readonly total: number;
  readonly data: readonly { readonly kind: string; readonly params: { readonly task?: string } }[];
}

const bell = () => page.locator(".bell");
const readPending = async () => (await ask("GET", "/attention")).body as Pending;
const openBell = async () => {
  await bell().locator("summary").click();
  await bell().getByRole("heading", { name: "Benachrichtigungen" }).waitFor();
};
const card = (text: string) => bell().getByRole("listitem").filter({ hasText: text });

let customer = 0;
let reservation = 0;

test("shows the number of pending tasks on the bell, and lists them by kind", async () => {
  const created = await ask("POST", "/customers", { name: "Greta", surname: "Glocke", email: "glocke@example.com" });
  customer = (created.body as { readonly customer: { readonly id: number } }).customer.id;
  const listed = (await ask("GET", "/reservations?status=confirmed&page_size=1")).body;
  reservation = (listed as { readonly data: readonly { readonly id: number }[] }).data[0]?.id ?? 0;
  for (const [path, text, due] of [
    [`/customers/${customer}/tasks`, "Führerschein anfordern", getDateInDays(-2)],
    [`/reservations/${reservation}/tasks`, "Kindersitz prüfen", getDateInDays(-1)],
    [`/reservations/${reservation}/tasks`, "Flug bestätigen", getDateInDays(3)],
  ])
    expect((await ask("POST", path ?? "", { text, due_date: due })).status).toBe(201);
  await page.reload();
  const { total } = await readPending();
  await page.locator(".bell-count", { hasText: String(Math.min(total, 99)) }).waitFor();
  await openBell();
  await bell().locator("select").selectOption("task_overdue");
  await card("Führerschein anfordern").waitFor();
  await card("Kindersitz prüfen").waitFor();
  // Not due yet.
  expect(await card("Flug bestätigen").count()).toBe(0);
  await office.looksRight("bell", BOTH_THEMES);
});

test("links from a task on the bell to its customer or reservation, and to the list of all tasks", async () => {
  await card("Führerschein anfordern").getByRole("link", { name: "Kunden ansehen" }).click();
  await page.getByRole("heading", { name: "Greta Glocke", level: 1 }).waitFor();
  // The menu closes on another page.
  expect(await bell().getAttribute("open")).toBeNull();
  await openBell();
  await bell().locator("select").selectOption("task_overdue");
  await card("Kindersitz prüfen")
    .getByRole("link", { name: `Reservierung ${reservation}` })
    .click();
  await page.getByRole("heading", { name: new RegExp(`^Reservierung ${reservation} `), level: 1 }).waitFor();
  await openBell();
  await bell().getByRole("link", { name: "Aufgaben", exact: true }).click();
  await page.getByRole("heading", { name: "Aufgaben", level: 1 }).waitFor();
});

test("filters the page of all tasks, opens the record of a task and completes a task", async () => {
  const row = (text: string) => page.locator("main tbody tr").filter({ hasText: text });
  for (const text of ["Führerschein anfordern", "Kindersitz prüfen", "Flug bestätigen"]) await row(text).waitFor();
  await press("Überfällig");
  await page.waitForURL(/overdue=true/);
  await row("Flug bestätigen").waitFor({ state: "detached" });
  await row("Kindersitz prüfen").waitFor();
  await office.looksRight("tasks", BOTH_THEMES);
  await press("Meine Aufgaben");
  await shows("Keine passenden Aufgaben. Entfernen Sie die Filter.");
  await press("Offen");
  await row("Führerschein anfordern")
    .getByRole("link", { name: `Kunde ${customer}` })
    .click();
  await page.getByRole("heading", { name: "Greta Glocke", level: 1 }).waitFor();
  await page.goBack();
  await row("Kindersitz prüfen").getByRole("button", { name: "Aufgabe erledigen" }).click();
  await shows("Aufgabe erledigt");
  await row("Kindersitz prüfen").waitFor({ state: "detached" });
  await press("Alle");
  await row("Kindersitz prüfen")
    .getByText(/^Aufgabe erledigt/)
    .waitFor();
});

test("updates the number of pending tasks on the bell when it is opened", async () => {
  await openBell();
  const { total, data } = await readPending();
  await page.locator(".bell-count", { hasText: String(Math.min(total, 99)) }).waitFor();
  expect(data.filter(({ kind }) => kind === "task_overdue").map(({ params }) => params.task)).not.toContain(
    "Kindersitz prüfen",
  );
  await card("Kindersitz prüfen").waitFor({ state: "detached" });
});

test("removes a notification from the bell once it is reviewed", async () => {
  await page.keyboard.press("Escape");
  const item = {
    ...{ id: "security_alert-1", kind: "security_alert", at: `${getDateInDays(0)} 10:00`, why: "", link: "" },
    params: { event: "login_failed", count: 30 },
    ...{ reservation_id: null, rental_location_code: null, customer_fullname: null, customer_phone: null },
    ...{ vehicles: null, dismissible: true },
  };
  let data = [item];
  await page.route("**/api/v1/office/attention", (route) =>
    route.fulfill({ json: { data, total: data.length, next: null, counts: {} } }),
  );
  const reviewed: string[] = [];
  await page.route("**/api/v1/office/attention/*/done", (route) => {
    reviewed.push(route.request().url().split("/").at(-2) ?? "");
    data = [];
    return route.fulfill({ json: {} });
  });
  await openBell();
  await page.locator(".bell-count", { hasText: /^1$/ }).waitFor();
  await bell().getByRole("button", { name: "Als geprüft markieren" }).click();
  await bell().getByText("Nichts zu erledigen.").waitFor();
  expect(reviewed).toEqual([item.id]);
  expect(await page.locator(".bell-count").count()).toBe(0);
  await office.looksRight("bell-empty", BOTH_THEMES);
  await page.unrouteAll();
});

test("explains how to add tasks if there are none", async () => {
  await page.keyboard.press("Escape");
  await page.route("**/api/v1/office/tasks?*", (route) =>
    route.fulfill({ json: { data: [], total: 0, total_is_exact: true, next: null } }),
  );
  await page.goto(`${office.address}#/tasks`);
  await page.reload();
  await shows("Noch keine Aufgaben. Legen Sie sie bei Reservierung oder Kunde an.");
  await page.unrouteAll();
  expect(office.faults()).toEqual([]);
});

test("shows the theme that a person chose on another device", async () => {
  const saveResponse = page.waitForResponse((response) => response.url().endsWith("/office/me"));
  await page.locator(".person summary").click();
  await page.locator("[name=theme]").selectOption("dark");
  expect((await saveResponse).status()).toBe(200);
  // A device without its own choice.
  await page.evaluate("localStorage.removeItem('office theme')");
  await page.reload();
  await page.locator("html[data-theme=dark]").waitFor();
  expect((await ask("PATCH", "/me", { theme: null })).body).toMatchObject({ theme: null });
});
