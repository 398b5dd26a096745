import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, chromium, type Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { BROWSER_ARGUMENTS, findBrowser, waitForBrowser } from "#support/browser.ts";
import { addDayWithFourCars } from "#support/check-in/check-in-fixture.ts";
import {
  createPhoto,
  drawSignature,
  expectAccessible,
  finishHandOver,
  goToNextStep,
  saveCheckInScreenshot,
  waitForExpression,
  waitUntilAllSynced,
} from "../../browser/phone.ts";
import { useCheckInDevices } from "../../browser/phones.ts";

// Number of taps needed for the work, and the in-app camera.

/** Maximum number of taps for a delivery or a collection. */
const MAX_TAPS = 20;

let folder: string;
let withCamera: Browser;
const phones = useCheckInDevices(addDayWithFourCars);
const { open, start: startPhone } = phones;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "camera-"));
  const film = join(folder, "film.y4m");
  await writeFile(film, createFilm());
  const args = [
    ...BROWSER_ARGUMENTS,
    "--use-fake-device-for-media-stream",
    `--use-file-for-fake-video-capture=${film}`,
  ];
  withCamera = await waitForBrowser(chromium.launch({ executablePath: findBrowser(), args }));
});

afterAll(async () => {
  await withCamera.close();
  await rm(folder, { recursive: true, force: true });
});

/** Creates a camera film with eight different grey frames, one per second, so that no two photos are equal. */
function createFilm(): Buffer {
  const [width, height] = [320, 240];
  const frames = Array.from({ length: 8 }, (_, index) =>
    Buffer.concat([
      Buffer.from("FRAME\n"),
      Buffer.alloc(width * height, 30 * index),
      Buffer.alloc((width * height) / 2, 128),
    ]),
  );
  return Buffer.concat([Buffer.from(`YUV4MPEG2 W${width} H${height} F4:1 Ip A1:1 C420jpeg\n`), ...frames]);
}

describe("the number of taps for a task", () => {
  /** Creates a tap function that counts. */
  function countTaps(page: Page) {
    let taps = 0;
    return {
      taps: () => taps,
      tap: async (selector: string) => {
        await page.click(selector);
        taps += 1;
      },
      sign: async () => {
        await drawSignature(page);
        taps += 1;
      },
    };
  }

  // Proves "check-in.md": T1
  test.each([
    ["hand a vehicle over", "Pickups", 3, "Complete handover", "10500"],
    ["take a vehicle back", "Returns", 4, "Complete return", "10100"],
  ] as const)(
    "requires at most 20 taps to %s, with eight photos, payment and signature",
    async (_what, tab, id, last, km) => {
      const page = await startPhone({ browser: withCamera, mayUseCamera: true });
      // The day opens with its deliveries, so switch to the returns if needed.
      if (tab === "Returns") await page.click(".tabs button >> nth=1");
      const { tap, sign, taps } = countTaps(page);
      await tap(`.entry[href$="/${id}"]`);
      await tap(".action .main");
      await waitForExpression(page, "document.activeElement?.name === 'kilometres'");
      await page.keyboard.type(km);
      await tap(".fuel .options label >> nth=8");
      await tap(".action .main");
      for (let shot = 1; shot <= 8; shot++) {
        await page.waitForSelector(`.camera header:has-text("${shot - 1} of 8")`);
        if (shot === 4) {
          await expectAccessible(page, "camera");
          await saveCheckInScreenshot(page, `camera-${tab}`);
        }
        await tap(".shutter:not(:disabled):not([aria-busy=true])");
      }
      await page.waitForSelector(".diagram");
      await tap(".action .main");
      await page.waitForSelector("h1:has-text('Extras')");
      await tap(".action .main");
      await page.waitForSelector("h1:has-text('Payment')");
      await tap(".suggestion");
      await tap(".action .main");
      await page.waitForSelector("canvas");
      await tap("button:has-text('Tick all')");
      await sign();
      await tap(".action .main");
      await tap(`.action .main:has-text("${last}")`);
      await waitUntilAllSynced(page);
      expect(taps()).toBeLessThanOrEqual(MAX_TAPS);
      const [operation] = [...phones.server.operations.values()].map((item) => item.operation);
      expect(operation?.photos?.map(({ view }) => view).toSorted()).toHaveLength(8);
      expect(new Set(operation?.photos?.map(({ view }) => view)).size).toBe(8);
      expect(operation?.signature?.method).toBe("drawn");
      expect(operation?.checks).toHaveLength(5);
      expect(operation?.charges?.length).toBeGreaterThan(0);
    },
  );

  // Proves "check-in.md": T2
  test("takes two taps to pass the device to a colleague, and hides earlier data", async () => {
    const page = await startPhone();
    const { tap, taps } = countTaps(page);
    await tap(".places a[href='#/more']");
    await tap("button:has-text('Switch user now')");
    await page.waitForSelector("[name=username]");
    expect(taps()).toBe(2);
    expect(await page.inputValue("[name=username]")).toBe("");
    expect(await page.textContent("body")).not.toContain("Ruiz");
  });
});

/** Simulates a camera with a torch. */
const SIMULATED_TORCH = `
  const { getCapabilities, applyConstraints } = MediaStreamTrack.prototype;
  MediaStreamTrack.prototype.getCapabilities = function () { return { ...getCapabilities.call(this), torch: true }; };
  MediaStreamTrack.prototype.applyConstraints = async function (wanted) {
    const [{ torch } = {}] = wanted?.advanced ?? [];
    if (torch === undefined) return applyConstraints.call(this, wanted);
    globalThis.lamp = torch;
  };
`;

describe("the camera inside the app", () => {
  const shutter = ".shutter:not(:disabled):not([aria-busy=true])";

  test("reports a camera without permission, and uses the system camera instead", async () => {
    const page = await startPhone({ browser: withCamera, colorScheme: "dark" });
    await open(page, "booking/1", ".legs");
    await goToNextStep(page);
    await page.click(".steps a >> nth=2");
    await page.click(".action button:has-text('Photograph')");
    await page.waitForSelector("[role=alert]:has-text('The camera is blocked')");
    await expectAccessible(page, "camera-denied");
    await saveCheckInScreenshot(page, "camera-denied");
    const buffer = await createPhoto(page, 1);
    await page.setInputFiles(".action input[type=file]", { name: "a.jpg", mimeType: "image/jpeg", buffer });
    await page.waitForSelector(".shot img");
  });

  // Proves "check-in.md": T24
  test("photographs the driver's documents one after the other, and stores them with the reservation", async () => {
    const page = await startPhone({ browser: withCamera, mayUseCamera: true });
    await open(page, "booking/3", ".action .main");
    await goToNextStep(page);
    await page.click(".steps a >> nth=6");
    await page.click(".documents summary");
    // Until the device has reported a camera, photos are taken with the system's app.
    await page.click(".documents button:has-text('Photograph the documents')");
    await page.waitForSelector(".camera header:has-text('Driving licence, front')");
    await expectAccessible(page, "document-camera");
    await saveCheckInScreenshot(page, "document-camera");
    for (const document of ["Driving licence, back", "Passport or identity card"]) {
      await page.click(".shutter");
      await page.waitForSelector(`.camera header:has-text('${document}')`);
    }
    await page.click(".shutter");
    await page.waitForSelector(".camera", { state: "detached" });
    await page.waitForSelector(".document-photos li:nth-child(1) img");
    await page.click("[href$='/review']");
    await page.waitForSelector(".review");
    await finishHandOver(page);
    await waitUntilAllSynced(page);
    const [work] = [...phones.server.operations.values()];
    expect(work?.operation.photos?.filter(({ view }) => view === "document")).toHaveLength(3);
  });

  // Proves "check-in.md": P8
  test("overlays the hand-over photo on the camera at the return, and switches the light on", async () => {
    const page = await startPhone({
      browser: withCamera,
      mayUseCamera: true,
      prepare: (opened) => opened.addInitScript(SIMULATED_TORCH),
    });
    await open(page, "booking/1", ".legs");
    await goToNextStep(page);
    await page.click(".steps a >> nth=2");
    await page.click(shutter);
    await page.waitForSelector(".camera header:has-text('1 of 8')");
    await page.click("[aria-label='Close the camera']");
    await page.click("[href$='/review']");
    await finishHandOver(page);
    await waitUntilAllSynced(page);
    await open(page, "day", ".tabs");
    await open(page, "booking/1", ".action .main:has-text('Start return')");
    await goToNextStep(page);
    await page.click(".steps a >> nth=1");
    await page.waitForSelector(".camera .before img");
    await saveCheckInScreenshot(page, "camera-compared");
    await page.click(".camera button:has-text('Earlier photo')");
    await page.waitForSelector(".camera .ghost");
    await page.click(".camera [aria-label='Light']");
    await waitForExpression(page, "globalThis.lamp === true");
  });

  // Proves "check-in.md": P7
  test("resumes an interrupted series of photos, and replaces a side's photo if it is taken again", async () => {
    const page = await startPhone({ browser: withCamera, mayUseCamera: true });
    await open(page, "booking/1", ".legs");
    await goToNextStep(page);
    await page.click(".steps a >> nth=2");
    await page.click(shutter);
    await page.waitForSelector(".camera header:has-text('1 of 8')");
    await page.click(".retake[aria-label='Retake: Front']");
    await page.click(shutter);
    await page.waitForSelector(".camera header:has-text('Front left')");
    await page.click("[aria-label='Close the camera']");
    await page.waitForSelector(".lead:has-text('1 of 8')");
    expect(await page.locator(".shot .caption:has-text('Front · 2')").count()).toBe(0);
    await page.click(".action .main");
    await page.waitForSelector(".camera header:has-text('Front left')");
  });
});
