import { type ChildProcess, spawn } from "node:child_process";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { expect } from "vitest";
import { BROWSER_ARGUMENTS, findBrowser, waitForBrowser } from "#support/browser.ts";
import { getOverflowWidth, listAxeFaults, saveScreenshot } from "./page-checks.ts";

export const PHONE_VIEWPORT = { width: 390, height: 844 };

interface RunningBrowser {
  readonly process: ChildProcess;
  readonly context: BrowserContext;
  readonly page: Page;
}

/** Starts a browser with its own profile as a process that can be killed like a device that loses power. */
export async function openBrowserWithProfile(profile: string): Promise<RunningBrowser> {
  const flags = [...BROWSER_ARGUMENTS, "--headless", "--remote-debugging-port=0", `--user-data-dir=${profile}`];
  const process = spawn(findBrowser(), [...flags, "about:blank"], {
    detached: true,
    stdio: ["ignore", "ignore", "pipe"],
  });
  const address = await new Promise<string>((resolve, reject) => {
    let lastStatus = "";
    process.stderr?.on("data", (chunk: Buffer) => {
      lastStatus += chunk.toString();
      const match = /DevTools listening on (ws:\S+)/.exec(lastStatus);
      if (match?.[1]) resolve(match[1]);
    });
    process.once("exit", () => reject(new Error(`Chromium ended: ${lastStatus.slice(-500)}`)));
  });
  const browser: Browser = await waitForBrowser(chromium.connectOverCDP(address));
  const context = browser.contexts()[0] ?? (await browser.newContext());
  const page = context.pages()[0] ?? (await context.newPage());
  await page.setViewportSize(PHONE_VIEWPORT);
  return { process, context, page };
}

/** Kills the browser and its children, as when a device loses power. */
export async function killBrowser({ process: browser }: RunningBrowser): Promise<void> {
  const ended = new Promise((resolve) => browser.once("exit", resolve));
  if (browser.pid !== undefined) process.kill(-browser.pid, "SIGKILL");
  await ended;
}

export async function signIn(page: Page, username: string, password = "right"): Promise<void> {
  await page.waitForSelector("[name=username]");
  await page.fill("[name=username]", username);
  await page.fill("[name=password]", password);
  await page.click("button[type=submit]");
  await page.waitForSelector(".entries, .empty");
}

/** Waits until the service worker has cached the app for offline start. */
export async function waitUntilInstalled(page: Page): Promise<void> {
  await waitForExpression(
    page,
    "navigator.serviceWorker.ready.then(() => navigator.serviceWorker.controller !== null)",
  );
}

/** Creates a photo with unique colours, as a camera would. */
export async function createPhoto(page: Page, number: number, width = 1600, height = 1200): Promise<Buffer> {
  const base64 = await page.evaluate<string>(`(async () => {
    const canvas = new OffscreenCanvas(${width}, ${height});
    const context = canvas.getContext("2d");
    for (let index = 0; index < 40; index++) {
      context.fillStyle = "hsl(" + (${number} * 47 + index * 9) + " 40% " + (30 + index) + "%)";
      context.fillRect((index % 8) * ${width / 8}, Math.floor(index / 8) * ${height / 5}, ${width / 8}, ${height / 5});
    }
    const blob = await canvas.convertToBlob({ type: "image/jpeg", quality: 0.9 });
    const reader = new FileReader();
    return new Promise((resolve) => {
      reader.onload = () => resolve(reader.result.split(",")[1]);
      reader.readAsDataURL(blob);
    });
  })()`);
  return Buffer.from(base64, "base64");
}

/**
 * Creates a script that checks for drafts saved since an instant. They're encrypted, so only the time of the last
 * change is readable.
 */
export const createRecentDraftCheckScript = (moment: number): string => `new Promise((resolve) => {
  indexedDB.open("checkin").onsuccess = ({ target }) => {
    target.result.transaction("drafts").objectStore("drafts").getAll().onsuccess = (event) => {
      target.result.close();
      resolve(event.target.result.some((draft) => draft.updated_at >= ${moment}));
    };
  };
})`;

/** Polls an expression from outside, because the page's policy forbids evaluating text. */
export async function waitForExpression(page: Page, expression: string): Promise<void> {
  await expect.poll(() => page.evaluate<boolean>(expression)).toBe(true);
}

export const readStatus = (page: Page) => page.textContent(".status span");

/** Waits until the outbox reports everything as received. */
export async function waitUntilAllSynced(page: Page): Promise<void> {
  const readScreenText = async () => {
    const status = (await readStatus(page)) ?? "";
    // If an item needs attention, add the screen's text, which contains the reason.
    return status.includes("action") ? `${status}: ${await page.textContent("body")}` : status;
  };
  await expect.poll(readScreenText).toContain("All synced");
}

export async function goToNextStep(page: Page): Promise<void> {
  await page.click(".action button.main");
}

/** Finishes the work at the review step, with confirmation of an open balance. */
export async function finishHandOver(page: Page): Promise<void> {
  await page.waitForSelector(".review");
  const confirmation = page.locator("[name=money-confirmed]");
  if (await confirmation.isVisible()) await confirmation.check();
  await goToNextStep(page);
}

/** Takes the eight photos with the main action. */
export async function takePhotos(page: Page, count = 8, from = 0): Promise<void> {
  for (let number = 0; number < count; number++) {
    const buffer = await createPhoto(page, from + number);
    await page.setInputFiles(".action input[type=file]", { name: "photo.jpg", mimeType: "image/jpeg", buffer });
    await waitForExpression(page, `document.querySelectorAll(".shot img").length >= ${number + 1}`);
  }
}

export async function drawSignature(page: Page): Promise<void> {
  const canvas = page.locator("canvas");
  await canvas.scrollIntoViewIfNeeded();
  // The pad loads on first use.
  await waitForExpression(page, "document.querySelector('canvas').style.touchAction === 'none'");
  const box = await canvas.boundingBox();
  if (!box) throw new Error("There is no signature pad.");
  await page.mouse.move(box.x + 40, box.y + 90);
  await page.mouse.down();
  for (let step = 1; step < 20; step++) await page.mouse.move(box.x + 40 + step * 11, box.y + 90 + Math.sin(step) * 40);
  await page.mouse.up();
  // Until the signature is saved, the button continues without it.
  await page.waitForSelector(".action .main:text-is('Continue')");
}

export interface HandOver {
  readonly kilometres: string;
  readonly photos?: number;
  readonly onStep?: (name: string) => Promise<void>;
}

/** Performs all steps from the booking to the outbox. */
export async function completeHandOver(
  page: Page,
  { kilometres, photos = 8, onStep = async () => undefined }: HandOver,
): Promise<void> {
  await goToNextStep(page);
  await page.waitForSelector(".steps");
  if (await page.isVisible("[aria-current=step]:has-text('Vehicle')")) {
    await page.waitForSelector("button.entry, .chosen");
    // Choose another vehicle if the assigned one is still out.
    const hasWarning = (await page.textContent(".action .main"))?.includes("anyway") ?? false;
    if (hasWarning || (await page.isDisabled(".action .main"))) {
      const isOut = await page.isVisible(".chosen:has-text('On rent')");
      await page.click("button.entry >> nth=0");
      // If all vehicles of the category are out, the first one is of another category and must be confirmed.
      const confirmation = page.locator("[role=alertdialog] button:has-text('anyway')");
      if (isOut && (await confirmation.isVisible())) await confirmation.click();
    }
    await onStep("vehicle");
    await goToNextStep(page);
  }
  await page.fill("[name=kilometres]", kilometres);
  await page.click(".fuel .options label >> nth=7");
  await onStep("readings");
  const confirmation = page.locator("[name=readings-confirmed]");
  if (await confirmation.isVisible()) await confirmation.check();
  await goToNextStep(page);
  await page.waitForSelector(".shots");
  await takePhotos(page, photos);
  await onStep("photos");
  await page.locator(".action button").last().click();
  await page.waitForSelector(".diagram");
  await page.click(".diagram [role=button] >> nth=8");
  await page.waitForSelector("[name=damage-kind]", { state: "attached" });
  await onStep("damage-form");
  await goToNextStep(page);
  await page.waitForSelector(".diagram");
  await onStep("damage");
  await goToNextStep(page);
  await page.waitForSelector("h1:has-text('Extras')");
  await onStep("extras");
  await goToNextStep(page);
  await page.waitForSelector("h1:has-text('Payment')");
  // Records the full amount due with one tap, if any.
  await page.waitForSelector(".card .amounts");
  if (await page.locator(".suggestion").count()) await page.click(".suggestion >> nth=0");
  await onStep("money");
  await goToNextStep(page);
  await page.waitForSelector("canvas");
  await page.click(".checks label >> nth=0");
  await drawSignature(page);
  await onStep("sign");
  await goToNextStep(page);
  await page.waitForSelector(".review");
  await onStep("review");
  await finishHandOver(page);
  await page.waitForSelector(".item");
}

/** Expects no axe violations and nothing wider than the device. */
export async function expectAccessible(page: Page, name: string): Promise<void> {
  expect(await listAxeFaults(page, { "color-contrast-enhanced": { enabled: true } }), name).toEqual([]);
  expect(await getOverflowWidth(page), name).toBeLessThanOrEqual(0);
  expect(await page.evaluate<string[]>(SMALL_TARGETS), name).toEqual([]);
}

/** Lists touch targets smaller than 48 pixels in width or height. */
const SMALL_TARGETS = `[...document.querySelectorAll("button, a[href], summary, select, textarea, input:not([type=checkbox], [type=radio], [type=file]), .options label, .checks label")]
  .map((one) => [one.outerHTML.slice(0, 100), one.getBoundingClientRect()])
  .filter(([, { width, height }]) => height > 0 && (height < 47.5 || width < 47.5))
  .map(([html, { width, height }]) => html + " " + Math.round(width) + " × " + Math.round(height))`;

/** Saves a screenshot of the app, see `picture`. */
export const saveCheckInScreenshot = (page: Page, name: string) => saveScreenshot(page, `check-in/${name}`);
