import { expect, test } from "vitest";
import { addDayWithFourCars } from "#support/check-in/check-in-fixture.ts";
import { createPhoto, expectAccessible, goToNextStep, saveCheckInScreenshot } from "../../browser/phone.ts";
import { useCheckInDevices } from "../../browser/phones.ts";

// Notices if the device can't store data or a part isn't loaded.

const phones = useCheckInDevices(addDayWithFourCars);
const { open } = phones;

// Proves "check-in.md": 12j
test.each(["refuses its database", "refuses all storage"])(
  "shows an error with instructions instead of an empty page on a device that %s",
  async (storageFault) => {
    const refusal = `IDBFactory.prototype.open = () => { throw new DOMException("no", "SecurityError"); };`;
    const more = `Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } });`;
    const content = storageFault.includes("all") ? refusal + more : refusal;
    const page = await phones.visit((visitor) => visitor.addInitScript({ content }));
    await page.waitForSelector("[role=alert] h2");
    expect(await page.textContent("[role=alert]")).toContain("private mode");
    expect(await page.textContent(".action button")).toContain("Try again");
    await expectAccessible(page, "unusable");
    await saveCheckInScreenshot(page, "unusable");
  },
);

// Proves "check-in.md": 28c
test("shows an error if a part of the app isn't downloaded yet, and loads the part once online", async () => {
  const part = "**/assets/more-*.js";
  const page = await phones.start({ prepare: (page) => page.context().route(part, (route) => route.abort()) });
  await open(page, "more", "[role=alert]:has-text('downloads when you')");
  await expectAccessible(page, "part-missing");
  await saveCheckInScreenshot(page, "part-missing");
  await page.click("[role=alert] button");
  await page.waitForSelector("[role=alert]:has-text('downloads when you')");
  await page.context().unroute(part);
  await page.click("[role=alert] button");
  await page.waitForSelector("[name=pin]");
});

// Proves "check-in.md": 28d
test.each([
  ["the signature pad's code", "signature-input"],
  ["the contract's code", "contract"],
])("shows a notice instead of the signature without %s, and accepts it once loaded", async (_what, part) => {
  const [missing, file] = ["[role=alert]:has-text('downloads when you')", `**/assets/${part}-*.js`];
  const page = await phones.start({ prepare: (page) => page.context().route(file, (route) => route.abort()) });
  await open(page, "booking/1", ".legs");
  await goToNextStep(page);
  await page.click(".steps a >> nth=6");
  await page.waitForSelector(missing);
  expect(await page.isVisible("canvas")).toBe(false);
  await page.context().unroute(file);
  await page.click("[role=alert] button");
  await page.waitForSelector("canvas");
  expect(await page.isVisible(missing)).toBe(false);
});

// Proves "check-in.md": 28e
test("reports a photo that can't be shrunk because that part isn't downloaded, and lets the user try again", async () => {
  const part = "**/assets/compress-*.js";
  const page = await phones.start({ prepare: (page) => page.context().route(part, (route) => route.abort()) });
  await open(page, "booking/1", ".legs");
  await goToNextStep(page);
  await page.click(".steps a >> nth=2");
  await page.waitForSelector(".shots");
  const take = async () => {
    const buffer = await createPhoto(page, 1);
    await page.setInputFiles(".action input[type=file]", { name: "photo.jpg", mimeType: "image/jpeg", buffer });
  };
  await take();
  await page.waitForSelector("[role=alert]:has-text('camera part isn')");
  await page.context().unroute(part);
  await take();
  await page.waitForSelector(".shot img");
});
