import type { Page } from "playwright-core";
import { describe, expect, inject, test } from "vitest";
import { demoAccounts } from "#worker/development/demo-accounts.ts";
import { expectAccessible, startPartnerWebsite } from "../../browser/partner-website.ts";

// Waits up to a minute for a changed setting, so it's only tested before a release.

const GLOBEX = () => `http://globex.localhost:${inject("port")}`;

const { open } = startPartnerWebsite();

describe("selection of several products", () => {
  /** Changes settings of globex, with websites that no other test books on. */
  const choose = async (page: Page, isSeveral: boolean) => {
    const { users } = demoAccounts[1] ?? { users: [] };
    const [staff] = users;
    await page.evaluate(
      `(async ({ origin, username, password, isSeveral }) => {
        const json = { "Content-Type": "application/json" };
        const login = await fetch(origin + "/api/v1/login", { method: "POST", headers: json, body: JSON.stringify({ username, password }) });
        const headers = { ...json, Authorization: login.headers.get("Authorization"), "Idempotency-Key": JSON.stringify(crypto.randomUUID()) };
        const read = await (await fetch(origin + "/api/v1/office/settings", { headers })).json();
        const body = JSON.stringify({ expected_version: read.settings.version, multiple_products_selection: isSeveral, engine_origins: isSeveral ? ["*"] : [] });
        const changed = await fetch(origin + "/api/v1/office/settings", { method: "PATCH", headers, body });
        if (!changed.ok) throw new Error(await changed.text());
      })(${JSON.stringify({ origin: GLOBEX(), username: staff?.username, password: staff?.password, isSeveral })})`,
    );
  };

  test("books vehicles of two categories together, and lists them in the summary", async () => {
    const boss = await open("lang=de");
    await boss.goto(`${GLOBEX()}/office/`);
    await choose(boss, true);
    // Cached account data is at most one minute old.
    const settingsScript = `fetch("/api/booking/frontend/settings?api_key=globex-web").then((answer) => answer.json())`;
    await expect.poll(() => boss.evaluate(settingsScript)).toMatchObject({ multiple_products_selection: true });
    const page = await open("lang=de&account=globex&key=globex-web");
    await page.click("button[type=submit]");
    await page.waitForSelector("[data-continue]");
    expect(await page.isDisabled("[data-continue]")).toBe(true);
    const free = page.locator(".products li:not(.gone)");
    await free.nth(0).locator("button", { hasText: "+" }).click();
    await free.nth(1).locator("button", { hasText: "+" }).click();
    await free.nth(1).locator("button", { hasText: "+" }).click();
    await expect.poll(() => page.textContent(".busy[role=status]")).toBe("");
    await expectAccessible(page);
    const names = [await free.nth(0).locator("h3").textContent(), await free.nth(1).locator("h3").textContent()];
    await page.click("[data-continue]");
    await page.waitForSelector("[data-step=details] [data-total]");
    const sum = await page.textContent(".sum dl");
    expect([sum?.includes(`1 × ${names[0]}`), sum?.includes(`2 × ${names[1]}`)]).toEqual([true, true]);
    await choose(boss, false);
    await boss.close();
    await page.close();
  });
});
