import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Browser, type BrowserContext, chromium, type Page } from "playwright-core";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { prepareZXingModule, writeBarcode } from "zxing-wasm/writer";
import { BROWSER_ARGUMENTS, closePages, findBrowser, openBrowser, waitForBrowser } from "#support/browser.ts";
import { createBooking, createUnit, createVehicle } from "#support/check-in/day.ts";
import { type CheckInServer, startCheckInServer } from "#support/check-in/server.ts";
import { startCheckInSite } from "#support/check-in-site.ts";
import { getTodayAtCompany } from "#support/company-today.ts";
import {
  expectAccessible,
  goToNextStep,
  PHONE_VIEWPORT,
  saveCheckInScreenshot,
  signIn,
  waitUntilInstalled,
} from "../../browser/phone.ts";

// Finds a vehicle by the code on its key ring, with the live camera or a photo, and with the system's reader or the
// app's own.

let server: CheckInServer;
let site: Awaited<ReturnType<typeof startCheckInSite>>;
let folder: string;
let withCamera: Browser;
let withoutCamera: Browser;
const contexts: BrowserContext[] = [];

beforeAll(async () => {
  const wasmBinary = await readFile("node_modules/zxing-wasm/dist/writer/zxing_writer.wasm");
  prepareZXingModule({ overrides: { wasmBinary: Uint8Array.from(wasmBinary).buffer } });
  folder = await mkdtemp(join(tmpdir(), "camera-"));
  withoutCamera = await openBrowser();
  const film = join(folder, "film.y4m");
  await writeFile(film, await createFilm(await createBarcodeImage("https://acme.test/v/car-3", "QRCode")));
  const camera = ["--use-fake-device-for-media-stream", `--use-file-for-fake-video-capture=${film}`];
  withCamera = await waitForBrowser(
    chromium.launch({ executablePath: findBrowser(), args: [...BROWSER_ARGUMENTS, ...camera] }),
  );
  server = startCheckInServer();
  const today = getTodayAtCompany();
  for (let id = 1; id <= 4; id++) {
    const vehicle = createVehicle(id, { category_code: "ECON" });
    server.vehicles.set(vehicle.reference, vehicle);
    server.bookings.set(id, createBooking(id, today, { resources: [createUnit(id)] }));
  }
  site = await startCheckInSite(server);
});

afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()));
});

afterAll(async () => {
  await Promise.all([withCamera.close(), closePages(withoutCamera)]);
  await site.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Creates a picture of a code. */
async function createBarcodeImage(text: string, format: "QRCode" | "Code128"): Promise<Buffer> {
  const { image, error } = await writeBarcode(text, { format, scale: 8 });
  if (!image) throw new Error(error);
  return Buffer.from(await image.arrayBuffer());
}

/** Creates a fake camera film with two grey frames of a picture. */
async function createFilm(picture: Buffer): Promise<Buffer> {
  const [width, height] = [640, 480];
  const page = await withoutCamera.newPage();
  const grey = await page.evaluate<number[]>(`(async () => {
    const image = await createImageBitmap(await (await fetch("data:image/png;base64,${picture.toString("base64")}")).blob());
    const context = new OffscreenCanvas(${width}, ${height}).getContext("2d");
    context.fillStyle = "white";
    context.fillRect(0, 0, ${width}, ${height});
    context.drawImage(image, 170, 90, 300, 300);
    const { data } = context.getImageData(0, 0, ${width}, ${height});
    return Array.from({ length: ${width * height} }, (_, index) => data[index * 4]);
  })()`);
  await page.close();
  const frame = Buffer.concat([Buffer.from("FRAME\n"), Buffer.from(grey), Buffer.alloc((width * height) / 2, 128)]);
  return Buffer.concat([Buffer.from(`YUV4MPEG2 W${width} H${height} F10:1 Ip A1:1 C420jpeg\n`), frame, frame]);
}

interface PageOptions {
  readonly browser?: Browser;
  readonly mayUseCamera?: boolean;
  readonly colorScheme?: "light" | "dark";
  readonly prepare?: string;
  readonly locale?: string;
  readonly width?: number;
}

/** Opens a device at the vehicle step. */
async function atTheVehicle({
  browser = withCamera,
  mayUseCamera = true,
  colorScheme = "light",
  prepare,
  locale = "en",
  width = PHONE_VIEWPORT.width,
}: PageOptions = {}): Promise<Page> {
  const viewport = { ...PHONE_VIEWPORT, width };
  const context = await browser.newContext({ viewport, locale, reducedMotion: "reduce", colorScheme });
  contexts.push(context);
  if (mayUseCamera) await context.grantPermissions(["camera"]);
  const page = await context.newPage();
  if (prepare) await page.addInitScript(prepare);
  await page.goto(site.address);
  await signIn(page, "ana");
  await waitUntilInstalled(page);
  await expect.poll(() => server.requests.some(({ path }) => path.includes("booking-items-search"))).toBe(true);
  await page.goto(`${site.address}#/booking/1`);
  await page.waitForSelector(".legs");
  await goToNextStep(page);
  await page.waitForSelector("button.entry");
  return page;
}

const openScanner = (page: Page) => page.click("button.scan");
const readPhoto = (page: Page, buffer: Buffer) =>
  page.setInputFiles(".scanner input[type=file]", { name: "code.png", mimeType: "image/png", buffer });

const DENIED = `navigator.mediaDevices.getUserMedia = async () => {
  throw new DOMException("no", "NotAllowedError");
};`;
const BUSY = `navigator.mediaDevices.getUserMedia = async () => {
  throw new DOMException("busy", "NotReadableError");
};`;

describe("the live camera", () => {
  // Proves "check-in.md": S1
  test("finds and selects the vehicle of a QR code, and releases the camera", async () => {
    const page = await atTheVehicle({
      prepare: `{
        const open = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
        globalThis.tracks = [];
        navigator.mediaDevices.getUserMedia = async (wanted) => {
          const stream = await open(wanted);
          tracks.push(...stream.getTracks());
          return stream;
        };
      }`,
    });
    await openScanner(page);
    await page.waitForSelector(".chosen:has-text('1003 KLM')");
    expect(await page.inputValue("input[type=search]")).toBe("CAR3");
    await page.waitForSelector("[role=status]:has-text('Read: CAR3')");
    expect(await page.isVisible(".scanner")).toBe(false);
    expect(await page.isVisible("text=No results")).toBe(false);
    expect(await page.evaluate("tracks.map(({ readyState }) => readyState)")).toEqual(["ended"]);
    expect(await page.evaluate("document.activeElement.textContent")).toBe("Scan");
    await saveCheckInScreenshot(page, "scan-found");
    expect(await page.textContent(".action .main")).toBe("Use 1003 KLM");
  });

  test("closes the code scanner with the Escape key and with its button", async () => {
    const page = await atTheVehicle({ prepare: "globalThis.BarcodeDetector = undefined;" });
    // Without video, the scanner continues scanning.
    await page.evaluate("HTMLVideoElement.prototype.play = async () => undefined");
    for (const close of [() => page.keyboard.press("Escape"), () => page.click(".scanner .round")]) {
      await page.evaluate(
        "navigator.mediaDevices.getUserMedia = async () => (globalThis.stream = new OffscreenCanvas(9, 9), new MediaStream())",
      );
      await openScanner(page);
      await page.waitForSelector(".scanner [role=status]:has-text('Hold the camera')");
      await close();
      await page.waitForSelector(".scanner", { state: "detached" });
      expect(await page.evaluate("document.activeElement.textContent")).toBe("Scan");
    }
  });

  // Proves "check-in.md": S4
  test.each(["light", "dark"] as const)(
    "shows in the scanner whether the camera is blocked, missing or ready, in the %s theme",
    async (colorScheme) => {
      const denied = await atTheVehicle({ colorScheme, prepare: DENIED });
      await openScanner(denied);
      await denied.waitForSelector(".scanner .note:has-text('Camera access is blocked')");
      await expectAccessible(denied, "scan-denied");
      await saveCheckInScreenshot(denied, `${colorScheme}-scan-denied`);
      const busy = await atTheVehicle({ colorScheme, prepare: BUSY });
      await openScanner(busy);
      await busy.waitForSelector(".scanner .note:has-text('offers no camera just now')");
      await expectAccessible(busy, "scan-no-camera");
      const looking = await atTheVehicle({
        colorScheme,
        prepare:
          "globalThis.BarcodeDetector = class { static getSupportedFormats = async () => ['qr_code']; detect = async () => []; };",
      });
      await openScanner(looking);
      await looking.waitForSelector(".scanner [role=status]:has-text('Hold the camera')");
      await expectAccessible(looking, "scan-live");
      await saveCheckInScreenshot(looking, `${colorScheme}-scan-live`);
    },
  );
});

test.each(["es", "ca", "de"])(
  "fits the code scanner's page on the narrowest phone in the language %s",
  async (locale) => {
    const page = await atTheVehicle({ locale, width: 320, prepare: DENIED });
    await openScanner(page);
    await page.waitForSelector(".scanner .note");
    const tooWide = await page.evaluate<number>("document.documentElement.scrollWidth - innerWidth");
    expect(tooWide).toBeLessThanOrEqual(0);
    await saveCheckInScreenshot(page, `narrow-${locale}-scan`);
  },
);

describe("a photo", () => {
  // Proves "check-in.md": S2
  test("finds a vehicle by a photo of a barcode, and reports a photo without a code", async () => {
    const page = await atTheVehicle({ prepare: DENIED });
    await openScanner(page);
    await readPhoto(page, await createBlankPhoto(page));
    await page.waitForSelector(".scanner .note:has-text('No code was found')");
    await expectAccessible(page, "scan-nothing");
    await readPhoto(page, Buffer.from("no picture at all"));
    await page.waitForSelector(".scanner .note:has-text('No code was found')");
    await readPhoto(page, await createBarcodeImage("1002-klm", "Code128"));
    await page.waitForSelector(".chosen:has-text('1002 KLM')");
    expect(await page.inputValue("input[type=search]")).toBe("1002KLM");
  });

  // Proves "check-in.md": S3
  test("selects no vehicle if several or none match a scanned code, and lets the user choose", async () => {
    const page = await atTheVehicle({ prepare: DENIED });
    await openScanner(page);
    await readPhoto(page, await createBarcodeImage("KLM", "QRCode"));
    await expect.poll(() => page.inputValue("input[type=search]")).toBe("KLM");
    expect(await page.locator("button.entry").count()).toBe(4);
    expect(await page.isVisible(".chosen")).toBe(false);
    await openScanner(page);
    await readPhoto(page, await createBarcodeImage("https://acme.test/9999-ZZZ", "QRCode"));
    await expect.poll(() => page.inputValue("input[type=search]")).toBe("9999ZZZ");
    await page.waitForSelector("text=No results");
    expect(await page.isVisible(".chosen")).toBe(false);
  });
});

describe("the app's own code reader", () => {
  const isReader = (url: string) => /ponyfill-|\.wasm/.test(url);

  // Proves "check-in.md": S6
  test("loads the app's own code reader at the first scan, and uses it offline from then on", async () => {
    const page = await atTheVehicle({ prepare: DENIED });
    const loaded: string[] = [];
    page.context().on("request", (request) => isReader(request.url()) && loaded.push(request.url()));
    expect(await readStoredFiles(page)).toEqual([]);
    // The reader isn't stored before its first use. Offline, the scanner then reports that it's missing.
    await page.context().setOffline(true);
    await site.stop();
    await openScanner(page);
    await readPhoto(page, await createBarcodeImage("V0002", "QRCode"));
    await page.waitForSelector(".scanner .note:has-text('downloaded yet')");
    await saveCheckInScreenshot(page, "scan-missing");
    await site.start();
    await page.context().setOffline(false);
    await readPhoto(page, await createBarcodeImage("V0002", "QRCode"));
    await page.waitForSelector(".chosen:has-text('1002 KLM')");
    expect(loaded.length).toBeGreaterThan(0);
    await expect.poll(async () => (await readStoredFiles(page)).length).toBe(2);
    await page.context().setOffline(true);
    await site.stop();
    await page.reload();
    await page.waitForSelector(".chosen");
    await openScanner(page);
    await readPhoto(page, await createBarcodeImage("V0004", "QRCode"));
    await page.waitForSelector(".chosen:has-text('1004 KLM')");
    await site.start();
  });

  // Proves "check-in.md": S7
  test("doesn't load the app's code reader on a device with a built-in one", async () => {
    const page = await atTheVehicle({
      prepare: `${DENIED} globalThis.BarcodeDetector = class {
        static getSupportedFormats = async () => ["qr_code", "aztec"];
        constructor({ formats }) { globalThis.formats = formats; }
        detect = async () => [{ rawValue: "V0003" }];
      };`,
    });
    const loaded: string[] = [];
    page.context().on("request", (request) => isReader(request.url()) && loaded.push(request.url()));
    await openScanner(page);
    await readPhoto(page, await createBlankPhoto(page));
    await page.waitForSelector(".chosen:has-text('1003 KLM')");
    expect(await page.evaluate("formats")).toEqual(["qr_code"]);
    expect(loaded).toEqual([]);
  });
});

// Proves "check-in.md": S5
test("hides the scan button on a device without a camera", async () => {
  const page = await atTheVehicle({ browser: withoutCamera, mayUseCamera: false });
  await page.waitForSelector("input[type=search]");
  expect(await page.evaluate("navigator.mediaDevices.enumerateDevices().then((all) => all.length)")).toBe(0);
  expect(await page.isVisible("button:has-text('Scan')")).toBe(false);
});

/** Lists the files that the service worker cached in addition to the first load. */
const readStoredFiles = (page: Page) =>
  page.evaluate<string[]>(
    "caches.open('when-used').then((cache) => cache.keys()).then((all) => all.map(({ url }) => url))",
  );

async function createBlankPhoto(page: Page): Promise<Buffer> {
  const base64 = await page.evaluate<string>(`(async () => {
    const canvas = new OffscreenCanvas(800, 600);
    canvas.getContext("2d").fillRect(100, 100, 300, 200);
    const bytes = new Uint8Array(await (await canvas.convertToBlob({ type: "image/png" })).arrayBuffer());
    return btoa(String.fromCharCode(...bytes));
  })()`);
  return Buffer.from(base64, "base64");
}
