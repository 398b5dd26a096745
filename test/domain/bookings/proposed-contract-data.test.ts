import { expect, test } from "vitest";
import {
  type CustomerRecordAddress,
  getKnownContractData,
  pickReusableContractData,
} from "#domain/bookings/contract-data.ts";
import type { CivilDate } from "#domain/dates.ts";

const TODAY = "2030-06-10" as CivilDate;
const NO_ADDRESS: CustomerRecordAddress = {
  addressStreet: null,
  addressNumber: null,
  addressComplement: null,
  addressCity: null,
  addressState: null,
  addressCountry: null,
  addressZip: null,
};
const LAST = {
  customer_address_street: "Old street",
  customer_address_city: "Kiel",
  driver_name: "Ana",
  driver_date_of_birth: "1990-01-02",
  driver_driving_license_number: "B-123",
  driver_driving_license_expiration_date: "2031-01-01",
  additional_driver_1_name: "Tom",
  flight_number: "3821",
  driver_origin_country: "",
};

test("proposes main driver and address of the last contract, and no data specific to one rental", () => {
  expect(getKnownContractData(NO_ADDRESS, LAST, TODAY)).toEqual({
    customer_address_street: "Old street",
    customer_address_city: "Kiel",
    driver_name: "Ana",
    driver_date_of_birth: "1990-01-02",
    driver_driving_license_number: "B-123",
    driver_driving_license_expiration_date: "2031-01-01",
  });
  expect(getKnownContractData(NO_ADDRESS, undefined, TODAY)).toEqual({});
});

test.each([
  ["2030-06-09", false],
  ["2030-06-10", true],
])("decides whether a licence that expires on %s is still proposed on 10 June: %s", (expires, isRecalled) => {
  const recalled = getKnownContractData(
    NO_ADDRESS,
    { ...LAST, driver_driving_license_expiration_date: expires },
    TODAY,
  );
  expect(Object.keys(recalled).some((field) => field.startsWith("driver_driving_license"))).toBe(isRecalled);
  expect(recalled["driver_name"]).toBe("Ana");
});

test("prefers the complete address of the customer's record, and mixes no two addresses", () => {
  const record = { ...NO_ADDRESS, addressStreet: "New street", addressCountry: "DE" };
  const recalled = getKnownContractData(record, LAST, TODAY);
  expect(recalled).toMatchObject({ customer_address_street: "New street", customer_address_country: "DE" });
  expect(recalled["customer_address_city"]).toBeUndefined();
});

const ADDRESS = { customer_address_street: "Old street", customer_address_city: "Kiel" };
const DRIVER = { driver_name: "Ana", driver_driving_license_number: "B-123" };

test.each([
  ["the customer who drove", { driver_is_customer: "true" }, {}, { driver_is_customer: "true", ...DRIVER, ...ADDRESS }],
  ["another driver", {}, {}, ADDRESS],
  ["a submitted driver", { driver_is_customer: "true" }, { driver_name: "Tom" }, ADDRESS],
  [
    "a submitted address",
    { driver_is_customer: "true" },
    { customer_address_city: "Palma" },
    { driver_is_customer: "true", ...DRIVER },
  ],
])("reuses on a customer's page what belongs to one person: %s", (_, lastDriver, submitted, reused) => {
  expect(pickReusableContractData({ ...ADDRESS, ...DRIVER, ...lastDriver }, submitted)).toEqual(reused);
});
