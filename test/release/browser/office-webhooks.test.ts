import { createHmac } from "node:crypto";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { BOTH_THEMES, getDateInDays, type Office, useOffice } from "../../browser/office-page.ts";

interface Got {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

let office: Office;
let page: Office["page"];
let server: Server;
let status = 200;
const got: Got[] = [];

const { ask } = useOffice((opened) => {
  ({ office, page } = opened);
});

beforeAll(async () => {
  server = createServer((request, response) => {
    let body = "";
    request.on("data", (part) => {
      body += part;
    });
    request.on("end", () => {
      got.push({ headers: request.headers, body });
      response.writeHead(status).end("thank you");
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
});

afterAll(() => server.close());

const waitForStatus = (text: string | RegExp) => page.locator(".webhook [role=status]").getByText(text).waitFor();
const press = (name: string | RegExp) => page.getByRole("button", { name }).first().click();
const getWebhookId = ({ headers }: Got) => String(headers["webhook-id"]);

/** Calculates the version 1 signature of a received request. */
function calculateSignature({ headers, body }: Got, secret: string): string {
  const key = Buffer.from(secret.replace("whsec_", ""), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  return `v1,${createHmac("sha256", key).update(signed).digest("base64")}`;
}

async function readShownSecret(place: string): Promise<string> {
  const text =
    (await page
      .locator(place)
      .getByText(/whsec_/)
      .textContent()) ?? "";
  return /whsec_[A-Za-z0-9+/=]+/.exec(text)?.[0] ?? "";
}

let secret = "";

test("creates a webhook, shows its secret once, and sends a signed test event", async () => {
  await page.goto(`${office.address}#/list/webhooks/new`);
  await page.getByLabel("Webadresse (URL) *").fill(`http://127.0.0.1:${(server.address() as AddressInfo).port}/events`);
  await press("Speichern");
  secret = await readShownSecret(".foot");
  await press("Testereignis senden");
  await waitForStatus("Ereignis zugestellt: HTTP 200");
  const [first] = got;
  expect(first && String(first.headers["webhook-signature"]).split(" ")).toContain(
    first && calculateSignature(first, secret),
  );
  await office.looksRight("webhook", BOTH_THEMES);
});

test("lists deliveries with request and response, and resends one event under its ID", async () => {
  const customer = { name: "Ana", surname: "Ruiz" };
  const period = { date_from: getDateInDays(70), time_from: "10:00", date_to: getDateInDays(73), time_to: "10:00" };
  const places = { pickup_place: 1, return_place: 1, category_code: "ECON" };
  const createdReservation = await ask("POST", "/reservations", { ...period, ...places, customer });
  expect(createdReservation.status, JSON.stringify(createdReservation.body)).toBe(201);
  await expect.poll(() => got.some(({ body }) => body.includes("booking.created"))).toBe(true);
  await press("Aktualisieren");
  const entry = page.locator(".deliveries > li", { hasText: "booking.created" }).first();
  const signature = entry.getByText("webhook-signature");
  // The receiver has it, but its success may not be stored yet. A reload of the list may close the opened entry.
  const isOpened = async () => {
    if (await signature.isVisible()) return true;
    await press("Aktualisieren");
    await entry.locator("summary").click();
    return signature.isVisible();
  };
  await expect.poll(isOpened).toBe(true);
  await entry.getByText("Antwort: 200").waitFor();
  await entry.getByText("thank you").waitFor();
  await page.evaluate("for (const one of document.querySelectorAll('.deliveries details')) one.open = true");
  await office.looksRight("webhook-delivery", BOTH_THEMES);
  const receivedCount = got.length;
  await entry.getByRole("button").click();
  await waitForStatus(/^1 /);
  // Other tests create bookings, too, so the entry is the latest one.
  const again = () =>
    got
      .slice(receivedCount)
      .filter((item) => got.slice(0, receivedCount).some((before) => getWebhookId(before) === getWebhookId(item)));
  await expect.poll(() => again().length).toBeGreaterThan(0);
  const [item] = again();
  expect(
    new Set(got.filter((got) => item && getWebhookId(got) === getWebhookId(item)).map(({ body }) => body)).size,
  ).toBe(1);
});

test("sends the events of a day to a webhook again", async () => {
  await page.locator(".replay [name=from]").fill(getDateInDays(-1));
  await page.locator(".replay button").click();
  await waitForStatus(/^[1-9]/);
});

test("shows the status of a webhook that refuses deliveries", async () => {
  status = 500;
  await press("Testereignis senden");
  await waitForStatus("500");
  status = 200;
});

test("shows a new webhook secret once, and signs with the old and the new secret for a week", async () => {
  await press(/^Secret erneuern$/);
  await page.getByRole("button", { name: /Secret erneuern/ }).click();
  await waitForStatus(/whsec_/);
  const fresh = await readShownSecret(".webhook");
  expect(fresh).not.toBe(secret);
  const count = got.length;
  await press("Testereignis senden");
  await waitForStatus("Ereignis zugestellt: HTTP 200");
  const last = got.slice(count).find(({ body }) => body.includes("webhook.test"));
  const signatures = String(last?.headers["webhook-signature"]).split(" ");
  expect(signatures).toEqual(
    expect.arrayContaining(last ? [calculateSignature(last, secret), calculateSignature(last, fresh)] : []),
  );
  // A form loaded before the change can still be saved.
  await page.getByLabel("Beschreibung").first().fill("Buchhaltung");
  await press("Speichern");
  await page.locator(".foot").getByText("Gespeichert").waitFor();
  expect(office.faults()).toEqual([]);
});
