import { describe, expect, test } from "vitest";
import { consentChange, consentOfMerged, mayBeToldOffers } from "#domain/access/consent.ts";
import { toKept } from "#domain/communications/completing.ts";
import { codeOf, municipalityOf, NO_CODES, provinceOf } from "#domain/communications/lists.ts";
import { askedAtVehicle, missingForCommunication, missingOfPeople } from "#domain/communications/missing.ts";
import { partsOf, peopleOf } from "#domain/communications/people.ts";
import { aRental, CODES, renter } from "./a-rental.ts";

describe("the people of a rental", () => {
  test("are who rents and who drives; whoever drives and rents shows one document, under either name", () => {
    const [rents, drives] = peopleOf(renter({ driver_document_id: "12345678Z", driver_is_customer: "true" }));
    expect(rents).toMatchObject({ role: "TI", documentType: "NIF", documentId: "12345678Z" });
    expect(drives).toMatchObject({ role: "CP", documentId: "12345678Z", licence: { type: "B" } });
  });

  test("are others where the driver has another name, and lack their own papers", () => {
    const party = renter({ driver_name: "Eva", driver_is_customer: "false" });
    expect(missingOfPeople("AV", party)).toEqual(
      expect.arrayContaining(["driver_surname", "driver_document_id", "driver_driving_license_number"]),
    );
    // The same name is the same person, whatever a website forgot to say.
    expect(missingOfPeople("AV", renter({ driver_name: "ana", driver_surname: "garcía  López" }))).not.toContain(
      "driver_document_id",
    );
  });

  test("are asked for both their names, of a reservation too: nobody is told of by one alone", () => {
    const named = (data: Readonly<Record<string, string>>) => missingOfPeople("RV", renter(data));
    expect(named({ driver_surname: "Puig" })).toEqual(["driver_name"]);
    expect(named({ driver_name: "Eva" })).toEqual(["driver_surname"]);
    expect(named({ additional_driver_1_surname: "Roe" })).toEqual(["additional_driver_1_name"]);
    expect(named({ additional_driver_1_name: "Tom" })).toEqual(["additional_driver_1_surname"]);
    expect(missingOfPeople("AV", renter({ driver_surname: "Puig" }))).toContain("driver_name");
  });

  test.each([
    ["12345678Z", {}, "NIF"],
    ["X1234567L", {}, "NIE"],
    ["C01X00T47", { customer_origin_country: "DE" }, "PAS"],
    ["C01X00T47", { customer_origin_country: "DE", customer_document_id_type_id: "2" }, "OTRO"],
    ["777", {}, "OTRO"],
  ] as const)("with the document %s and %j have a %s", (documentId, data, type) => {
    expect(peopleOf(renter(data, { documentId }))[0]?.documentType).toBe(type);
  });

  test("are, of a company, who acts for it, with the company's address and telephone", () => {
    const company = { isCompany: true, name: "Acme Obres SL", surname: "", documentId: "B12345674" };
    expect(missingOfPeople("RV", renter({}, company))).toEqual(["representative_name", "representative_surname"]);
    expect(missingOfPeople("AV", renter({}, company))).toContain("representative_document_id");
    const acting = {
      ...{ representative_name: "Eva", representative_surname: "Puig Mas", representative_document_id: "00000000T" },
      ...{ customer_address_street: "Carrer Nou 3", customer_address_city: "Palma", customer_address_zip: "07001" },
      ...{ customer_address_country: "ES", driver_driving_license_number: "1" },
      driver_driving_license_expiration_date: "2030-01-31",
    };
    const party = renter(acting, company);
    expect(missingOfPeople("AV", party)).toEqual([]);
    const [rents, drives] = peopleOf(party);
    expect(rents).toMatchObject({
      name: "Eva",
      surname: "Puig",
      secondSurname: "Mas",
      documentType: "NIF",
      phone: "+34600111222",
    });
    expect(rents?.address).toMatchObject({ street: "Carrer Nou 3", municipality: "07040" });
    expect(drives).toMatchObject({ role: "CP", name: "Eva", documentId: "00000000T", licence: { number: "1" } });
    // Whoever drives shows papers of their own.
    const other = renter({ ...acting, driver_name: "Tom", driver_surname: "Roe" }, company);
    expect(missingOfPeople("AV", other)).toEqual(["driver_document_id"]);
    expect(peopleOf(other).map(({ name }) => name)).toEqual(["Eva", "Tom"]);
  });

  test("are told in as many parts as there are additional drivers, each beside the same renter and driver", () => {
    const more = {
      ...{ additional_driver_1_name: "Tom", additional_driver_1_surname: "Roe" },
      ...{ additional_driver_2_name: "Una", additional_driver_2_surname: "Poe" },
    };
    expect([partsOf({ data: {} }), partsOf({ data: more })]).toEqual([[1], [1, 2]]);
    const names = (part: number) => peopleOf({ ...renter(more), part }).map(({ name }) => name);
    expect([names(1), names(2)]).toEqual([
      ["Ana", "Ana", "Tom"],
      ["Ana", "Ana", "Una"],
    ]);
    expect(missingOfPeople("AV", { ...renter(more), part: 2 })).toContain("additional_driver_2_document_id");
    expect(askedAtVehicle(renter(more)).missing).toEqual(
      expect.arrayContaining(["additional_driver_1_document_id", "additional_driver_2_driving_license_number"]),
    );
    // Where the second one alone is named, it goes with the first part.
    const { additional_driver_1_name: _, additional_driver_1_surname: __, ...second } = more;
    expect(peopleOf(renter(second)).map(({ name }) => name)).toEqual(["Ana", "Ana", "Una"]);
  });

  test("have two surnames where they have a Spanish number as citizens", () => {
    const one = (surname: string, data = {}) =>
      missingOfPeople("AV", renter(data, { surname, documentId: "12345678Z" })).includes("customer_second_surname");
    expect([one("García"), one("García López"), one("García", { customer_second_surname: "López" })]).toEqual([
      true,
      false,
      false,
    ]);
  });

  test("are asked for their municipality in the office alone, for a Spanish town that its province does not have", () => {
    const at = (city: string, zip = "07001") => ({
      customer_address_street: "Carrer Major",
      customer_address_city: city,
      customer_address_zip: zip,
      customer_address_country: "ES",
    });
    const asks = (data: Readonly<Record<string, string>>) =>
      missingOfPeople("AV", { ...renter(data), codes: CODES }).includes("customer_address[city_code]");
    expect([
      asks(at("palma")),
      asks(at("Ciutat")),
      asks({ ...at("Ciutat"), customer_address_city_code: "07040" }),
    ]).toEqual([false, true, false]);
    expect(askedAtVehicle(renter(at("Ciutat"))).missing).not.toContain("customer_address[city_code]");
  });
});

describe("a word", () => {
  test.each([
    ["brand", "seat", "SEAT"],
    ["brand", "Mercedes-Benz", "MERCEDES"],
    ["color", "Blau", "AZUL"],
    ["color", "Arena", undefined],
  ] as const)("of the list %s, %s, goes as %s", (list, word, code) => {
    expect(codeOf(CODES, list, word)).toBe(code);
  });

  test("goes as it is where no list was fetched, and as all others where the company chose that", () => {
    expect(codeOf(NO_CODES, "brand", "Škoda")).toBe("ŠKODA");
    expect(codeOf({ ...CODES, chosen: { "color:*": "OTRO" } }, "color", "Arena")).toBe("OTRO");
    expect(codeOf(CODES, "brand", undefined)).toBeUndefined();
  });

  test.each([
    ["07001", "Palma", "07040"],
    ["07660", "es Mercadal", "07037"],
    ["20001", "San Sebastián", "20069"],
    ["20001", "DONOSTIA", "20069"],
    ["07001", "Madrid", undefined],
    ["28001", "Madrid", undefined],
  ])("of the municipality at %s, %s, goes as %s", (zip, city, code) => {
    expect(municipalityOf(CODES, zip, city)).toBe(code);
  });

  test("that is no Spanish post code has no province", () => {
    expect(["07001", "99001", "LS1 1AA", "00123", undefined].map((zip) => provinceOf(zip))).toEqual([
      "07",
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("what is missing of a whole rental", () => {
  test("is nothing, then what the vehicle lacks and what no list has", () => {
    expect(missingForCommunication("AV", aRental())).toEqual([]);
    const { vehicle } = aRental();
    const without = aRental({ vehicle: vehicle && { ...vehicle, vin: undefined, color: "Arena" } });
    expect(missingForCommunication("AV", without)).toEqual(["stock_vin", "color_code"]);
    expect(missingForCommunication("RV", without)).toEqual([]);
  });

  test("is kept as a booking keeps it: the customer's own columns and the rest of the contract", () => {
    expect(
      toKept({ customer_document_id: "X1", "customer_address[zip]": "07001", driver_origin_country: "GB" }),
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
  const given = { ...nothing, ...consentChange(nothing, { given: true, door: "desk" }, 5) };

  test("is what was said last, and saying the same again changes nothing", () => {
    expect([mayBeToldOffers(nothing), mayBeToldOffers(given)]).toEqual([false, true]);
    expect(consentChange(given, { given: true, door: "mail" }, 9)).toEqual({});
    const withdrawn = { ...given, ...consentChange(given, { given: false, door: "mail" }, 9) };
    expect(withdrawn).toMatchObject({ marketingConsentAt: 5, marketingWithdrawnAt: 9, marketingWithdrawnDoor: "mail" });
    expect(mayBeToldOffers(withdrawn)).toBe(false);
  });

  test("of two who are one is what either said last: a withdrawal is not lost", () => {
    const withdrawn = { ...given, marketingWithdrawnAt: 9, marketingWithdrawnDoor: "phone" as const };
    expect(consentOfMerged(withdrawn, given)).toMatchObject({ marketingWithdrawnAt: 9 });
    expect(consentOfMerged(given, withdrawn)).toEqual({});
  });
});
