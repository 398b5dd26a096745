import { describe, expect, test } from "vitest";
import { listMissingReportData } from "#domain/ministry-reports/missing-data.ts";
import type { ReportedRental } from "#domain/ministry-reports/rental.ts";
import { findDescendant, findOutermostDescendants, getChildText } from "#domain/xml.ts";
import { writeMinistryReportXml } from "#worker/authorities/ses/ministry-report-xml.ts";
import { parseAuthorityXml } from "#worker/authorities/xml.ts";
import { findBrokenRule } from "#worker/development/ses/ministry-simulator.ts";
import { aRental } from "./a-rental.ts";

const KINDS = ["RV", "AV"] as const;
const rental = aRental();
const { customer, data, vehicle } = rental;

const withCustomer = (changes: Partial<ReportedRental["customer"]>) =>
  aRental({ customer: { ...customer, ...changes } });
const withData = (changes: Readonly<Record<string, string>>) => aRental({ data: { ...data, ...changes } });
const readPersons = (kind: "RV" | "AV", changed: ReportedRental) =>
  findOutermostDescendants(parseAuthorityXml(writeMinistryReportXml(kind, changed)), "datosPersona");

const abroad = {
  ...{ customer_address_street: "1 High St", customer_address_city: "Leeds", customer_address_zip: "LS1 1AA" },
  ...{ customer_address_country: "GB", driver_origin_country: "GB" },
};

describe("the telephone and mail of a report", () => {
  test.each([
    ["+34 600 11 12 22", "+34600111222"],
    ["(0034) 600.111.222", "0034600111222"],
    ["600 111 222 / 600 333 444", "600111222"],
    ["34+600111222", "34600111222"],
  ])("reports the telephone %s as %s", (phone, digits) => {
    for (const kind of KINDS)
      expect(readPersons(kind, withCustomer({ phone })).map((person) => getChildText(person, "telefono"))).toEqual([
        digits,
        digits,
      ]);
  });

  test.each([
    [{ phone: undefined, email: undefined }],
    [{ phone: "none", email: undefined }],
    [{ phone: "1".repeat(21), email: "ana@localhost" }],
    [{ phone: " ", email: `${"a".repeat(250)}@example.com` }],
  ])("finds the contact missing if neither telephone nor mail can be reported: %j", (changes) => {
    for (const kind of KINDS) expect(listMissingReportData(kind, withCustomer(changes))).toEqual(["customer_phone"]);
  });

  test("reports the mail of a person without a telephone", () => {
    for (const kind of KINDS) {
      const [renter] = readPersons(kind, withCustomer({ phone: "no" }));
      expect([renter && getChildText(renter, "telefono"), renter && getChildText(renter, "correo")]).toEqual([
        undefined,
        "ana@example.com",
      ]);
    }
  });

  test("reports the renter's telephone for a driver whose own one has no digits", () => {
    const drivers = { driver_is_customer: "false", driver_name: "Eva", driver_surname: "Puig Mas" };
    const changed = withData({ ...drivers, driver_document_id: "00000000T", driver_phone: "?" });
    expect(readPersons("AV", changed).map((person) => getChildText(person, "telefono"))).toEqual([
      "+34600111222",
      "+34600111222",
    ]);
  });
});

describe("the numbers of a report", () => {
  test.each([
    ["AB 1234 5678 9012 3", "OTRO", "AB1234567890123"],
    ["C01X00T47", "OTRO", "C01X00T47"],
    ["ÑU-77 88", "OTRO", "ÑU-77 88"],
  ])("reports the foreign document %s as %s %s", (documentId, type, reported) => {
    const [renter] = readPersons("AV", withCustomer({ documentId }));
    expect(renter && [getChildText(renter, "tipoDocumento"), getChildText(renter, "numeroDocumento")]).toEqual([
      type,
      reported,
    ]);
  });

  test("finds a number missing that is longer than the ministry accepts, instead of cutting it", () => {
    expect(listMissingReportData("AV", withCustomer({ documentId: "1234567890123456" }))).toEqual([
      "customer_document_id",
    ]);
    const licence = { driver_driving_license_number: "1".repeat(26) };
    expect(listMissingReportData("AV", withData(licence))).toEqual(["driver_driving_license_number"]);
    const long = aRental({ vehicle: vehicle && { ...vehicle, vin: "V".repeat(18) } });
    expect(listMissingReportData("AV", long)).toEqual(["stock_vin"]);
  });

  test.each(["31/01/2030", "2030-02-30", "soon"])("finds the invalid licence date %s missing", (date) => {
    const changed = withData({ driver_driving_license_expiration_date: date });
    expect(listMissingReportData("AV", changed)).toEqual(["driver_driving_license_expiration_date"]);
  });

  test("omits an invalid date of birth, which is optional", () => {
    const changed = withData({ driver_date_of_birth: "17/05/1984" });
    expect(listMissingReportData("AV", changed)).toEqual([]);
    expect(writeMinistryReportXml("AV", changed)).not.toContain("fechaNacimiento");
  });
});

describe("the names of a report", () => {
  test.each([
    [{ name: "Mª del Mar", surname: "Nuñez-Cortés d'Arc" }, "12345678Z", ["Mª del Mar", "Nuñez-Cortés", "d'Arc"]],
    [{ name: "Siobhán", surname: "O’Brien" }, "P1234567", ["Siobhán", "O’Brien", undefined]],
    [{ name: "明", surname: "王" }, "E12345678", ["明", "王", undefined]],
    [{ name: "Tom & <Jerry>", surname: "Roe" }, "P1234567", ["Tom & <Jerry>", "Roe", undefined]],
    [{ name: "A".repeat(60), surname: "😀".repeat(60) }, "P1", ["A".repeat(50), "😀".repeat(50), undefined]],
  ])("reports the person %j with document %s", (person, documentId, names) => {
    for (const kind of KINDS) {
      const changed = withCustomer({ ...person, documentId });
      expect(listMissingReportData(kind, changed)).toEqual([]);
      const [renter] = readPersons(kind, changed);
      expect(renter && ["nombre", "apellido1", "apellido2"].map((name) => getChildText(renter, name))).toEqual(names);
    }
  });

  test("requires a surname of a person with one name, and a second one only with a Spanish number", () => {
    for (const kind of KINDS)
      expect(listMissingReportData(kind, withCustomer({ name: "Suharto", surname: "", documentId: "P1" }))).toEqual([
        "customer_surname",
      ]);
    const single = { surname: "García" };
    expect(listMissingReportData("AV", withCustomer(single))).toEqual(["customer_second_surname"]);
    expect(listMissingReportData("AV", withCustomer({ ...single, documentId: "X1234567L" }))).toEqual([]);
  });
});

describe("the places of a report", () => {
  const PLACE = { ...rental.pickup, municipality: undefined };
  const readPlace = (pickup: ReportedRental["pickup"]) =>
    findDescendant(parseAuthorityXml(writeMinistryReportXml("RV", aRental({ pickup }))), "direccionRecogida");

  test("reports a place abroad with its town and country, and finds it missing without them", () => {
    const place = { ...PLACE, city: "Lisboa", zip: "1000-001", country: "PT" };
    const element = readPlace(place);
    expect(
      ["codigoMunicipio", "nombreMunicipio", "codigoPostal", "pais"].map((name) => getChildText(element, name)),
    ).toEqual([undefined, "Lisboa", "1000-001", "PRT"]);
    for (const missing of ["street", "city", "zip"])
      expect(listMissingReportData("RV", aRental({ pickup: { ...place, [missing]: undefined } }))).toEqual([
        "pickup_place_address",
      ]);
  });

  test("reports the town's name of a Spanish place without a known municipality", () => {
    expect(listMissingReportData("RV", aRental({ return: PLACE }))).toEqual([]);
    expect(getChildText(readPlace(PLACE), "nombreMunicipio")).toBe("Palma");
  });

  test("reports a customer who lives abroad, by town", () => {
    const changed = aRental({ data: { ...data, ...abroad }, customer: { ...customer, documentId: "C01X00T47" } });
    expect(listMissingReportData("AV", changed)).toEqual([]);
    expect(findBrokenRule(parseAuthorityXml(writeMinistryReportXml("AV", changed)), "AV")).toBeUndefined();
    const [renter] = readPersons("AV", changed);
    expect(renter && ["tipoDocumento", "nacionalidad", "pais"].map((name) => getChildText(renter, name))).toEqual([
      "PAS",
      "GBR",
      "GBR",
    ]);
  });
});
