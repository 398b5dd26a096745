import { describe, expect, test } from "vitest";
import { listMissingReportData } from "#domain/ministry-reports/missing-data.ts";
import { PAYMENT_CODES } from "#domain/ministry-reports/payment-codes.ts";
import type { ReportedRental } from "#domain/ministry-reports/rental.ts";
import { listShortenedReportData } from "#domain/ministry-reports/shortened-data.ts";
import { findDescendant, findOutermostDescendants, getChildText } from "#domain/xml.ts";
import { writeMinistryReportXml } from "#worker/authorities/ses/ministry-report-xml.ts";
import { parseAuthorityXml } from "#worker/authorities/xml.ts";
import { findBrokenSesRule } from "#worker/development/ses/ministry-simulator.ts";
import { createReportedRental } from "./reported-rental.ts";

const KINDS = ["RV", "AV"] as const;
const rental = createReportedRental();
const { customer, data, vehicle } = rental;

const withCustomer = (changes: Partial<ReportedRental["customer"]>) =>
  createReportedRental({ customer: { ...customer, ...changes } });
const withData = (changes: Readonly<Record<string, string>>) => createReportedRental({ data: { ...data, ...changes } });
const readPersons = (kind: "RV" | "AV", changed: ReportedRental) =>
  findOutermostDescendants(parseAuthorityXml(writeMinistryReportXml(kind, changed)), "datosPersona");

const abroad = {
  ...{ customer_address_street: "1 High St", customer_address_city: "Leeds", customer_address_zip: "LS1 1AA" },
  ...{ customer_address_country: "GB", driver_origin_country: "GB" },
};

test("reports each payment method as its kind in the ministry's list", () => {
  const methods = Map.groupBy(Object.entries(PAYMENT_CODES), ([, code]) => code);
  expect(Object.fromEntries([...methods].map(([code, entries]) => [code, entries.map(([method]) => method)]))).toEqual({
    EFECT: ["cash"],
    TARJT: ["credit_card", "tpvA_256", "tpvB", "tpvC", "tpvD", "tpv_online"],
    PLATF: ["wallet_standard", "booking_portal"],
    TRANS: ["bank_transfer"],
    OTRO: ["check", "promissory_note"],
  });
});

describe("the telephone and mail of a report", () => {
  test.each([
    ["+34 600 11 12 22", "+34600111222"],
    ["(0034) 600.111.222", "0034600111222"],
    ["600 111 222 / 600 333 444", "600111222"],
    ["34+600111222", "34600111222"],
    ["+49 (0)170 1234567", "+491701234567"],
    ["0049(0)30/123", "004930123"],
    ["030/260101", "030260101"],
    ["0171/1234567", "01711234567"],
    ["(0034) 971-26.01/01", "0034971260101"],
    ["+34 971/26 01 01", "+34971260101"],
    ["(01) 234 567", "01234567"],
    ["971 26 01 01 ext. 12", "971260101"],
    ["+34 971260101 x7", "+34971260101"],
    ["971260101#4", "971260101"],
  ])("reports the telephone %s as %s", (phone, digits) => {
    for (const kind of KINDS)
      expect(readPersons(kind, withCustomer({ phone })).map((person) => getChildText(person, "telefono"))).toEqual([
        digits,
        digits,
      ]);
  });

  test.each([
    ["600 111 222 / 600 333 444", "600111222", "600333444"],
    ["+34 600111222; +44 20 7946 0000, 971260101", "+34600111222", "+442079460000"],
    ["600111222, 600 11 12 22", "600111222", undefined],
    ["971260101, 12", "971260101", undefined],
    ["0171/1234567/0172/7654321", "01711234567", "01727654321"],
    ["+45 12345678/87654321", "+4512345678", "87654321"],
    ["971260101/12", "971260101", undefined],
    [`${"1".repeat(21)} / 600333444`, "600333444", undefined],
    ["600111222", "600111222", undefined],
  ])("reports the first two valid numbers of the telephone entry %s to the ministry", (phone, first, second) => {
    for (const kind of KINDS) {
      const report = withCustomer({ phone });
      expect(findBrokenSesRule(parseAuthorityXml(writeMinistryReportXml(kind, report)), kind)).toBeUndefined();
      for (const person of readPersons(kind, report))
        expect([getChildText(person, "telefono"), getChildText(person, "telefono2")]).toEqual([first, second]);
    }
  });

  test.each([
    [{ phone: undefined, email: undefined }],
    [{ phone: "none", email: undefined }],
    [{ phone: "1".repeat(21), email: "ana@localhost" }],
    [{ phone: " ", email: `${"a".repeat(250)}@example.com` }],
  ])("lists the contact as missing if the ministry accepts neither telephone nor email: %j", (changes) => {
    for (const kind of KINDS) expect(listMissingReportData(kind, withCustomer(changes))).toEqual(["customer_phone"]);
  });

  test("reports the email address of a person without a telephone number to the ministry", () => {
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

  test("lists an identity, vehicle or post code number longer than the ministry accepts as missing, and never cuts it", () => {
    expect(listMissingReportData("AV", withCustomer({ documentId: "1234567890123456" }))).toEqual([
      "customer_document_id",
    ]);
    const licence = { driver_driving_license_number: "1".repeat(26) };
    expect(listMissingReportData("AV", withData(licence))).toEqual(["driver_driving_license_number"]);
    const withVehicle = (changes: Partial<NonNullable<ReportedRental["vehicle"]>>) =>
      listMissingReportData("AV", createReportedRental({ vehicle: vehicle && { ...vehicle, ...changes } }));
    expect(withVehicle({ vin: "V".repeat(18) })).toEqual(["stock_vin"]);
    expect(withVehicle({ plate: "P".repeat(26) })).toEqual(["stock_plate"]);
    const place = { ...rental.pickup, zip: "1".repeat(21) };
    expect(listMissingReportData("RV", createReportedRental({ pickup: place }))).toEqual(["pickup_place_address"]);
    expect(listMissingReportData("AV", withData({ ...abroad, customer_address_zip: "L".repeat(21) }))).toContain(
      "customer_address[zip]",
    );
  });

  test("lists the code of a make or colour as missing if it is longer than the ministry accepts", () => {
    const codes = { chosen: { "color:Blanco": "BLANCO PERLA" }, lists: {} };
    const municipality = { customer_address_city_code: "07040" };
    const changed = createReportedRental({
      ...{ codes, data: { ...data, ...municipality } },
      vehicle: vehicle && { ...vehicle, brand: "Mercedes-Benz" },
    });
    expect(listMissingReportData("AV", changed)).toEqual(["brand_code", "color_code"]);
  });

  test.each([
    ["customer_document_id", withCustomer({ documentId: "B12345674" })],
    ["customer_document_id", withCustomer({ documentId: "ES-B12345674" })],
    [
      "representative_document_id",
      createReportedRental({
        customer: { ...customer, isCompany: true, name: "Acme SL", surname: "" },
        data: {
          ...data,
          ...{ representative_name: "Eva", representative_surname: "Puig Mas" },
          representative_document_id: "B12345674",
        },
      }),
    ],
    [
      "driver_document_id",
      withData({
        ...{ driver_is_customer: "false", driver_name: "Eva", driver_surname: "Puig Mas" },
        driver_document_id: "B12345674",
      }),
    ],
    [
      "additional_driver_1_document_id",
      withData({
        ...{ additional_driver_1_name: "Tom", additional_driver_1_surname: "Roe" },
        ...{ additional_driver_1_driving_license_number: "1", additional_driver_1_document_id: "B12345674" },
        additional_driver_1_driving_license_expiration_date: "2030-01-31",
      }),
    ],
  ])("lists %s as missing if it contains a company's tax number, which identifies no person", (field, changed) => {
    expect(listMissingReportData("AV", changed)).toEqual([field]);
    expect(writeMinistryReportXml("AV", changed)).not.toContain("B12345674");
  });

  test.each([
    ["B", "B", false],
    ["b+e", "BE", false],
    ["International", "B", true],
    [undefined, "B", false],
  ])(
    "reports the licence type %s as %s, and lists it as replaced if it is no code: %s",
    (type, reported, isReplaced) => {
      const changed = type === undefined ? rental : withData({ driver_driving_license_type: type });
      const root = parseAuthorityXml(writeMinistryReportXml("AV", changed));
      expect(getChildText(findDescendant(root, "permisoConducir"), "tipo")).toBe(reported);
      expect(listShortenedReportData("AV", changed)).toEqual(isReplaced ? ["driver_driving_license_type"] : []);
      expect(listShortenedReportData("RV", changed)).toEqual([]);
    },
  );

  test.each(["31/01/2030", "2030-02-30", "soon"])(
    "lists the invalid licence date %s as missing in the report to the ministry",
    (date) => {
      const changed = withData({ driver_driving_license_expiration_date: date });
      expect(listMissingReportData("AV", changed)).toEqual(["driver_driving_license_expiration_date"]);
    },
  );

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

  test("lists each text that the report contains only in part", () => {
    const long = (count: number) => "Ñ".repeat(count);
    const changed = createReportedRental({
      customer: { ...customer, name: long(51), surname: long(50) },
      data: { ...data, customer_second_surname: long(51), customer_address_street: long(101) },
      pickup: { ...rental.pickup, street: long(101) },
      return: { ...rental.return, establishment: "0000001234", street: long(101) },
      category: long(51),
      vehicle: vehicle && { ...vehicle, model: long(51) },
    });
    const always = ["customer_name", "customer_second_surname"];
    const ofReservation = [...always, "pickup_place_address", "category_name"];
    expect(listShortenedReportData("RV", changed)).toEqual(ofReservation);
    expect(listShortenedReportData("AV", changed)).toEqual([
      ...always,
      ...["customer_address[street]", "pickup_place_address", "category_name", "stock_model"],
    ]);
    expect(listMissingReportData("AV", changed)).toEqual([]);
    expect(listShortenedReportData("AV", rental)).toEqual([]);
  });

  test("lists the shortened names of each driver with their own field", () => {
    const changed = withData({
      ...{ driver_is_customer: "false", driver_name: "Eva", driver_surname: "S".repeat(51) },
      ...{ additional_driver_1_name: "T".repeat(51), additional_driver_1_surname: "Roe" },
      additional_driver_1_driving_license_type: "International",
    });
    expect(listShortenedReportData("AV", changed)).toEqual([
      ...["driver_surname", "additional_driver_1_name"],
      "additional_driver_1_driving_license_type",
    ]);
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
    findDescendant(
      parseAuthorityXml(writeMinistryReportXml("RV", createReportedRental({ pickup }))),
      "direccionRecogida",
    );

  test("reports a place abroad with its town and country, and lists an incomplete address as missing", () => {
    const place = { ...PLACE, city: "Lisboa", zip: "1000-001", country: "PT" };
    const element = readPlace(place);
    expect(
      ["codigoMunicipio", "nombreMunicipio", "codigoPostal", "pais"].map((name) => getChildText(element, name)),
    ).toEqual([undefined, "Lisboa", "1000-001", "PRT"]);
    for (const missing of ["street", "city", "zip"])
      expect(listMissingReportData("RV", createReportedRental({ pickup: { ...place, [missing]: undefined } }))).toEqual(
        ["pickup_place_address"],
      );
  });

  test("lists a Spanish place as missing if its town has no known code, unless the ministry assigned the place a code", () => {
    for (const kind of KINDS) {
      expect(listMissingReportData(kind, createReportedRental({ return: PLACE }))).toEqual(["return_place_address"]);
      expect(
        listMissingReportData(kind, createReportedRental({ return: { ...PLACE, establishment: "0000001234" } })),
      ).toEqual([]);
      const known = { ...PLACE, municipality: "07040" };
      expect(listMissingReportData(kind, createReportedRental({ return: known }))).toEqual([]);
      expect(getChildText(readPlace(known), "codigoMunicipio")).toBe("07040");
    }
  });

  test("reports a customer who lives abroad, by town", () => {
    const changed = createReportedRental({
      data: { ...data, ...abroad },
      customer: { ...customer, documentId: "C01X00T47" },
    });
    expect(listMissingReportData("AV", changed)).toEqual([]);
    expect(findBrokenSesRule(parseAuthorityXml(writeMinistryReportXml("AV", changed)), "AV")).toBeUndefined();
    const [renter] = readPersons("AV", changed);
    expect(renter && ["tipoDocumento", "nacionalidad", "pais"].map((name) => getChildText(renter, name))).toEqual([
      "PAS",
      "GBR",
      "GBR",
    ]);
  });
});
