import "./page.ts";
import { describe, expect, test } from "vitest";
import { listCompletingFields, stillMissing, toAuthorityDetails } from "#app/state/authorities.ts";
import { recordedIn, toOperation } from "#app/state/recorded.ts";
import { aBooking } from "#support/check-in/day.ts";
import { aDraft } from "./phone.ts";

const lacking = ["customer_document_id", "customer_address[zip]", "driver_driving_license_number"];
const booking = aBooking(1, "2027-05-03", {
  authorities: { missing: lacking, wished: ["driver_origin_country", "something_new"] },
  drivers: [],
});
const draft = aDraft(1, "delivery");

describe("what the authorities want to know at the vehicle", () => {
  test("is asked beside the driver's papers, and what a newer server names is passed over", () => {
    expect(listCompletingFields(booking)).toEqual(["customer_address[zip]", "driver_origin_country"]);
  });

  test("of a customer who does not drive is their document too", () => {
    const [driver] = aBooking(1, "2027-05-03").drivers;
    const others = { ...booking, drivers: driver ? [{ ...driver, full_name: "Eva Puig" }] : [] };
    expect(listCompletingFields(others)).toContain("customer_document_id");
  });

  test("is missing until it is typed, here or among the driver's papers", () => {
    expect(stillMissing(booking, draft)).toEqual(lacking);
    const typed = {
      ...draft,
      driver: { document_id: "X1", driving_license_number: "B-1" },
      authorities: { "customer_address[zip]": " 07001 " },
    };
    expect(stillMissing(booking, typed)).toEqual([]);
    expect(toOperation(typed).authorities).toEqual({ "customer_address[zip]": "07001" });
  });

  test("is nothing on a day that was kept of an older server", () => {
    const { authorities: _, ...older } = booking;
    expect([listCompletingFields(older as typeof booking), stillMissing(older as typeof booking, draft)]).toEqual([
      [],
      [],
    ]);
  });

  test("that was not said is not sent, and what was refused is there to be said again", () => {
    expect(toAuthorityDetails({ driver_origin_country: " " })).toBeUndefined();
    const authorities = { driver_origin_country: "GB" };
    const operation = { ...toOperation({ ...draft, authorities }), op_id: "o", device_id: "d", seq: 1 };
    expect(recordedIn(operation).authorities).toEqual(authorities);
  });
});
