import { beforeEach, expect, test } from "vitest";
import { aReservation, availabilityPath, get, post } from "#support/agency.ts";
import { aCompany } from "#support/company.ts";

beforeEach(async () => {
  await aCompany();
});

test("smoke", async () => {
  let r = await get("/location-list?customer-language=en");
  console.log(r.status, await r.text());
  r = await get(availabilityPath({ "customer-language": "en", "driver-age": "22" }));
  console.log(r.status, JSON.stringify(await r.json(), null, 1), [...r.headers]);
  const body = aReservation({ extras: [{ code: "SEAT", quantity: 2 }], driver_age: 22 });
  r = await post("/booking", body);
  console.log(r.status, JSON.stringify(await r.json(), null, 1), [...r.headers]);
  r = await post("/booking", body);
  console.log(r.status, [...r.headers]);
  r = await get(`/booking?agency-reservation-id=${body.reservation["agency_reservation_id"]}`);
  console.log(r.status, [...r.headers]);
  r = await post("/cancel-booking", {
    reservation: { agency_reservation_id: body.reservation["agency_reservation_id"] },
  });
  console.log(r.status, await r.text(), [...r.headers]);
  r = await get("/openapi.json");
  console.log(r.status, (await r.text()).slice(0, 3000));
});
