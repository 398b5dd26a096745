import { describe, expect, test } from "vitest";
import { getConsentChange, hasMarketingConsent, mergeConsent } from "#domain/access/consent.ts";
import { toStoredCompletion } from "#domain/ministry-reports/completion-fields.ts";
import {
  findAuthorityCode,
  findMunicipalityCode,
  getProvinceCode,
  NO_AUTHORITY_CODES,
} from "#domain/ministry-reports/lists.ts";
import {
  findDataToRequestAtHandOver,
  findMissingPersonData,
  listMissingReportData,
} from "#domain/ministry-reports/missing-data.ts";
import { listReportedPersons, listReportPartNumbers } from "#domain/ministry-reports/people.ts";
import { AUTHORITY_CODES, createRenter, createReportedRental } from "./reported-rental.ts";

describe("the people of a rental", () => {
  test("includes renter and driver with the same identity document if they are the same person", () => {
    const [rents, drives] = listReportedPersons(
      createRenter({ driver_document_id: "12345678Z", driver_is_customer: "true" }),
    );
    expect(rents).toMatchObject({ role: "TI", documentType: "NIF", documentId: "12345678Z" });
    expect(drives).toMatchObject({ role: "CP", documentId: "12345678Z", licence: { type: "B" } });
  });

  test("requires a separate driver's own documents if the driver's name differs from the renter's", () => {
    const party = createRenter({ driver_name: "Eva", driver_is_customer: "false" });
    expect(findMissingPersonData("AV", party)).toEqual(
      expect.arrayContaining(["driver_surname", "driver_document_id", "driver_driving_license_number"]),
    );
    // Equal names mean the same person, even if a website omitted data.
    for (const driver_surname of ["garcía  López", "Garcia Lopez"])
      expect(findMissingPersonData("AV", createRenter({ driver_name: "ana", driver_surname }))).not.toContain(
        "driver_document_id",
      );
  });

  test("requires first name and surname of every driver, also for a reservation", () => {
    const findMissingNames = (data: Readonly<Record<string, string>>) =>
      findMissingPersonData("RV", createRenter(data));
    expect(findMissingNames({ driver_surname: "Puig" })).toEqual(["driver_name"]);
    expect(findMissingNames({ driver_name: "Eva" })).toEqual(["driver_surname"]);
    expect(findMissingNames({ additional_driver_1_surname: "Roe" })).toEqual(["additional_driver_1_name"]);
    expect(findMissingNames({ additional_driver_1_name: "Tom" })).toEqual(["additional_driver_1_surname"]);
    expect(findMissingPersonData("AV", createRenter({ driver_surname: "Puig" }))).toContain("driver_name");
  });

  test.each([
    ["12345678Z", {}, "NIF"],
    ["X1234567L", {}, "NIE"],
    ["C01X00T47", { customer_origin_country: "DE" }, "PAS"],
    ["C01X00T47", { customer_origin_country: "DE", customer_document_id_type_id: "2" }, "OTRO"],
    ["777", {}, "OTRO"],
  ] as const)("classifies a renter's identity document %s with the data %j as %s", (documentId, data, type) => {
    expect(listReportedPersons(createRenter(data, { documentId }))[0]?.documentType).toBe(type);
  });

  test.each([
    ["de la Fuente", "García", "12345678Z", "de la Fuente", "García"],
    ["de la Fuente García", undefined, "12345678Z", "de la Fuente", "García"],
    ["van der Berg", undefined, "12345678Z", "van der Berg", undefined],
    ["Ruiz López", undefined, "12345678Z", "Ruiz", "López"],
    ["Sanz de Santamaría", "Gil", "12345678Z", "Sanz de Santamaría", "Gil"],
    ["Ruiz  de la Torre", undefined, "12345678Z", "Ruiz", "de la Torre"],
    ["Müller Schmidt", undefined, "C01X00T47", "Müller Schmidt", undefined],
    ["da Silva Santos", undefined, "X1234567L", "da Silva Santos", undefined],
    ["de", undefined, "12345678Z", "de", undefined],
  ])(
    "reports to the ministry the surnames of a person with surname %s, second surname %s and document %s",
    (surname, second, documentId, first, rest) => {
      const data = second === undefined ? {} : { customer_second_surname: second };
      const [rents] = listReportedPersons(createRenter(data, { surname, documentId }));
      expect([rents?.surname, rents?.secondSurname]).toEqual([first, rest]);
      const driver = {
        ...{ driver_name: "Tom", driver_surname: surname, driver_document_id: documentId },
        ...(second !== undefined && { driver_second_surname: second }),
      };
      const [, drives] = listReportedPersons(createRenter(driver));
      expect([drives?.surname, drives?.secondSurname]).toEqual([first, rest]);
    },
  );

  test("uses a company's representative with the company's address and phone", () => {
    const company = { isCompany: true, name: "Acme Obres SL", surname: "", documentId: "B12345674" };
    expect(findMissingPersonData("RV", createRenter({}, company))).toEqual([
      "representative_name",
      "representative_surname",
    ]);
    expect(findMissingPersonData("AV", createRenter({}, company))).toContain("representative_document_id");
    const acting = {
      ...{ representative_name: "Eva", representative_surname: "Puig Mas", representative_document_id: "00000000T" },
      ...{ customer_address_street: "Carrer Nou 3", customer_address_city: "Palma", customer_address_zip: "07001" },
      ...{ customer_address_country: "ES", driver_driving_license_number: "1" },
      driver_driving_license_expiration_date: "2030-01-31",
    };
    const party = createRenter(acting, company);
    expect(findMissingPersonData("AV", party)).toEqual([]);
    const [rents, drives] = listReportedPersons(party);
    expect(rents).toMatchObject({
      name: "Eva",
      surname: "Puig",
      secondSurname: "Mas",
      documentType: "NIF",
      phone: "+34600111222",
    });
    expect(rents?.address).toMatchObject({ street: "Carrer Nou 3", municipality: "07040" });
    expect(drives).toMatchObject({ role: "CP", name: "Eva", documentId: "00000000T", licence: { number: "1" } });
    // Another driver requires their own documents.
    const other = createRenter({ ...acting, driver_name: "Tom", driver_surname: "Roe" }, company);
    expect(findMissingPersonData("AV", other)).toEqual(["driver_document_id"]);
    expect(listReportedPersons(other).map(({ name }) => name)).toEqual(["Eva", "Tom"]);
  });

  test("splits a report to the ministry into one for each additional driver, each with the same renter and driver", () => {
    const more = {
      ...{ additional_driver_1_name: "Tom", additional_driver_1_surname: "Roe" },
      ...{ additional_driver_2_name: "Una", additional_driver_2_surname: "Poe" },
    };
    expect([listReportPartNumbers({ data: {} }), listReportPartNumbers({ data: more })]).toEqual([[1], [1, 2]]);
    const names = (part: number) => listReportedPersons({ ...createRenter(more), part }).map(({ name }) => name);
    expect([names(1), names(2)]).toEqual([
      ["Ana", "Ana", "Tom"],
      ["Ana", "Ana", "Una"],
    ]);
    expect(findMissingPersonData("AV", { ...createRenter(more), part: 2 })).toContain(
      "additional_driver_2_document_id",
    );
    expect(findDataToRequestAtHandOver(createRenter(more)).missing).toEqual(
      expect.arrayContaining(["additional_driver_1_document_id", "additional_driver_2_driving_license_number"]),
    );
    // If only the second additional driver is named, they're in the first part.
    const { additional_driver_1_name: _, additional_driver_1_surname: __, ...second } = more;
    expect(listReportedPersons(createRenter(second)).map(({ name }) => name)).toEqual(["Ana", "Ana", "Una"]);
  });

  test("requires two surnames for a person with a Spanish citizen's identity number", () => {
    const item = (surname: string, data = {}) =>
      findMissingPersonData("AV", createRenter(data, { surname, documentId: "12345678Z" })).includes(
        "customer_second_surname",
      );
    expect([item("García"), item("García López"), item("García", { customer_second_surname: "López" })]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("requests a municipality code only in the office, for a Spanish town that isn't listed in its province", () => {
    const at = (city: string, zip = "07001") => ({
      customer_address_street: "Carrer Major",
      customer_address_city: city,
      customer_address_zip: zip,
      customer_address_country: "ES",
    });
    const asks = (data: Readonly<Record<string, string>>) =>
      findMissingPersonData("AV", { ...createRenter(data), codes: AUTHORITY_CODES }).includes(
        "customer_address[city_code]",
      );
    expect([
      asks(at("palma")),
      asks(at("Ciutat")),
      asks({ ...at("Ciutat"), customer_address_city_code: "07040" }),
    ]).toEqual([false, true, false]);
    expect(findDataToRequestAtHandOver(createRenter(at("Ciutat"))).missing).not.toContain(
      "customer_address[city_code]",
    );
  });
});

describe("translating words for the ministry", () => {
  test.each([
    ["brand", "seat", "SEAT"],
    ["brand", "Mercedes-Benz", "MERCEDES"],
    ["color", "Blau", "AZUL"],
    ["color", "Arena", undefined],
  ] as const)("translates for the ministry, from its list of %s, the word %s to %s", (list, word, code) => {
    expect(findAuthorityCode(AUTHORITY_CODES, list, word)).toBe(code);
  });

  test("returns a brand in capitals without the ministry's list, and the company's default for an unlisted color", () => {
    expect(findAuthorityCode(NO_AUTHORITY_CODES, "brand", "Škoda")).toBe("ŠKODA");
    expect(findAuthorityCode({ ...AUTHORITY_CODES, chosen: { "color:*": "OTRO" } }, "color", "Arena")).toBe("OTRO");
    expect(findAuthorityCode(AUTHORITY_CODES, "brand", undefined)).toBeUndefined();
  });

  test.each([
    ["07001", "Palma", "07040"],
    ["07660", "es Mercadal", "07037"],
    ["20001", "San Sebastián", "20069"],
    ["20001", "DONOSTIA", "20069"],
    ["07001", "Madrid", undefined],
    ["28001", "Madrid", undefined],
  ])("finds the official code of a municipality by postcode %s and town %s: %s", (zip, city, code) => {
    expect(findMunicipalityCode(AUTHORITY_CODES, zip, city)).toBe(code);
  });

  test("returns no province for a post code that isn't Spanish", () => {
    expect(["07001", "99001", "LS1 1AA", "00123", undefined].map((zip) => getProvinceCode(zip))).toEqual([
      "07",
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("missing data of a complete rental", () => {
  test("returns no missing data for a complete rental, and lists a missing VIN and a color without a code", () => {
    expect(listMissingReportData("AV", createReportedRental())).toEqual([]);
    const { vehicle } = createReportedRental();
    const without = createReportedRental({ vehicle: vehicle && { ...vehicle, vin: undefined, color: "Arena" } });
    expect(listMissingReportData("AV", without)).toEqual(["stock_vin", "color_code"]);
    expect(listMissingReportData("RV", without)).toEqual([]);
  });

  test("stores data completed later in customer columns or in contract data, as a booking does", () => {
    expect(
      toStoredCompletion({ customer_document_id: "X1", "customer_address[zip]": "07001", driver_origin_country: "GB" }),
    ).toEqual({
      customer: { documentId: "X1" },
      contractData: { customer_address_zip: "07001", driver_origin_country: "GB" },
    });
  });
});

describe("consent to marketing", () => {
  const nothing = {
    ...{ marketingConsentAt: null, marketingConsentDoor: null },
    ...{ marketingWithdrawnAt: null, marketingWithdrawnDoor: null },
  };
  const consentState = { ...nothing, ...getConsentChange(nothing, { isGiven: true, source: "desk" }, 5) };

  test("uses the customer's latest marketing decision, and repeating it changes nothing", () => {
    expect([hasMarketingConsent(nothing), hasMarketingConsent(consentState)]).toEqual([false, true]);
    expect(getConsentChange(consentState, { isGiven: true, source: "mail" }, 9)).toEqual({});
    const withdrawn = { ...consentState, ...getConsentChange(consentState, { isGiven: false, source: "mail" }, 9) };
    expect(withdrawn).toMatchObject({ marketingConsentAt: 5, marketingWithdrawnAt: 9, marketingWithdrawnDoor: "mail" });
    expect(hasMarketingConsent(withdrawn)).toBe(false);
  });

  test("uses the latest marketing decision of two merged customers, so no withdrawal is lost", () => {
    const withdrawn = { ...consentState, marketingWithdrawnAt: 9, marketingWithdrawnDoor: "phone" as const };
    expect(mergeConsent(withdrawn, consentState)).toMatchObject({ marketingWithdrawnAt: 9 });
    expect(mergeConsent(consentState, withdrawn)).toEqual({});
  });
});
