import type { Page } from "playwright-core";
import { beforeAll, describe, expect, test } from "vitest";
import { getDateInDays, type Office, useOffice } from "../../browser/office-page.ts";
import { getOverflowWidth } from "../../browser/page-checks.ts";

const NAME = "Wolfeschlegelsteinhausenbergerdorffinger";
const NOTE = `https://example.com/${"abcdefghij".repeat(20)}`;

let office: Office;
let page: Page;
let token: string;
useOffice((opened) => ({ office, page, token } = opened));

interface Cart {
  readonly shopping_cart: { readonly free_access_id: string };
  readonly products: readonly { readonly code: string; readonly availability: boolean }[];
}

// As a website sends it.
async function book(): Promise<string> {
  const engine = "/api/booking/frontend/shopping-cart";
  const period = { date_from: getDateInDays(160), time_from: "10:00", date_to: getDateInDays(164), time_to: "10:00" };
  const createdCart = await office.ask("POST", `${engine}?include_products=true`, {
    body: { ...period, pickup_place: "1" },
  });
  const { shopping_cart: cart, products } = createdCart.body as Cart;
  const product = products.find(({ availability }) => availability)?.code;
  await office.ask("POST", `${engine}/${cart.free_access_id}/set-product`, { body: { product, quantity: 1 } });
  const customer = { customer_name: "Ana", customer_surname: NAME, customer_email: "ana@example.com", comments: NOTE };
  const placed = await office.ask("POST", `${engine}/${cart.free_access_id}/checkout`, {
    body: { ...customer, confirm_customer_email: "ana@example.com", payment: "none", customer_language: "de" },
  });
  return (placed.body as { readonly free_access_id: string }).free_access_id;
}

describe("a visitor whose name and note are one long word each", () => {
  let freeAccessId: string;
  beforeAll(async () => {
    freeAccessId = await book();
  });

  test("keeps a name and note of one long word within the office's screen", async () => {
    const matchingReservations = await office.ask("GET", `/api/v1/office/reservations?q=${NAME}&page_size=1`, {
      token,
    });
    const [booked] = (matchingReservations.body as { readonly data: readonly { readonly id: number }[] }).data;
    await page.goto(`${office.address}#/reservations/${booked?.id}`);
    await page.waitForSelector(`.notes:has-text("${NOTE}")`);
    await office.looksRight("long-words");
  });

  test("keeps a reservation with a name of one long word within a phone's screen", async () => {
    await page.setViewportSize({ width: 360, height: 800 });
    await page.goto(`${new URL(office.address).origin}/?rb=reservation&rb-id=${freeAccessId}`);
    await page.waitForSelector(`rental-booking h2:has-text("${NAME}")`);
    expect(await getOverflowWidth(page)).toBeLessThanOrEqual(0);
  });
});
