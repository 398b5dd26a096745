import { expect, test } from "vitest";
import { withFourCars } from "#support/check-in/four-cars.ts";
import { aPhoto, expectAccessible, next, screenshot } from "../../browser/phone.ts";
import { usePhones } from "../../browser/phones.ts";

// What the app says where the phone keeps nothing, or where a part of it has not come.

const phones = usePhones(withFourCars);
const { open } = phones;

test.each(["refuses its database", "refuses all that a page keeps"])(
  "a phone that %s says so, and what to do, in place of an empty page",
  async (what) => {
    const refusal = `IDBFactory.prototype.open = () => { throw new DOMException("no", "SecurityError"); };`;
    const more = `Object.defineProperty(window, "localStorage", { get() { throw new DOMException("no", "SecurityError"); } });`;
    const content = what.includes("all") ? refusal + more : refusal;
    const page = await phones.visit((visitor) => visitor.addInitScript({ content }));
    await page.waitForSelector("[role=alert] h2");
    expect(await page.textContent("[role=alert]")).toContain("private window");
    expect(await page.textContent(".action button")).toContain("Try again");
    await expectAccessible(page, "unusable");
    await screenshot(page, "unusable");
  },
);

test("a screen whose part the network took with it says so, and comes when there is one again", async () => {
  const part = "**/assets/more-*.js";
  const page = await phones.start({ prepare: (page) => page.context().route(part, (route) => route.abort()) });
  await open(page, "more", "[role=alert]:has-text('comes with the next network')");
  await expectAccessible(page, "part-missing");
  await screenshot(page, "part-missing");
  await page.click("[role=alert] button");
  await page.waitForSelector("[role=alert]:has-text('comes with the next network')");
  await page.context().unroute(part);
  await page.click("[role=alert] button");
  await page.waitForSelector("[name=pin]");
});

test.each([
  ["the pad", "signature-paper"],
  ["what writes the contract", "contract"],
])("a signature without %s says so in its place, and can be given when it has come", async (_what, part) => {
  const [missing, file] = ["[role=alert]:has-text('comes with the next network')", `**/assets/${part}-*.js`];
  const page = await phones.start({ prepare: (page) => page.context().route(file, (route) => route.abort()) });
  await open(page, "booking/1", ".legs");
  await next(page);
  await page.click(".steps a >> nth=6");
  await page.waitForSelector(missing);
  expect(await page.isVisible("canvas")).toBe(false);
  await page.context().unroute(file);
  await page.click("[role=alert] button");
  await page.waitForSelector("canvas");
  expect(await page.isVisible(missing)).toBe(false);
});

test("a photo that cannot be made smaller, as that part is not here yet, says so and leaves its button alive", async () => {
  const part = "**/assets/compress-*.js";
  const page = await phones.start({ prepare: (page) => page.context().route(part, (route) => route.abort()) });
  await open(page, "booking/1", ".legs");
  await next(page);
  await page.click(".steps a >> nth=2");
  await page.waitForSelector(".shots");
  const take = async () => {
    const buffer = await aPhoto(page, 1);
    await page.setInputFiles(".action input[type=file]", { name: "photo.jpg", mimeType: "image/jpeg", buffer });
  };
  await take();
  await page.waitForSelector("[role=alert]:has-text('comes with the next network')");
  await page.context().unroute(part);
  await take();
  await page.waitForSelector(".shot img");
});
