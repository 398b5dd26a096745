import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { getDateInDays, OFFICE_START_TIMEOUT_MS, openOffice } from "./office-page.ts";

let office: Awaited<ReturnType<typeof openOffice>>;
let page: typeof office.page;

beforeAll(async () => {
  office = await openOffice(inject("port"));
  page = office.page;
  await page.goto(office.address);
  await office.signInAs("staff");
  await page.getByRole("heading", { name: "Heute", level: 1 }).waitFor();
}, OFFICE_START_TIMEOUT_MS);

afterAll(async () => {
  await office.close();
});

/** Returns the focused title, or an empty text if the focus is elsewhere. */
const place = () => page.evaluate<string>("document.activeElement?.closest('main h1')?.textContent ?? ''");

// Proves "accessibility.md": A5
test("moves focus to the new page's title, which is also the window title, by menu, list row and Back", async () => {
  await page.locator(".menu a[href^='#/reservations']").focus();
  await page.keyboard.press("Enter");
  await expect.poll(place).toBe("Reservierungen");
  expect(await page.title()).toBe("Reservierungen · Büro");
  const row = page.locator("main table a").first();
  const number = await row.textContent();
  await row.focus();
  await page.keyboard.press("Enter");
  await expect.poll(place).toMatch(`Reservierung ${number} · `);
  expect(await page.title()).toBe(`${await place()} · Büro`);
  await page.goBack();
  await expect.poll(place).toBe("Reservierungen");
  await page.locator(".skip").focus();
  await page.keyboard.press("Enter");
  expect(await place()).toBe("Reservierungen");
});

// Proves "office.md: lists and forms": Each page has its own title with the focus; single-letter shortcuts can be
//   turned off
// Proves "accessibility.md": A9
if (inject("isThorough"))
  test("disables single-letter shortcuts if the user turned them off, also after a reload", async () => {
    await page.keyboard.press("?");
    const choice = page.getByLabel("Ein-Tasten-Kürzel");
    await choice.uncheck();
    await page.keyboard.press("Escape");
    await page.reload();
    await page.getByRole("heading", { name: "Reservierungen", level: 1 }).waitFor();
    await page.keyboard.press("g");
    await page.keyboard.press("f");
    await page.keyboard.press("?");
    expect(await page.locator("dialog[open]").count()).toBe(0);
    expect(page.url()).toContain("#/reservations");
    await page.locator(".person > summary").click();
    await page.getByRole("button", { name: "Tastenkürzel" }).focus();
    await page.keyboard.press("Enter");
    await office.looksRight("keys");
    await choice.check();
    await page.locator("dialog[open] form button").click();
    await page.locator("dialog[open]").waitFor({ state: "detached" });
    await page.keyboard.press("g");
    await page.keyboard.press("f");
    await expect.poll(place).toBe("Flotte");
  });

// Proves "office.md: lists and forms": A dialog's first invalid field has the focus; afterwards focus returns
// Proves "accessibility.md": A6
test("focuses the first invalid field after a failed submit, and the previous element or title on close", async () => {
  const at = (property: string) => page.evaluate<string | null>(`document.activeElement?.${property} ?? null`);
  // A separate reservation, because actions of the demo's depend on the time of day.
  const { status } = await office.ask("POST", "/api/v1/office/reservations", {
    token: await office.token(),
    body: {
      ...{ date_from: getDateInDays(70), time_from: "10:00", date_to: getDateInDays(72), time_to: "10:00" },
      ...{ pickup_place: 1, return_place: 1, category_code: "COMP", customer: { name: "Tess", surname: "Tastenlauf" } },
    },
  });
  expect(status).toBeLessThan(300);
  await page.goto(`${office.address}#/reservations?q=Tastenlauf`);
  await expect.poll(place).toBe("Reservierungen");
  // The list showed all reservations before the search, so wait for the row of the customer.
  await page.locator("main tr", { hasText: "Tastenlauf" }).locator("a").first().focus();
  await page.keyboard.press("Enter");
  await expect.poll(place).toMatch(/^Reservierung \d/);
  const title = await place();
  await page.getByRole("button", { name: "Zahlung erfassen" }).focus();
  await page.keyboard.press("Enter");
  await page.locator("dialog[open] [type=submit]").focus();
  await page.keyboard.press("Enter");
  await expect.poll(() => at("ariaInvalid")).toBe("true");
  const descriptionId = await at("getAttribute('aria-describedby')");
  expect(await page.textContent(`[id="${descriptionId}"]`)).toBe("Füllen Sie dieses Feld aus.");
  await page.keyboard.press("Escape");
  await expect.poll(() => at("textContent")).toBe("Zahlung erfassen");
  await page.getByRole("button", { name: "Reservierung stornieren" }).focus();
  await page.keyboard.press("Enter");
  // Letters typed before the dialog opens are shortcuts of the page.
  await page.locator("dialog[open] :focus").waitFor();
  await page.keyboard.type("Flug gestrichen");
  await page.locator("dialog[open] [type=submit]").focus();
  await page.keyboard.press("Enter");
  await page.locator("[role=status]", { hasText: "Reservierung storniert" }).waitFor();
  await expect.poll(place).toBe(title);
});
