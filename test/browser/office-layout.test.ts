import { expect, test } from "vitest";
import { getDateInDays, type Office, useOffice } from "./office-page.ts";

let office: Office;
let page: Office["page"];

const { ask, press } = useOffice((opened) => {
  ({ office, page } = opened);
});

test("keeps the fields of a new reservation in line next to a field with a problem", async () => {
  await page.goto(`${office.address}#/reservations/new`);
  await press("Reservierung anlegen");
  await page.locator('main [name="surname"][aria-invalid="true"]').waitFor();
  const heights = await page.evaluate<readonly number[]>(
    `["name", "surname", "email", "phone"].map((name) => document.querySelector("main [name=" + name + "]").offsetHeight)`,
  );
  expect(new Set(heights).size).toBe(1);
  const wrapped = await page.evaluate<readonly string[]>(`[...document.querySelectorAll(".extras label")]
    .filter((label) => {
      const range = document.createRange();
      range.selectNodeContents(label);
      return label.querySelector("input").getBoundingClientRect().bottom < range.getBoundingClientRect().bottom - 8;
    })
    .map((label) => label.textContent)`);
  expect(wrapped).toEqual([]);
});

test("links each settings page back to the overview of the settings", async () => {
  await page.goto(`${office.address}#/settings-index`);
  await page.locator('main a[href="#/start"]').waitFor();
  const pages = await page.evaluate<readonly string[]>(
    `[...document.querySelectorAll('main a[href^="#/"]:not([href^="#/list/"])')].map((link) => link.getAttribute("href"))`,
  );
  expect(pages).toEqual(expect.arrayContaining(["#/start", "#/security", "#/ministry-reports", "#/changes"]));
  for (const href of pages) {
    await page.goto(`${office.address}${href}`);
    await page.locator('.crumbs a[href="#/settings-index"]').waitFor({ timeout: 20_000 });
  }
});

test("shows the whole period of a quote across the turn of the year", async () => {
  const year = Number(getDateInDays(0).slice(0, 4)) + 1;
  const sale = {
    ...{ date_from: `${year}-12-30`, time_from: "10:00", date_to: `${year + 1}-01-03`, time_to: "10:00" },
    ...{ pickup_place: 1, return_place: 1, category_code: "COMP" },
    customer: { name: "Silvia", surname: "Wende", email: "silvia@example.com" },
    valid_until: `${getDateInDays(1)}T18:00`,
  };
  const { status, body } = await ask("POST", "/quotes", sale);
  expect([status, body]).toEqual([201, expect.anything()]);
  await page.goto(`${office.address}#/quotes`);
  await page.locator("tr", { hasText: "Silvia Wende" }).waitFor();
  const cut = await page.evaluate<readonly string[]>(`[...document.querySelectorAll(".folds tbody td:nth-child(4)")]
    .filter((cell) => cell.scrollWidth > cell.clientWidth)
    .map((cell) => cell.textContent)`);
  expect(cut).toEqual([]);
});

test("shows reservations, documents and quotes without horizontal scrolling at the widths of a laptop", async () => {
  for (const [list, width] of [
    ["reservations", 1265],
    ["money", 1265],
    ["money", 1009],
    ["quotes", 1265],
  ] as const) {
    await page.setViewportSize({ width, height: 1000 });
    await page.goto(`${office.address}#/${list}`);
    await page.locator(".folds tbody tr").nth(3).waitFor();
    const wide = await page.evaluate<readonly number[]>(
      "[...document.querySelectorAll('.folds')].map((list) => list.scrollWidth - list.clientWidth).filter((more) => more > 0)",
    );
    expect([list, width, wide]).toEqual([list, width, []]);
  }
  await page.setViewportSize({ width: 1440, height: 1000 });
});

test("keeps states on one line, and check boxes and second lines aligned with the text of their rows", async () => {
  await page.goto(`${office.address}#/money`);
  await page.locator(".folds tbody tr").nth(3).waitFor();
  const states = await page.evaluate<readonly number[]>(
    "[...document.querySelectorAll('.folds .state')].map(({ offsetHeight }) => offsetHeight)",
  );
  expect(Math.max(...states)).toBeLessThan(30);
  const offsets = await page.evaluate<
    readonly number[]
  >(`[...document.querySelectorAll(".folds tbody tr")].map((row) => {
    const [box, place] = [row.querySelector(".pick input"), row].map((item) => item.getBoundingClientRect());
    return Math.abs(box.top + box.height / 2 - place.top - place.height / 2);
  })`);
  expect(Math.max(...offsets)).toBeLessThan(2);
  const secondLines = await page.evaluate<
    readonly number[]
  >(`[...document.querySelectorAll(".folds .document-number")].flatMap((number) => {
    const [first, second] = [number, number.nextElementSibling].map((item) => item.getBoundingClientRect());
    return second.top >= first.bottom - 2 ? [Math.abs(second.left - first.left)] : [];
  })`);
  expect(secondLines.length).toBeGreaterThan(0);
  expect(Math.max(...secondLines)).toBeLessThan(1);
});

test("shows the totals of filtered commissions and payments", async () => {
  const { sums } = (await ask("GET", "/commissions?page_size=50")).body as {
    readonly sums: Readonly<Record<string, string>>;
  };
  const format = new Intl.NumberFormat("de-DE", { style: "currency", currency: "EUR" });
  const formatAmount = (amount: number) => format.format(amount).replace("-", "−");
  const names = ["agent_comission_base_amount", "agent_comission_total", "agent_comission_prepaid_amount", "due"];
  await page.goto(`${office.address}#/money/commissions`);
  const amounts = page.locator(".totals dd");
  await amounts.nth(3).waitFor();
  expect(await amounts.allTextContents()).toEqual(names.map((name) => formatAmount(Number(sums[name]))));
  const { data } = (await ask("GET", "/charges?page_size=1")).body as {
    readonly data: readonly { readonly date: string }[];
  };
  const day = data[0]?.date.slice(0, 10) ?? "";
  const period = `date_from=${day}&date_to=${day}`;
  const charges = (await ask("GET", `/charges?${period}&page_size=200`)).body as {
    readonly data: readonly { readonly amount: string; readonly payment_type: string; readonly virtual: boolean }[];
  };
  const sumCents = (rows: typeof charges.data) =>
    rows.reduce(
      (sum, { amount, payment_type: type }) =>
        sum + (type === "payment" ? -1 : 1) * Math.abs(Math.round(Number(amount) * 100)),
      0,
    );
  const payments = charges.data.filter(({ virtual }) => !virtual);
  const totals = [
    ...(payments.length > 0 ? [sumCents(payments)] : []),
    ...(payments.length < charges.data.length ? [sumCents(charges.data)] : []),
  ];
  expect(totals.some((cents) => cents !== 0)).toBe(true);
  await page.goto(`${office.address}#/money/charges?${period}`);
  await expect.poll(() => amounts.allTextContents()).toEqual(totals.map((cents) => formatAmount(cents / 100)));
});

test("keeps names next to their number, and buttons in one line on a phone", async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${office.address}#/money/commissions`);
  await page.locator(".folds tbody tr").nth(1).waitFor();
  const isNextTo = await page.evaluate<readonly boolean[]>(
    "[...document.querySelectorAll('.folds tbody tr')].map(({ children: [number, name] }) => name.offsetTop < number.offsetTop + number.offsetHeight)",
  );
  expect(isNextTo).not.toContain(false);
  await page.goto(`${office.address}#/list/agents`);
  await page.locator(".folds tbody a").first().click();
  const [save, remove] = ["Speichern", "Löschen"].map((name) =>
    page.locator("main .foot").getByRole("button", { name }),
  );
  const tops = [(await save?.boundingBox())?.y, (await remove?.boundingBox())?.y];
  expect(Math.abs((tops[0] ?? 0) - (tops[1] ?? 99))).toBeLessThan(4);
  await page.setViewportSize({ width: 1440, height: 1000 });
});
