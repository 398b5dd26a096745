import { readdir, readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { type BrowserContext, type CDPSession, chromium, type Page } from "playwright-core";
import { buildPages } from "#scripts/build-pages.ts";
import { BROWSER_ARGUMENTS, findBrowser } from "#support/browser.ts";
import { createBooking, createUnit, createVehicle } from "#support/check-in/day.ts";
import { startCheckInServer } from "#support/check-in/server.ts";
import { startCheckInSite } from "#support/check-in-site.ts";
import { runTool } from "#tools/platform/run-tool.ts";
import { formatTable } from "./markdown-table.ts";
import { measureOfficePages } from "./office-pages.ts";

const DELIVERIES = 300;
const OPERATIONS = Number(process.env["BENCH_OPERATIONS"] || 500);
const ASSETS = "pwa/dist/checkin/assets";
/** Slow 4G: 1.6 Mb/s down, 750 kb/s up, 150 ms. */
const SLOW_4G = { offline: false, latency: 150, downloadThroughput: 200_000, uploadThroughput: 93_750 };
const NO_NETWORK = { offline: true, latency: 0, downloadThroughput: -1, uploadThroughput: -1 };

interface Row {
  readonly label: string;
  readonly budget: number;
  readonly measured: number;
  readonly unit: string;
}

const rows: Row[] = [];
const record = (metric: string, measured: number, budget: number, unit: string) =>
  rows.push({ label: metric, budget, measured: Math.round(measured * 10) / 10, unit });

async function weigh(): Promise<void> {
  const kilobytes = async (path: string) => gzipSync(await readFile(path)).length / 1000;
  const styles = (await readdir(ASSETS)).filter((file) => file.endsWith(".css"));
  const weights = await Promise.all(styles.map((file) => kilobytes(`${ASSETS}/${file}`)));
  record(
    "CSS, gzip",
    weights.reduce((total, weight) => total + weight, 0),
    12,
    "kB",
  );
  record("service worker, gzip", await kilobytes("pwa/dist/checkin/sw.js"), 10, "kB");
}

function fill() {
  const server = startCheckInServer();
  const today = new Date().toISOString().slice(0, 10);
  for (let id = 1; id <= OPERATIONS; id++) {
    const vehicle = createVehicle(id);
    server.vehicles.set(vehicle.reference, vehicle);
    const date = id <= DELIVERIES ? today : "2020-01-01";
    server.bookings.set(id, createBooking(id, date, { resources: [createUnit(id, { vehicle })] }));
  }
  return server;
}

async function slowDown(context: BrowserContext, page: Page, network = SLOW_4G): Promise<CDPSession> {
  const session = await context.newCDPSession(page);
  await session.send("Network.enable");
  await session.send("Network.emulateNetworkConditions", network);
  await session.send("Emulation.setCPUThrottlingRate", { rate: 4 });
  return session;
}

/** Records the first frame with an element by the page's own clock, because waiting from outside would slow it down. */
const NOTE_FRAME_WITH = (selector: string) => `new MutationObserver((_, watch) => {
  if (!document.querySelector(${JSON.stringify(selector)})) return;
  watch.disconnect();
  requestAnimationFrame(() => setTimeout(() => { globalThis.usableAt = performance.now(); }));
}).observe(document, { childList: true, subtree: true });`;

/** Returns the milliseconds from navigation to the first frame with a usable element. */
async function usableAfter(page: Page, address: string, selector: string): Promise<number> {
  await page.addInitScript({ content: NOTE_FRAME_WITH(selector) });
  await page.goto(address, { waitUntil: "commit" });
  for (;;) {
    await page.waitForTimeout(3000);
    const at = await page.evaluate<number | undefined>("globalThis.usableAt");
    if (at !== undefined) return at;
  }
}

async function measureStarts(context: BrowserContext, address: string): Promise<Page> {
  const page = await context.newPage();
  const session = await slowDown(context, page);
  const scripts: string[] = [];
  page.on("response", (answer) => answer.url().endsWith(".js") && scripts.push(answer.url()));
  record("first visit usable, slow 4G, CPU ÷ 4", await usableAfter(page, address, "[name=username]"), 2500, "ms");
  const loaded = scripts.filter((url) => url.includes("/assets/"));
  const bytes = await Promise.all(
    loaded.map(async (url) => gzipSync(await readFile(`${ASSETS}/${url.split("/").at(-1)}`)).length),
  );
  record("JavaScript of the first load, gzip", bytes.reduce((total, value) => total + value, 0) / 1000, 60, "kB");
  await session.send("Network.emulateNetworkConditions", {
    ...SLOW_4G,
    latency: 0,
    downloadThroughput: -1,
    uploadThroughput: -1,
  });
  await session.send("Emulation.setCPUThrottlingRate", { rate: 1 });
  await page.fill("[name=username]", "ana");
  await page.fill("[name=password]", "right");
  await page.click("button[type=submit]");
  await page.waitForSelector(".entry");
  await page.evaluate("navigator.serviceWorker.ready");
  await page.waitForTimeout(3000);
  await page.close();
  const again = await context.newPage();
  await slowDown(context, again, NO_NETWORK);
  record("repeat visit usable, no network, CPU ÷ 4", await usableAfter(again, address, ".entry"), 800, "ms");
  return again;
}

const MAX_EVENT_SCRIPT = `new Promise((resolve) => setTimeout(() => resolve(globalThis.longest ?? 0), 400))`;
const WATCH = `new PerformanceObserver((list) => {
  for (const { duration } of list.getEntries()) globalThis.longest = Math.max(globalThis.longest ?? 0, duration);
}).observe({ type: "event", durationThreshold: 16, buffered: false })`;

async function measureInteraction(page: Page): Promise<void> {
  await page.evaluate(WATCH);
  await page.click(".tabs button >> nth=1");
  await page.waitForTimeout(300);
  await page.click(".tabs button >> nth=0");
  await page.waitForTimeout(300);
  await page.type("input[type=search]", "kar", { delay: 120 });
  const maxEventMs = await page.evaluate<number>(MAX_EVENT_SCRIPT);
  record(`slowest interaction with ${DELIVERIES} deliveries, CPU ÷ 4`, maxEventMs, 200, "ms");
}

const TAKE_PHOTO = `(async () => {
  const canvas = new OffscreenCanvas(4000, 3000);
  const context = canvas.getContext("2d");
  for (let index = 0; index < 3000; index++) {
    context.fillStyle = "hsl(" + (index * 37) % 360 + " 50% 50%)";
    context.fillRect((index * 131) % 4000, (index * 71) % 3000, 90, 60);
  }
  const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.92 });
  const input = document.querySelector(".action input[type=file]");
  const files = new DataTransfer();
  files.items.add(new File([blob], "photo.jpg", { type: "image/jpeg" }));
  input.files = files.files;
  const startedAt = performance.now();
  const kept = new Promise((resolve) => {
    const look = () => (document.querySelector(".shot img") ? resolve(performance.now() - startedAt) : setTimeout(look, 5));
    look();
  });
  input.dispatchEvent(new Event("change", { bubbles: true }));
  return kept;
})()`;

const STORED_BYTES_SCRIPT = `new Promise((resolve) => {
  indexedDB.open("checkin").onsuccess = ({ target }) => {
    target.result.transaction("files").objectStore("files").getAll().onsuccess = (event) => {
      target.result.close();
      resolve(Math.max(...event.target.result.map(({ size }) => size)));
    };
  };
})`;

async function measurePhoto(page: Page, address: string): Promise<void> {
  await page.goto(`${address}#/booking/1`);
  await page.waitForSelector(".legs");
  await page.click(".action .main");
  await page.waitForSelector(".steps");
  await page.click(".steps a >> nth=2");
  await page.waitForSelector(".action input[type=file]", { state: "attached" });
  record("a 12-megapixel photo to stored and shown, CPU ÷ 4", await page.evaluate<number>(TAKE_PHOTO), 1500, "ms");
  record("what is kept of it", (await page.evaluate<number>(STORED_BYTES_SCRIPT)) / 1000, 400, "kB");
}

/** Adds finished work with two photos each to the outbox, like the screens but without five hundred interactions. */
const QUEUE = (count: number) => `(async () => {
  const db = await new Promise((resolve) => { indexedDB.open("checkin").onsuccess = ({ target }) => resolve(target.result); });
  const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  for (let id = 1; id <= ${count}; id++) {
    const files = [];
    const photos = [];
    const contents = [];
    for (let number = 0; number < 2; number++) {
      const bytes = new Uint8Array(120_000);
      crypto.getRandomValues(bytes.subarray(0, 65_536));
      const hash = hex(await crypto.subtle.digest("SHA-256", bytes));
      const key = id + "/" + hash;
      files.push({ key, booking_id: id, hash, type: "image/jpeg", size: bytes.length, arrived: false, attempted: false, tries: 0, trouble: null });
      contents.push({ key, bytes: bytes.buffer });
      photos.push({ hash, view: number ? "rear" : "front", taken_at: new Date().toISOString() });
    }
    const op_id = "01890000-0000-7000-8000-" + String(id).padStart(12, "0");
    const operation = { op_id, device_id: "bench-device", seq: id, kind: "delivery", booking_id: id, resource_id: id * 10, base_version: 1,
      recorded_at: new Date().toISOString(), vehicle_reference: "V" + String(id).padStart(4, "0"), photos };
    const item = { op_id, seq: id, booking_id: id, kind: "delivery", author: "ana", label: "Customer " + id, plate: "", operation,
      files: photos.map(({ hash }) => hash), state: "queued", reason: null, accepted: false, tries: 0, next_at: 0, trouble: null, result: null,
      queued_at: Date.now(), confirmed_at: null, layout: 2 };
    await new Promise((resolve) => {
      const transaction = db.transaction(["ops", "files", "contents"], "readwrite");
      transaction.objectStore("ops").put(item);
      for (const file of files) transaction.objectStore("files").put(file);
      for (const content of contents) transaction.objectStore("contents").put(content);
      transaction.oncomplete = resolve;
    });
  }
  db.close();
})()`;

async function measureDrain(context: BrowserContext, address: string, server: ReturnType<typeof fill>): Promise<void> {
  const page = await context.newPage();
  await page.goto(`${address}icon.svg`);
  await page.evaluate(QUEUE(OPERATIONS));
  const session = await context.newCDPSession(page);
  await session.send("Performance.enable");
  await page.addInitScript(`new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) globalThis.frozen = Math.max(globalThis.frozen ?? 0, duration);
  }).observe({ type: "longtask" })`);
  const startedAt = performance.now();
  await page.goto(`${address}#/outbox`);
  let memory = 0;
  while (server.operations.size < OPERATIONS || !(await page.textContent(".status"))?.includes("All received")) {
    const { metrics } = await session.send("Performance.getMetrics");
    memory = Math.max(memory, metrics.find(({ name }) => name === "JSHeapUsedSize")?.value ?? 0);
    if (performance.now() - startedAt > 300_000) throw new Error(`Only ${server.operations.size} arrived.`);
    await page.waitForTimeout(250);
  }
  const seconds = (performance.now() - startedAt) / 1000;
  record(`${OPERATIONS} operations and ${2 * OPERATIONS} photos confirmed`, seconds, 300, "s");
  record("largest JavaScript memory meanwhile", memory / 1e6, 150, "MB");
  record("longest freeze meanwhile", (await page.evaluate<number | undefined>("globalThis.frozen")) ?? 0, 100, "ms");
  const isAppliedOnce = [...server.applications.values()].every((times) => times === 1);
  record("operations that arrived other than once", isAppliedOnce ? OPERATIONS - server.applications.size : 1, 0, "");
}

async function bench(): Promise<number> {
  await buildPages();
  await weigh();
  const server = fill();
  const site = await startCheckInSite(server);
  const browser = await chromium.launch({ executablePath: findBrowser(), args: BROWSER_ARGUMENTS });
  const context = await browser.newContext({ viewport: { width: 390, height: 844 }, locale: "en" });
  const page = await measureStarts(context, site.address);
  await measureInteraction(page);
  await measurePhoto(page, site.address);
  await page.close();
  await measureDrain(context, site.address, server);
  await measureOfficePages(browser, record);
  await browser.close();
  await site.stop();
  const cells = rows.map(({ label, measured, budget, unit }) => [
    ...[label, `${measured} ${unit}`, `${budget} ${unit}`, measured <= budget ? "within" : "**over**"],
  ]);
  console.log(`\n${formatTable(["what", "measured", "at most", "verdict"], cells)}`);
  return rows.every(({ measured, budget }) => measured <= budget) ? 0 : 1;
}

await runTool("bench-app", bench);
