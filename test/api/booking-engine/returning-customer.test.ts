import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { createCheckout, createSearch } from "#support/website.ts";
import { requestWorker } from "#support/worker.ts";

const ENGINE = "http://acme.localhost:8787/api/booking/frontend";

interface Answer {
  readonly booking: Readonly<Record<string, unknown>> & { readonly free_access_id: string };
}

let token = "";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
  token = await createToken("ana");
});

const send = async <T>(method: string, path: string, body?: object, as?: string) => {
  const answer = await requestWorker(`${ENGINE}${path}`, {
    method,
    headers: { "Content-Type": "application/json", ...(as !== undefined && { Authorization: as }) },
    ...(body && { body: JSON.stringify(body) }),
  });
  if (answer.status !== 200) throw new Error(`${path} ${answer.status} ${await answer.text()}`);
  return answer.json<T>();
};

/** Books a small car on the website, as a customer with a token or a guest. */
async function book(as?: string, changes: Readonly<Record<string, unknown>> = {}): Promise<Answer["booking"]> {
  const { shopping_cart: cart } = await send<{ shopping_cart: { free_access_id: string } }>(
    "POST",
    "/shopping-cart",
    createSearch(),
  );
  const path = `/shopping-cart/${cart.free_access_id}`;
  await send("POST", `${path}/set-product`, { product: "A" });
  const placed = await send<{ free_access_id: string }>("POST", `${path}/checkout`, createCheckout(changes), as);
  return (await send<Answer>("GET", `/booking/${placed.free_access_id}`)).booking;
}

const LICENCE = {
  driver_date_of_birth: "1990-01-02",
  driver_driving_license_number: "B-123",
  driver_driving_license_date: "2010-01-02",
  driver_driving_license_expiration_date: "2099-01-01",
};
const ADDRESS = { street: "Calle Mayor", number: "1", city: "Palma", country: "ES" };

/** Completes the contract of a booking on its page. */
const complete = (booking: Answer["booking"], licence: object = LICENCE) =>
  send("PUT", `/booking/${booking.free_access_id}`, {
    ...{ customer_address: ADDRESS, driver_is_customer: true, driver_name: "Ana", driver_surname: "Ruiz" },
    ...licence,
  });

// Proves "office.md": a signed-in customer isn't asked again for what is known and valid
test("copies address and driving licence of the last rental into a signed-in customer's new booking", async () => {
  await complete(await book(token));
  expect(await book(token)).toMatchObject({
    ...{ ...LICENCE, required_data_completed: true },
    ...{ address_street: "Calle Mayor", address_city: "Palma" },
  });
});

// Proves "office.md": a licence that has expired is asked for again
test("copies no expired licence of the last rental into a new booking, but the driver's date of birth", async () => {
  await complete(await book(token), { ...LICENCE, driver_driving_license_expiration_date: "2020-01-01" });
  expect(await book(token)).toMatchObject({
    ...{ driver_date_of_birth: LICENCE.driver_date_of_birth, required_data_completed: false },
    ...{ driver_driving_license_number: null, driver_driving_license_expiration_date: null },
  });
});

test("copies no licence and birth date of the last rental if the booking names another driver", async () => {
  await complete(await book(token));
  expect(await book(token, { driver_name: "Tom", driver_surname: "Sol" })).toMatchObject({
    ...{ driver_name: "Tom", driver_driving_license_number: null, driver_date_of_birth: null },
  });
});

test("copies no driver other than the customer from the last rental, only the customer's address", async () => {
  await complete(await book(token), { ...LICENCE, driver_is_customer: false, driver_name: "Tom" });
  expect(await book(token)).toMatchObject({
    ...{ driver_name: null, driver_driving_license_number: null, address_street: "Calle Mayor" },
  });
});

test("copies no data of the last rental for guests or customers without a verified email", async () => {
  await complete(await book(token));
  expect(await book()).toMatchObject({ driver_driving_license_number: null, required_data_completed: false });
  await env.TENANT_ACME.prepare("UPDATE users SET unverified_since = 1 WHERE username = 'ana'").run();
  expect(await book(token)).toMatchObject({ driver_driving_license_number: null, required_data_completed: false });
});
