import { describe, expect, test } from "vitest";
import { annulmentXml, communicationXml } from "#worker/authorities/ses/communication-xml.ts";
import { find, findAll, parseXml, textOf, type XmlElement } from "#worker/authorities/xml.ts";
import { aRental } from "./a-rental.ts";

// The sequences of the ministry's schema (altaAlquilerVehiculo, altaReservaVehiculo, tiposGenerales): each in its
// order.
const ORDER: Readonly<Record<string, readonly string[]>> = {
  comunicacion: ["contrato", "vehiculo", "persona"],
  contrato: [
    ...["referencia", "fechaContrato", "fechaRecogida", "codigoEstablecimientoRecogida", "direccionRecogida"],
    ...["codigoEstablecimientoDevolucion", "direccionDevolucion", "fechaDevolucion", "pago"],
  ],
  vehiculo: ["categoria", "tipo", "marca", "modelo", "matricula", "numeroBastidor", "color", "kmRecogida"],
  persona: ["datosPersona", "permisoConducir"],
  datosPersona: [
    ...["rol", "nombre", "apellido1", "apellido2", "tipoDocumento", "numeroDocumento", "fechaNacimiento"],
    ...["nacionalidad", "direccion", "telefono", "correo"],
  ],
  permisoConducir: ["tipo", "validez", "numero"],
  direccion: ["direccion", "codigoMunicipio", "nombreMunicipio", "codigoPostal", "pais"],
};

/** What of an element and of all in it stands where the schema does not have it. */
function misplaced(of: XmlElement): readonly string[] {
  const order = ORDER[of.name.startsWith("direccion") && of.children.length > 0 ? "direccion" : of.name];
  const places = of.children.map(({ name }) => order?.indexOf(name) ?? 0);
  const isInOrder = places.every((place, index) => place >= (places[index - 1] ?? 0));
  return [...(isInOrder ? [] : [of.name]), ...of.children.flatMap(misplaced)];
}

const whole = aRental();
const foreign = {
  ...whole.data,
  ...{ customer_address_street: "1 High St", customer_address_city: "Leeds", customer_address_zip: "LS1 1AA" },
  ...{ customer_address_country: "GB", driver_origin_country: "GB" },
};
const others = {
  ...whole.data,
  ...{ driver_is_customer: "false", driver_name: "Eva", driver_surname: "Puig Mas", driver_document_id: "00000000T" },
  ...{ additional_driver_1_name: "Tom", additional_driver_1_surname: "Roe", additional_driver_1_document_id: "P777" },
};

const third = {
  ...others,
  ...{ additional_driver_2_name: "Una", additional_driver_2_surname: "Poe", additional_driver_2_document_id: "P778" },
  additional_driver_2_driving_license_number: "9",
  additional_driver_2_driving_license_expiration_date: "2031-01-31",
};
const company = {
  customer: { ...whole.customer, isCompany: true, name: "Acme Obres SL", surname: "", documentId: "B12345674" },
  data: {
    ...whole.data,
    ...{ representative_name: "Eva", representative_surname: "Puig Mas", representative_document_id: "00000000T" },
  },
};

describe("a communication of a rental", () => {
  test.each([
    ["of a hand-over", "AV", whole, ["TI", "CP"]],
    ["of a hand-over to a foreigner", "AV", aRental({ data: foreign }), ["TI", "CP"]],
    ["of a hand-over to two other drivers", "AV", aRental({ data: others }), ["TI", "CP", "CS"]],
    ["of a hand-over to a company", "AV", aRental({ ...company }), ["TI", "CP"]],
    ["of a hand-over to a third driver", "AV", aRental({ data: third, part: 2 }), ["TI", "CP", "CS"]],
    ["of a reservation", "RV", aRental({ vehicle: undefined, data: {} }), ["TI", "CP"]],
  ] as const)("%s has its elements in the schema's order, and its people", (_what, kind, rental, roles) => {
    const root = parseXml(communicationXml(kind, rental));
    expect(misplaced(root)).toEqual([]);
    expect(findAll(root, "rol").map(({ text }) => text)).toEqual(roles);
  });

  test("gives a Spanish address the code of its municipality, another the name of its town", () => {
    const home = (data: typeof whole.data) =>
      find(findAll(parseXml(communicationXml("AV", aRental({ data }))), "persona")[0], "direccion");
    expect([textOf(home(whole.data), "codigoMunicipio"), textOf(home(whole.data), "nombreMunicipio")]).toEqual([
      "07040",
      undefined,
    ]);
    expect([textOf(home(foreign), "codigoMunicipio"), textOf(home(foreign), "nombreMunicipio")]).toEqual([
      undefined,
      "Leeds",
    ]);
  });

  test("tells a vehicle by the ministry's codes, its kind by the category where the company chose one", () => {
    const told = (chosen: Readonly<Record<string, string>>) => {
      const root = parseXml(communicationXml("AV", aRental({ codes: { ...whole.codes, chosen } })));
      return ["tipo", "marca", "color"].map((name) => textOf(find(root, "vehiculo"), name));
    };
    expect(told({})).toEqual(["TURISMO", "SEAT", "BLANCO"]);
    expect(told({ "type:Economy": "FURGONETA", "brand:Seat": "OTRO" })).toEqual(["FURGONETA", "OTRO", "BLANCO"]);
  });

  test("of a reservation says nothing of vehicles, documents and licences", () => {
    const text = communicationXml("RV", whole);
    for (const name of ["marca", "matricula", "numeroDocumento", "permisoConducir"]) expect(text).not.toContain(name);
  });

  test("is XML whatever a name holds: what XML has no place for is left out, the rest stands as it was", () => {
    const name = "A\u0000\ufffe\uffff\ud800 <b>&\u{1f600}";
    const root = parseXml(communicationXml("AV", aRental({ customer: { ...whole.customer, name } })));
    expect(textOf(root, "nombre")).toBe("A\ufffd <b>&\u{1f600}");
  });

  test("is taken back by the ministry's own code of it", () => {
    expect(textOf(parseXml(annulmentXml("f81d4fae")), "codigoComunicacion")).toBe("f81d4fae");
  });
});
