import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openBrowser } from "#support/browser.ts";
import { createSmallCells, type SmallCells } from "#support/directory.ts";
import { routeRequest } from "#worker/router/app.ts";
import { expectAccessible } from "./partner-website.ts";

const KEY = "operator-key-of-thirty-two-letters";

let small: SmallCells;
let server: Server;
let page: Page;
/** Requests for companies' data, with their queries. */
const accountCalls: string[] = [];

/** Answers a cell's operator's routes from the small databases. */
async function answerCell(cell: string, request: Request): Promise<Response> {
  const { pathname, search, searchParams } = new URL(request.url);
  const [, route = ""] = /^\/operator\/accounts\/(.+)$/.exec(pathname) ?? [];
  if (route !== "") accountCalls.push(`${request.method} ${route}${search}`);
  if (route === "blue-boats/backups") return Response.json({ days: ["2026-11-20", "2026-11-19"] });
  if (route === "blue-boats/backups/2026-11-20") return new Response("rows");
  if (route === "blue-boats/exports/2026-11-21") return new Response("archive");
  if (route === "blue-boats/export")
    return Response.json(searchParams.has("at") ? { at: 7, rows: 9, day: "2026-11-21" } : { at: 7, rows: 4 });
  if (route === "blue-boats/restore") {
    const refusal = { error: "The account has data. Choose an empty one", code: "account_not_empty" };
    return Response.json(refusal, { status: 409 });
  }
  if (route === "red-rafts/restore") return Response.json({ rows: 12, lost_secrets: 1, files: 3 });
  const [, slot] = /\/operator\/slots\/(\d+)\/batch$/.exec(new URL(request.url).pathname) ?? [];
  const db = small.cells.open(cell, Number(slot));
  const { statements } = await request.json<{ statements: { sql: string; values: unknown[] }[] }>();
  const answers = await db.batch(statements.map(({ sql, values }) => db.prepare(sql).bind(...values)));
  return Response.json({ answers });
}

beforeAll(async () => {
  small = createSmallCells();
  const service = (cell: string) => ({ fetch: (request: Request) => answerCell(cell, request) });
  const keys = { BASE_DOMAIN: "127.0.0.1", ROUTER_KEY: "router-key", OPERATOR_KEY: KEY };
  const bindings = { ...keys, DIRECTORY: small.directory.db, CELL_01: service("01"), CELL_02: service("02") };
  server = createServer(async (incoming, outgoing) => {
    const chunks: Buffer[] = [];
    for await (const chunk of incoming) chunks.push(chunk as Buffer);
    const { method = "GET", headers } = incoming;
    const body = method === "GET" || chunks.length === 0 ? {} : { body: Buffer.concat(chunks).toString("utf8") };
    const init = { method, headers: { Authorization: headers.authorization ?? "" }, ...body };
    const answer = await routeRequest(new Request(`http://127.0.0.1${incoming.url}`, init), bindings);
    outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(Buffer.from(await answer.arrayBuffer()));
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  page = await (await openBrowser()).newPage();
  await page.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/operator/`);
});

afterAll(async () => {
  await page.close();
  server.close();
});

const row = (name: string) => page.locator("#accounts tbody tr", { hasText: name });

async function signIn(key: string): Promise<void> {
  await page.fill("#key", key);
  await page.click("text=Show companies");
}

test("shows an error and no data on the operator's page with a wrong key", async () => {
  await signIn("another-key-of-thirty-two-letters");
  await page.waitForSelector("#status.error");
  expect(await page.isVisible("#main")).toBe(false);
});

test("pauses, resumes and moves a company on the operator's page", async () => {
  await signIn(KEY);
  await row("blue-boats").waitFor();
  expect((await row("blue-boats").locator("td").allTextContents()).slice(0, 5)).toEqual([
    "blue-boats",
    "01",
    "1",
    "",
    "active",
  ]);
  await expectAccessible(page);
  page.on("dialog", (dialog) => void dialog.accept("02"));
  await row("blue-boats").getByText("Pause").click();
  await row("paused").getByText("Resume").click();
  await row("active").getByText("Move").click();
  await page.waitForSelector("text=Move: done");
  expect((await row("blue-boats").locator("td").allTextContents()).slice(0, 5)).toEqual([
    "blue-boats",
    "02",
    "1",
    "",
    "active",
  ]);
  expect(await page.textContent("#moves tbody")).toBe("None.");
});

test("retries and dismisses a company's failed jobs, and downloads its backup", async () => {
  const at = Date.parse("2026-11-20T03:00:00Z");
  small.directory.rows("UPDATE accounts SET backup_at = ?", at);
  for (const kind of ["back_up", "resend_mails"])
    small.directory.rows("INSERT INTO failed_jobs VALUES ('blue-boats', ?, ?, 2, ?)", kind, at, at);
  await page.click("#reload");
  const job = (kind: string) => page.locator("#jobs tbody tr", { hasText: kind });
  await job("back_up").getByText("Retry").click();
  await page.waitForSelector("text=within a minute");
  await job("resend_mails").getByText("Dismiss").click();
  await page.waitForSelector("text=Dismiss: done");
  expect(small.directory.rows("SELECT kind, held_until FROM failed_jobs")).toEqual([
    { kind: "back_up", held_until: 0 },
  ]);
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    row("blue-boats").getByText("Download backup").click(),
  ]);
  expect(download.suggestedFilename()).toBe("blue-boats-2026-11-20.ndjson.gz");
});

test("exports a company's data in steps and downloads the archive", async () => {
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    row("blue-boats").getByText("Export data").click(),
  ]);
  expect(download.suggestedFilename()).toBe("blue-boats-2026-11-21.zip");
  expect(accountCalls.slice(-3)).toEqual([
    "POST blue-boats/export",
    "POST blue-boats/export?at=7",
    "GET blue-boats/exports/2026-11-21",
  ]);
  await page.waitForSelector("text=Export data: done");
});

test("restores the chosen backup into the company whose name is typed, and shows the result", async () => {
  small.directory.rows(
    "INSERT INTO accounts (name, cell, slot, state, created_at) VALUES ('red-rafts', '01', 2, 'active', 0)",
  );
  await page.click("#reload");
  await page.waitForSelector("text=Reloaded");
  await row("red-rafts").waitFor();
  await row("blue-boats").getByText("Restore backup").click();
  await page.locator("#day option").nth(1).waitFor({ state: "attached" });
  expect(await page.inputValue("#from")).toBe("blue-boats");
  await expectAccessible(page);
  const restoreInto = async (into: string, typed: string) => {
    await page.selectOption("#into", into);
    await page.selectOption("#day", "2026-11-19");
    await page.fill("#confirm", typed);
    await page.click("#restore button");
  };
  const calls = accountCalls.length;
  await restoreInto("red-rafts", "blue-boats");
  await page.waitForSelector("#status.error:text('Type red-rafts to confirm')");
  expect(accountCalls.length).toBe(calls);
  await restoreInto("blue-boats", "blue-boats");
  await page.waitForSelector("#status.error:text('The account has data. Choose an empty one')");
  await restoreInto("red-rafts", "red-rafts");
  await page.waitForSelector("text=red-rafts: 12 rows restored. Copy 3 photos and files. Replace 1 secrets");
  expect(accountCalls.at(-1)).toBe("POST red-rafts/restore?from=blue-boats&day=2026-11-19&confirm=red-rafts");
});
