import type { Page } from "playwright-core";
import { expect, test } from "vitest";
import { en } from "../../../pwa/widget/src/texts/en.ts";
import { fillPlaceholders } from "../../../pwa/widget/src/texts.ts";
import { startPartnerWebsite } from "../../browser/partner-website.ts";

const { open } = startPartnerWebsite({ width: 390 });
const COUNT = 3;
const PHOTO = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" width="60" height="40"/>')}`;

/** Adds several photos to every listed vehicle, as the page reads the list. */
async function addPhotos(page: Page): Promise<void> {
  const photos = Array.from({ length: COUNT }, (_, n) => ({ photo_path: `${PHOTO}#${n}`, full_photo_path: null }));
  await page.addInitScript(`const request = globalThis.fetch;
    globalThis.fetch = async (...sent) => {
      const response = await request(...sent);
      if (!/shopping-cart(\\?|$)/.test(response.url)) return response;
      const body = await response.json();
      const products = body.products?.map((product) => ({ ...product, photos: ${JSON.stringify(photos)} }));
      return new Response(JSON.stringify({ ...body, products }), response);
    };`);
  await page.reload();
}

test("shows the next photo of a vehicle after a swipe, the previous one after a swipe back, and none while scrolling", async () => {
  const page = await open("lang=en");
  await addPhotos(page);
  const session = await page.context().newCDPSession(page);
  await session.send("Emulation.setTouchEmulationEnabled", { enabled: true });
  await page.click("button[type=submit]");
  const photos = page.locator(".photos").first();
  await photos.waitFor();
  const pressed = photos.locator("[aria-pressed=true]");
  const expectPhoto = (n: number) =>
    expect.poll(() => pressed.getAttribute("aria-label")).toBe(fillPlaceholders(en.photoOf, { n, count: COUNT }));
  const swipe = async (byX: number, byY: number) => {
    const box = await photos.locator("img").first().boundingBox();
    if (!box) throw new Error("The photo isn't visible");
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
    const touch = (type: "touchStart" | "touchMove", part: number) =>
      session.send("Input.dispatchTouchEvent", { type, touchPoints: [{ x: x + byX * part, y: y + byY * part }] });
    await touch("touchStart", 0);
    await touch("touchMove", 0.5);
    await touch("touchMove", 1);
    await session.send("Input.dispatchTouchEvent", { type: "touchEnd", touchPoints: [] });
  };
  await expectPhoto(1);
  await swipe(-60, 5);
  await expectPhoto(2);
  await swipe(60, -5);
  await expectPhoto(1);
  // From the first photo to the last.
  await swipe(60, 0);
  await expectPhoto(COUNT);
  // Less than a swipe, and a drag that is more vertical than horizontal.
  await swipe(-25, 0);
  await swipe(-45, 90);
  await expectPhoto(COUNT);
  await photos.locator("button").first().click();
  await expectPhoto(1);
  await page.close();
});
