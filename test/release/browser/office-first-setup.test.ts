import { Secret, TOTP } from "otpauth";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { closePages, openBrowser } from "#support/browser.ts";
import { createAndServeCompany } from "#support/new-company.ts";
import { signRedsysFields } from "#worker/gateways/redsys.ts";
import { listAxeFaults, saveScreenshot } from "../../browser/page-checks.ts";

let company: Awaited<ReturnType<typeof createAndServeCompany>>;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  company = await createAndServeCompany("newcomer", "Blue Boats");
  browser = await openBrowser();
  const context = await browser.newContext({ locale: "en", viewport: { width: 1440, height: 1000 } });
  page = await context.newPage();
});

afterAll(async () => {
  await closePages(browser);
  await company.close();
});

/** Long time limit for busy machines. */

const COLLEAGUE = { username: "ana", password: "a boat on the blue sea" };

const press = (name: string) => page.getByRole("button", { name, exact: true }).click();
const follow = (name: string) => page.locator("main").getByRole("link", { name, exact: true }).click();
const fill = async (fields: Readonly<Record<string, string>>) => {
  for (const [label, value] of Object.entries(fields)) await page.getByLabel(label, { exact: true }).fill(value);
};
const step = (name: string) =>
  page.locator(".steps > li").filter({ has: page.getByRole("heading", { name, exact: true }) });
/** Returns to the setup guide through the bar, with the step now done. */
const expectStepDone = async (name: string) => {
  await page.locator(".setup-bar a").click();
  await page.locator(".steps").waitFor();
  await expect.poll(() => step(name).getAttribute("data-done")).toBe("true");
};
const save = async () => {
  await press("Save");
  await page.getByText(/^Saved/).waitFor();
};
const expectScreenshots = async (name: string) => {
  for (const [colorScheme, width] of [
    ["light", 1440],
    ["dark", 390],
  ] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: "reduce" });
    await page.setViewportSize({ width, height: 1000 });
    expect([name, width, await listAxeFaults(page)]).toEqual([name, width, []]);
    expect(await page.evaluate<number>("document.documentElement.scrollWidth")).toBeLessThanOrEqual(width);
    await saveScreenshot(page, `newcomer-${name}-${width}-${colorScheme}`, true);
  }
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize({ width: 1440, height: 1000 });
};

// Proves "office.md: lists and forms": A newcomer is led from an empty account to the first step
test("shows a new company's first user the first setup step, while bookings aren't possible", async () => {
  await page.goto(`${company.address}/office/`);
  await fill({ "Email or username": company.username, Password: company.password });
  await press("Sign in");
  await page.getByText("Bookings aren't possible yet.").waitFor();
  await expectScreenshots("today");
  await follow("First steps");
  await page.getByText("0 of 9 steps done").first().waitFor();
  await expectScreenshots("steps");
});

// Proves "office.md: lists and forms": Branches, places and hours, each step checked
test("marks setup steps as done once branch group, branch, place and opening hours exist", async () => {
  await follow("Add branch group");
  await fill({ "Name *": "Island" });
  await save();
  await page.locator(".setup-bar a").click();
  await follow("Add branch");
  await fill({
    "Code *": "PMI",
    "Name *": "Palma",
    "Legal name (on documents)": "Blue Boats SL",
    "Tax ID": "B12345674",
  });
  await page.getByLabel("Branch group *").selectOption({ label: "Island" });
  await save();
  await expectStepDone("Branches");
  await follow("Add place");
  await fill({ "Name *": "Palma Airport" });
  await page.getByLabel("Branch *", { exact: true }).selectOption("PMI");
  await save();
  await expectStepDone("Places");
  await fill({ Opens: "20:00", Closes: "08:00" });
  await step("Opening hours").getByRole("button", { name: "Set the hours" }).click();
  await page.getByText("Enter a value later than 20:00.").waitFor();
  await fill({ Opens: "08:00", Closes: "20:00" });
  await step("Opening hours").getByRole("button", { name: "Set the hours" }).click();
  await expect.poll(() => step("Opening hours").getAttribute("data-done")).toBe("true");
});

// Proves "office.md: lists and forms": Categories, vehicles and prices, with errors next to the input
test("adds a category, its vehicle and its prices, with errors at their fields", async () => {
  await follow("Add category");
  await fill({ "Code *": "ECON", "Name *": "Economy", "VAT rate (%) *": "21,5x" });
  await press("Save");
  await page.getByText("Enter a percentage from 0 to 100 with at most two decimals.").waitFor();
  await fill({ "VAT rate (%) *": "21,00", "Security deposit": "150,00" });
  await save();
  await expectStepDone("Categories");
  await follow("Add vehicle");
  await fill({ "Reference *": "E-1", "Vehicle *": "Seat Ibiza", Plate: "1234 BCD" });
  await page.getByLabel("Branch *", { exact: true }).selectOption("PMI");
  await page.getByLabel("Category *", { exact: true }).selectOption("ECON");
  await page.locator(".sheet [type=submit]").click();
  await page.getByRole("heading", { name: "1234 BCD · Seat Ibiza" }).waitFor();
  await expectStepDone("Vehicles");
  await follow("Fill in the prices");
  await page.getByText("Start with the rental lengths").waitFor();
  await fill({ "Shortest rental (days)": "3", "Longest rental (days)": "1" });
  await press("Add rental length");
  await page.getByText("Enter whole days from 1 to 999").waitFor();
  await fill({ "Shortest rental (days)": "1", "Longest rental (days)": "3" });
  await press("Add rental length");
  await fill({ "Shortest rental (days)": "7", "Longest rental (days)": "" });
  await press("Add rental length");
  await fill({ "Economy, 1 to 3 days": "40", "Economy, 7 days or more": "30,50" });
  await press("Save");
  await page.getByText("4–6 is not covered. Add the missing range.").waitFor();
  await expectScreenshots("prices");
  await fill({ "Shortest rental (days)": "4", "Longest rental (days)": "6" });
  await press("Add rental length");
  await fill({ "Economy, 4 to 6 days": "35" });
  await save();
  await expectStepDone("Prices");
});

// Proves "office.md: lists and forms": A gateway is configured, tried and offered; website and team
test("connects, tests and offers a gateway, allows the website and adds a user, which completes the setup", async () => {
  await follow("Connect a payment gateway");
  await page.getByLabel("Payment method *").selectOption("tpvA256");
  await page.getByLabel("Environment *").selectOption("stand_in");
  await fill({ "Merchant code (FUC)": "999008881x", Terminal: "1", Secret: "sq7HjrUOBfKmC576ILgskD5srU870gJ7" });
  await page.getByLabel("Signature").selectOption("HMAC_SHA256_V1");
  await press("Save");
  await page.getByText("Enter the value in the required format, exactly as you received it.").waitFor();
  await expectScreenshots("gateway");
  await fill({ "Merchant code (FUC)": "999008881" });
  await save();
  await press("Test the gateway");
  await page.getByText("Add the method to the payment methods in the settings.").waitFor();
  await page.locator(".setup-bar a").click();
  await follow("Offer the payment method");
  await page.getByRole("checkbox", { name: "Redsys" }).check();
  await page.getByRole("checkbox", { name: "Total" }).check();
  await expectScreenshots("settings");
  await save();
  await expectStepDone("Payment");
  await page.getByText("You can now take bookings and payments online.").waitFor();
  await expect
    .poll(() => step("Website").locator("pre").textContent())
    .toContain(`<rental-booking account="${company.address}">`);
  await follow("Allow your website");
  await fill({ "Public URL": company.address, "Websites allowed without a key": "https://www.blueboats.example" });
  await save();
  await expectStepDone("Website");
  await follow("Add a colleague");
  await fill({
    "Username *": COLLEAGUE.username,
    "Email *": "ana@newcomer.example",
    "Full name *": "Ana Ruiz",
    Password: "short",
  });
  await page.getByLabel("Role *").selectOption("administrator");
  await press("Save");
  await page
    .getByText("Enter 8 to 128 characters. Passwords from known data breaches are not allowed.")
    .last()
    .waitFor();
  await fill({ Password: COLLEAGUE.password });
  await press("Save");
  await page.getByText("Required for the role: Administrator. Tick the box.").waitFor();
  await page.getByLabel("Works at all branches").check();
  await save();
  // After the last step the guide is closed.
  await page.locator(".setup-bar").waitFor({ state: "detached" });
  await page.getByRole("navigation", { name: "Menu" }).getByRole("link", { name: "Settings" }).click();
  await follow("First steps");
  await page.getByText("9 of 9 steps done").first().waitFor();
  await expectScreenshots("done");
});

/** Opens a visitor's page with a booking at the gateway. */
async function visitorAtGateway(surname: string): Promise<Page> {
  const visitor = await page.context().newPage();
  await visitor.goto(`${company.address}/?lang=en`);
  await visitor.waitForSelector("select option[value]", { state: "attached" });
  await visitor.click("button[type=submit]");
  await visitor.click(".products li:not(.gone) button.main");
  await visitor.waitForSelector("[data-step=details] [data-total]");
  await visitor.fill("[name=customer_name]", "Nora");
  await visitor.fill("[name=customer_surname]", surname);
  await visitor.fill("[name=customer_email]", `${surname.toLowerCase()}@example.com`);
  await saveScreenshot(visitor, "newcomer-visitor", true);
  await visitor.click("[data-pay]");
  await visitor.waitForURL(/\/dev\/gateway\//);
  return visitor;
}

const findPendingTask = (kind: string) =>
  page.locator(".cards > li").filter({ has: page.locator("strong", { hasText: kind }) });
const seeToday = async () => {
  await page.goto(`${company.address}/office/#/today`);
  await page.reload();
  await page.getByRole("heading", { name: "Needs attention" }).waitFor();
};

// Proves "office.md: lists and forms": A late payment is a task until refunded
test("lists a payment for an ended reservation as a pending task until it is refunded", async () => {
  const visitor = await visitorAtGateway("Late");
  await page.goto(`${company.address}/office/#/reservations?q=late`);
  await page.locator("main tbody a").first().click();
  await page.getByRole("heading", { name: /Nora Late/ }).waitFor();
  await press("Cancel reservation");
  await page.getByLabel("Reason *").fill("The visitor never came back");
  await page.locator(".sheet [type=submit]").click();
  await page.getByText("Reservation cancelled").waitFor();
  await visitor.click("button:has-text('Pay')");
  await visitor.waitForURL(/payment-gateway-return/);
  await visitor.close();
  await seeToday();
  const card = findPendingTask("Paid too late");
  await card.getByText(/paid after the hold expired/).waitFor();
  await expectScreenshots("paid-too-late");
  await card.getByRole("link", { name: "Refund customer" }).click();
  await page.getByLabel("Reason *").fill("Cancelled before it was paid");
  await page.locator(".sheet [type=submit]").click();
  await page.locator(".done", { hasText: /./ }).waitFor();
  await expect
    .poll(
      async () => {
        await seeToday();
        return card.count();
      },
      { interval: 3000 },
    )
    .toBe(0);
});

// Proves "office.md: lists and forms": The first booking is paid on the company's page
test("shows the office a confirmed and paid reservation after a visitor books and pays on the company's page", async () => {
  const visitor = await visitorAtGateway("Keller");
  await visitor.click("button:has-text('Pay')");
  await visitor.waitForURL(/payment-gateway-return\/ok/);
  await visitor.close();
  await page.goto(`${company.address}/office/#/reservations?q=keller`);
  await page.locator("main tbody a").first().click();
  await page.getByRole("heading", { name: /Nora Keller/ }).waitFor();
  expect((await page.locator(".title .state").first().textContent())?.trim()).toBe("Confirmed");
  await page.locator(".timeline, main", { hasText: "Redsys" }).first().waitFor();
  await expectScreenshots("booked");
});

// Proves "office.md: lists and forms": An unmatched gateway message is a task until dismissed
test("lists an unknown gateway notification as a pending task until a user checks it", async () => {
  const order = "000099999999";
  const notice = signRedsysFields("HMAC_SHA256_V1", "sq7HjrUOBfKmC576ILgskD5srU870gJ7", order, {
    ...{ Ds_Date: "01%2F01%2F2027", Ds_Hour: "10%3A00", Ds_SecurePayment: "1", Ds_Amount: "12345", Ds_Currency: "978" },
    ...{ Ds_Order: order, Ds_MerchantCode: "999008881", Ds_Terminal: "001", Ds_Response: "0000" },
    ...{ Ds_MerchantData: "", Ds_TransactionType: "0", Ds_ConsumerLanguage: "1", Ds_AuthorisationCode: "123456" },
  });
  const noticeStatus = await page.evaluate<number>(
    `fetch("/charge-processed/tpvA256", { method: "POST", body: new URLSearchParams(${JSON.stringify(notice)}) }).then(({ status }) => status)`,
  );
  expect(noticeStatus).toBeLessThan(500);
  await seeToday();
  const card = findPendingTask("Unmatched payment");
  await card.getByText(new RegExp(`Order ${order}`)).waitFor();
  await expectScreenshots("payment-mismatch");
  await card.getByRole("button", { name: "Mark as reviewed" }).click();
  await expect.poll(() => card.count()).toBe(0);
});

const refund = async (amount: string, reason: string) => {
  await press("Refund customer");
  await page.getByLabel("Amount").fill(amount);
  await page.getByLabel("Reason *").fill(reason);
  await page.locator(".sheet [type=submit]").click();
};
const backToReservation = async () => {
  await page.goto(`${company.address}/office/#/reservations?q=keller`);
  await page.locator("main tbody a").first().click();
  await page.getByRole("heading", { name: /Nora Keller/ }).waitFor();
};
/** Presses a button with a confirmation. */
const pressTwice = async (on: Page, name: RegExp) => {
  await on.getByRole("button", { name }).click();
  await on.getByRole("button", { name: /\?/ }).click();
};

// Proves "office.md: lists and forms": A refund above the limit is approved or declined by another manager, in the
//   pages
test("lets another manager approve or decline a refund above the company's limit", async () => {
  await page.goto(`${company.address}/office/#/list/settings?group=payment`);
  await page.getByLabel("Refund approval required above").fill("20,00");
  await save();
  await backToReservation();
  await refund("30", "The heating failed");
  await page.getByText("The refund is waiting for a second manager's approval.").waitFor();
  const context = await browser.newContext({ locale: "en" });
  const colleague = await context.newPage();
  await colleague.goto(`${company.address}/office/`);
  await colleague.getByLabel("Email or username").fill(COLLEAGUE.username);
  await colleague.getByLabel("Password").fill(COLLEAGUE.password);
  await colleague.getByRole("button", { name: "Sign in" }).click();
  await colleague.locator(".cards strong", { hasText: "Refund awaiting approval" }).first().waitFor();
  await colleague.goto(`${company.address}/office/#/money/refunds`);
  await pressTwice(colleague, /^Approve/);
  await colleague.getByText("Refund approved").waitFor();
  await backToReservation();
  await refund("25", "They want more");
  await page.getByText("The refund is waiting for a second manager's approval.").waitFor();
  await colleague.reload();
  await pressTwice(colleague, /^Decline/);
  await colleague.getByText("Refund declined").waitFor();
  await context.close();
});

// Proves "office.md: lists and forms": Refunds refused by a gateway are decided in the pages
test("lists a refund refused by the gateway as a pending task, then refunds it manually", async () => {
  await backToReservation();
  // The simulator rejects amounts with this ending, as the bank's own test system does.
  await refund("10,96", "A scratch that was there");
  await page.locator(".done, [role=alert]").first().waitFor();
  await expect
    .poll(
      async () => {
        await page.goto(`${company.address}/office/#/today`);
        await page.reload();
        await page.getByRole("heading", { name: "Needs attention" }).waitFor();
        return page.getByRole("link", { name: "View refunds" }).count();
      },
      { interval: 3000 },
    )
    .toBeGreaterThan(0);
  await page.getByRole("link", { name: "View refunds" }).first().click();
  await page.getByRole("heading", { name: "Refunds stuck at payment gateways" }).waitFor();
  await expectScreenshots("refused-refund");
  await pressTwice(page, /^Mark as refunded manually/);
  await page.locator(".done", { hasText: /./ }).waitFor();
  await page.getByText("No refunds pending at a payment gateway").waitFor();
});

// Proves "office.md: lists and forms": An app for codes and the sessions, in the pages
test("sets up an authenticator app, signs in with a recovery code, and signs out everywhere", async () => {
  await page.goto(`${company.address}/office/#/security`);
  await press("Set up authenticator app");
  const key = ((await page.locator("code.secret").textContent()) ?? "").replaceAll(" ", "");
  await expectScreenshots("authenticator");
  const form = page.getByRole("region", { name: "Authenticator app" });
  await form.getByLabel("Two-factor code").fill("000000");
  await form.getByRole("button", { name: "Enable app" }).click();
  await page.getByText("That code is incorrect or has already been used.").first().waitFor();
  const code = new TOTP({ secret: Secret.fromBase32(key) }).generate();
  await form.getByLabel("Two-factor code").fill(code);
  await form.getByRole("button", { name: "Enable app" }).click();
  const recoveryCodes = page.getByRole("region", { name: "Your new recovery codes" }).locator("code");
  await recoveryCodes.first().waitFor();
  const [lost = ""] = await recoveryCodes.allTextContents();
  await page.getByText("10 recovery codes left.").waitFor();
  await press("Generate new recovery codes");
  await page.getByText("New recovery codes generated. Your old codes no longer work.").waitFor();
  await expect.poll(() => recoveryCodes.first().textContent()).not.toBe(lost);
  const [recovery = ""] = await recoveryCodes.allTextContents();
  await expectScreenshots("recovery-codes");
  await form.getByRole("button", { name: "Disable app" }).waitFor();
  await page.locator(".person > summary").click();
  await press("Sign out");
  await fill({ "Email or username": company.username, Password: company.password });
  await press("Sign in");
  await page.getByLabel("Two-factor code").fill(lost);
  await press("Sign in");
  await page.getByText("That code is incorrect or has already been used.").first().waitFor();
  await page.getByLabel("Two-factor code").fill(recovery);
  await press("Sign in");
  await page.getByRole("heading", { name: "Where you are signed in", exact: true }).waitFor();
  await page.getByText("Chrome").first().waitFor();
  await expectScreenshots("sessions");
  await press("Sign out everywhere");
  await press("Sign out everywhere?");
  await page.getByLabel("Email or username").waitFor();
});
