import { execFileSync } from "node:child_process";
import { mkdir } from "node:fs/promises";
import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { openBrowser } from "./platform.ts";

const address = `http://acme.localhost:${inject("port")}`;
let browser: Browser;
let page: Page;

beforeAll(async () => {
  await mkdir("screenshots", { recursive: true });
  browser = await openBrowser();
  page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
  await page.goto(`${address}/docs/`);
  await page.getByText("Places, with a pickup place").or(page.getByText("/location-list")).first().waitFor();
});

afterAll(async () => {
  await browser.close();
});

test("an integrator signs in the browser and tries an operation out", async () => {
  await page.getByLabel("API key").fill("acme-agency");
  await page.getByLabel("Secret").fill("acme-agency-secret");
  expect(await page.locator("#signature").textContent()).toMatch(/^[0-9a-f]{40}$/);
  await page.screenshot({ path: "screenshots/docs.png" });
  const operation = page.locator(".opblock", { hasText: "/location-list" }).first();
  await operation.locator(".opblock-summary-control").click();
  await operation.getByRole("button", { name: "Try it out" }).click();
  await operation.getByRole("button", { name: "Execute" }).click();
  await operation.locator(".live-responses-table .response-col_status", { hasText: "200" }).waitFor();
  expect(await operation.locator(".live-responses-table").textContent()).toContain('"success": true');
});

test("the examples are of this company, name the key and never the secret", async () => {
  for (const name of ["curl", "Node", "Python"]) {
    await page.getByRole("tab", { name }).click();
    const example = (await page.locator("#example").textContent()) ?? "";
    expect(example).toContain(address);
    expect(example).toContain("acme-agency:");
    expect(example).not.toContain("acme-agency-secret");
  }
});

test("the Node example signs what the platform accepts", async () => {
  await page.getByRole("tab", { name: "Node" }).click();
  const example = ((await page.locator("#example").textContent()) ?? "")
    // Node finds no *.localhost by itself: the address goes into the header.
    .replace(`"${address}" + path`, `"http://127.0.0.1:${inject("port")}" + path`)
    .replace("headers: {", `headers: { Host: "acme.localhost:${inject("port")}",`);
  const viaHttp = example.replace(
    /const response = await fetch\(([^,]+), (\{[\s\S]*\})\);\nconsole\.log\(response\.status, await response\.json\(\)\);/,
    'const { get } = await import("node:http");\nget($1, $2, (r) => { console.log(r.statusCode); r.resume(); });',
  );
  const output = execFileSync(process.execPath, ["--input-type=module", "-e", viaHttp], {
    env: { ...process.env, RENTAL_SECRET: "acme-agency-secret" },
  });
  expect(output.toString().trim()).toBe("200");
});

test("other interfaces are a choice away", async () => {
  await page.getByLabel("Interface").selectOption({ label: "Check-in" });
  await page.getByText("/v1/booking/check-in-operations").first().waitFor();
  expect(await page.locator("#signing").isVisible()).toBe(false);
});
