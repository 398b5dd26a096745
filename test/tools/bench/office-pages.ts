import { readFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";
import type { Browser, BrowserContext, CDPSession, Page } from "playwright-core";
import type { PlannedContract, Planning } from "../../../pwa/office/src/pages/planning/planning.ts";
import { calculatePercentile } from "./statistics.ts";

const VEHICLES = 300;
const DAYS = 31;
const FIRST_LOAD_KB = 90;
/** Duration of a frame at 60 per second, and the page's share. */
const FRAME_MS = 17;
const WORK_MS = 16;
/** Frame duration of the screen, and the permitted percentage of missed frames. */
const SCREEN_MS = 1000 / 60;
const MISSED = 5;
/** Fast turning of a mouse wheel. */
const WHEEL_PX = 4500;
const WHEEL_PX_A_SECOND = 3000;
const DAY_MS = 86_400_000;
const TYPES: Readonly<Record<string, string>> = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

/** All office pages by route. Lists and forms count as one page each. */
const PAGES = [
  "today",
  "start",
  "planning",
  "reservations",
  "reservations/new",
  "fleet",
  "customers",
  "money",
  "ministry-reports",
  "imports",
  "prices-table",
  "list/categories",
  "list/settings",
  "security",
];

/** Used fields of a browser trace event. `ts` is in microseconds. */
interface TraceEvent {
  readonly name: string;
  readonly ph: string;
  readonly ts: number;
}

type RecordRow = (metric: string, measured: number, budget: number, unit: string) => void;

/** Measures the first-load size of each office page, and the board's scrolling on a slow machine. */
export async function measureOfficePages(browser: Browser, record: RecordRow): Promise<void> {
  const site = await serve();
  const { port } = site.address() as AddressInfo;
  const address = `http://127.0.0.1:${port}/office/`;
  for (const page of PAGES) {
    const context = await signedIn(browser);
    record(
      `office, ${page}: JavaScript of the first load, gzip`,
      await weigh(context, `${address}#/${page}`),
      FIRST_LOAD_KB,
      "kB",
    );
    await context.close();
  }
  const context = await signedIn(browser);
  await measureBoard(await context.newPage(), address, record);
  await context.close();
  site.close();
}

async function serve(): Promise<Server> {
  const server = createServer(async (request, response) => {
    const path = normalize(new URL(request.url ?? "/", "http://office").pathname);
    const file = path.endsWith("/") ? `${path}index.html` : path;
    const content = await readFile(join("pwa/dist", file)).catch(() => undefined);
    response.writeHead(content ? 200 : 404, { "Content-Type": TYPES[extname(file)] ?? "text/plain" }).end(content);
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", () => resolve()));
  return server;
}

async function signedIn(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "en" });
  await context.addInitScript("sessionStorage.setItem('office-token', 'bench')");
  await context.route("**/api/**", (route) => {
    const { pathname } = new URL(route.request().url());
    return route.fulfill({ json: ANSWERS.find(([end]) => pathname.endsWith(end))?.[1]() ?? NOTHING });
  });
  return context;
}

async function weigh(context: BrowserContext, address: string): Promise<number> {
  const page = await context.newPage();
  const loaded: Promise<number>[] = [];
  page.on("response", (answer) => {
    if (answer.url().endsWith(".js")) loaded.push(answer.body().then((body) => gzipSync(body).length));
  });
  await page.goto(address);
  await page.locator("main h1").waitFor();
  await page.waitForLoadState("networkidle");
  const bytes = await Promise.all(loaded);
  return bytes.reduce((sum, value) => sum + value, 0) / 1000;
}

/** Scrolls the board up and down for some seconds and records frame durations in ms. */
const SCROLL = `new Promise((resolve) => {
  const pane = document.querySelector(".pane");
  const frames = [];
  let last = performance.now();
  const until = last + 4000;
  const step = (now) => {
    frames.push(now - last);
    last = now;
    pane.scrollTop = (pane.scrollTop + 60) % (pane.scrollHeight - pane.clientHeight);
    if (now < until) requestAnimationFrame(step);
    else resolve(frames.slice(2));
  };
  requestAnimationFrame(step);
})`;

async function measureBoard(page: Page, address: string, record: RecordRow): Promise<void> {
  await page.goto(`${address}#/planning?days=${DAYS}`);
  await page.locator(".pane .bar").first().waitFor();
  const session = await page.context().newCDPSession(page);
  const quiet = await frames(page);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  // CPU time of the page's own thread, so that other processes don't matter.
  await session.send("Performance.enable", { timeDomain: "threadTicks" });
  const before = await workedMs(session);
  const slow = await frames(page);
  const worked = (await workedMs(session)) - before;
  const metric = `planning, ${VEHICLES} vehicles × ${DAYS} days scrolled`;
  record(`${metric}: 95 % of frames within`, calculatePercentile(quiet, 0.95), FRAME_MS, "ms");
  record(`${metric}, CPU ÷ 4: work of a frame`, worked / slow.length, WORK_MS, "ms");
  record(`${metric} by wheel, CPU ÷ 4: frames that the screen missed`, await missedByWheel(page, session), MISSED, "%");
}

/**
 * Returns the share of frames shown too late while a wheel turns steadily. Wheel scrolling moves painted content,
 * independent of the page's own thread.
 */
async function missedByWheel(page: Page, session: CDPSession): Promise<number> {
  const frameTimes: number[] = [];
  session.on("Tracing.dataCollected", ({ value }) => {
    for (const { name, ph, ts } of value as unknown as readonly TraceEvent[])
      if (name === "Display::DrawAndSwap" && ph === "X") frameTimes.push(ts / 1000);
  });
  const pane = await page.locator(".pane").last().boundingBox();
  if (!pane) throw new Error("the board has no pane");
  const middle = { x: pane.x + pane.width / 2, y: pane.y + pane.height / 2 };
  await session.send("Tracing.start", { transferMode: "ReportEvents", traceConfig: { includedCategories: ["viz"] } });
  for (const yDistance of [-WHEEL_PX, WHEEL_PX, -WHEEL_PX])
    await session.send("Input.synthesizeScrollGesture", {
      ...middle,
      yDistance,
      speed: WHEEL_PX_A_SECOND,
      gestureSourceType: "mouse",
    });
  const tracingComplete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.end");
  await tracingComplete;
  const times = frameTimes.toSorted((value, other) => value - other);
  const missed = times.slice(1).filter((time, index) => time - (times[index] ?? 0) > 1.5 * SCREEN_MS).length;
  const seconds = (3 * WHEEL_PX) / WHEEL_PX_A_SECOND;
  if (times.length < (seconds * 1000) / (2 * SCREEN_MS)) throw new Error(`${times.length} frames in ${seconds} s`);
  return (100 * missed) / times.length;
}

async function workedMs(session: CDPSession): Promise<number> {
  const { metrics } = await session.send("Performance.getMetrics");
  return (metrics.find(({ name }) => name === "TaskDuration")?.value ?? 0) * 1000;
}

const frames = (page: Page) => page.evaluate<readonly number[]>(SCROLL);

const NOTHING = { data: [], total: 0, next: null, options: {}, counts: {}, passkeys: [], authenticator: false };
const formatDayAfter = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);
const CATEGORIES = ["ECON", "COMP", "SUV", "VAN", "CABRIO"];

/** Simulated responses by path suffix. The first match counts. */
const ANSWERS: readonly (readonly [string, () => object])[] = [
  ["/planning", planning],
  ["/prices/table", () => ({ table: { brackets: [], rows: [], version: 1 } })],
  ["/settings/dry-run", () => ({ data: [], steps: [] })],
  ["/settings", () => ({ settings: { id: 1, version: 1, languages: ["en"] } })],
  ["/delivery-collection-app-settings", settings],
];

function settings() {
  return {
    account_name: "Bench",
    currency: "EUR",
    currency_decimals: 2,
    timezone: "Europe/Madrid",
    languages: ["en"],
    default_language: "en",
    user: { full_name: "Boss", role: "administrator", language: "en" },
    rental_locations: [{ code: "PMI", name: "Palma", rental_storage_id: 1 }],
    rental_storages: [{ id: 1, name: "Island" }],
    categories: CATEGORIES.map((code) => ({ code, name: code })),
  };
}

/** Creates a full board: each vehicle with consecutive contracts of three to six days. */
function planning(): Planning {
  const vehicles = Array.from({ length: VEHICLES }, (_, index) => ({
    reference: `V-${index}`,
    name: "Seat León",
    stock_plate: `${1000 + index} BCD`,
    category_code: CATEGORIES[Math.floor((index * CATEGORIES.length) / VEHICLES)] ?? "",
    rental_location_code: "PMI",
    contracts: createContracts(index),
    out: null,
    inspection_due: null,
    insured_until: null,
    needs_cleaning: false,
    needs_fuel: false,
    exchanged: [],
    blocks: [],
  }));
  const dailySales = CATEGORIES.flatMap((category_code) =>
    Array.from({ length: DAYS }, (_, day) => ({ category_code, date: formatDayAfter(day), sold: 50, stock: 60 })),
  );
  return { date_from: formatDayAfter(0), days: DAYS, vehicles, unassigned: [], sold: dailySales };
}

function createContracts(vehicle: number): readonly PlannedContract[] {
  const lasting = 3 + (vehicle % 4);
  return Array.from({ length: Math.floor(DAYS / lasting) }, (_, at) => ({
    id: vehicle * 100 + at,
    version: 1,
    status: at === 0 ? "in_progress" : "confirmed",
    unit_id: vehicle * 100 + at,
    date_from: formatDayAfter(at * lasting),
    time_from: "10:00",
    date_to: formatDayAfter(at * lasting + lasting - 1),
    time_to: "18:00",
    from: `${formatDayAfter(at * lasting)}T10:00`,
    to: `${formatDayAfter(at * lasting + lasting - 1)}T18:00`,
    customer_fullname: `Customer ${vehicle}-${at}`,
    rental_location_code: "PMI",
    return_rental_location_code: "PMI",
  }));
}
