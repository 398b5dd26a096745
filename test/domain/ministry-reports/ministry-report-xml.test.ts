import { describe, expect, test } from "vitest";
import { findDescendant, findOutermostDescendants, getChildText, type XmlElement } from "#domain/xml.ts";
import { writeAnnulmentXml, writeMinistryReportXml } from "#worker/authorities/ses/ministry-report-xml.ts";
import { parseAuthorityXml } from "#worker/authorities/xml.ts";
import { createReportedRental } from "./reported-rental.ts";

// Element order of the ministry's schema (altaAlquilerVehiculo, altaReservaVehiculo, tiposGenerales).
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

/** Lists elements at positions that the schema doesn't allow. */
function listMisplacedElements(element: XmlElement): readonly string[] {
  const order = ORDER[element.name.startsWith("direccion") && element.children.length > 0 ? "direccion" : element.name];
  const places = element.children.map(({ name }) => order?.indexOf(name) ?? 0);
  const isInOrder = places.every((place, index) => place >= (places[index - 1] ?? 0));
  return [...(isInOrder ? [] : [element.name]), ...element.children.flatMap(listMisplacedElements)];
}

const fullRental = createReportedRental();
const foreign = {
  ...fullRental.data,
  ...{ customer_address_street: "1 High St", customer_address_city: "Leeds", customer_address_zip: "LS1 1AA" },
  ...{ customer_address_country: "GB", driver_origin_country: "GB" },
};
const others = {
  ...fullRental.data,
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
  customer: { ...fullRental.customer, isCompany: true, name: "Acme Obres SL", surname: "", documentId: "B12345674" },
  data: {
    ...fullRental.data,
    ...{ representative_name: "Eva", representative_surname: "Puig Mas", representative_document_id: "00000000T" },
  },
};

describe("a report of a rental to the ministry", () => {
  test.each([
    ["of a hand-over", "AV", fullRental, ["TI", "CP"]],
    ["of a hand-over to a foreigner", "AV", createReportedRental({ data: foreign }), ["TI", "CP"]],
    ["of a hand-over to two other drivers", "AV", createReportedRental({ data: others }), ["TI", "CP", "CS"]],
    ["of a hand-over to a company", "AV", createReportedRental({ ...company }), ["TI", "CP"]],
    ["of a hand-over to a third driver", "AV", createReportedRental({ data: third, part: 2 }), ["TI", "CP", "CS"]],
    ["of a reservation", "RV", createReportedRental({ vehicle: undefined, data: {} }), ["TI", "CP"]],
  ] as const)(
    "writes a report %s with its people, and with elements in the order of the ministry's schema",
    (_what, kind, rental, roles) => {
      const root = parseAuthorityXml(writeMinistryReportXml(kind, rental));
      expect(listMisplacedElements(root)).toEqual([]);
      expect(findOutermostDescendants(root, "rol").map(({ text }) => text)).toEqual(roles);
    },
  );

  test("writes the municipality's code for a Spanish address, and the town's name for others", () => {
    const home = (data: typeof fullRental.data) =>
      findDescendant(
        findOutermostDescendants(
          parseAuthorityXml(writeMinistryReportXml("AV", createReportedRental({ data }))),
          "persona",
        )[0],
        "direccion",
      );
    expect([
      getChildText(home(fullRental.data), "codigoMunicipio"),
      getChildText(home(fullRental.data), "nombreMunicipio"),
    ]).toEqual(["07040", undefined]);
    expect([getChildText(home(foreign), "codigoMunicipio"), getChildText(home(foreign), "nombreMunicipio")]).toEqual([
      undefined,
      "Leeds",
    ]);
  });

  test("uses the ministry's vehicle codes, with the kind from the category if the company set one", () => {
    const reportCodes = (chosen: Readonly<Record<string, string>>) => {
      const root = parseAuthorityXml(
        writeMinistryReportXml("AV", createReportedRental({ codes: { ...fullRental.codes, chosen } })),
      );
      return ["tipo", "marca", "color"].map((name) => getChildText(findDescendant(root, "vehiculo"), name));
    };
    expect(reportCodes({})).toEqual(["TURISMO", "SEAT", "BLANCO"]);
    expect(reportCodes({ "type:Economy": "FURGONETA", "brand:Seat": "OTRO" })).toEqual(["FURGONETA", "OTRO", "BLANCO"]);
  });

  test("omits vehicles, documents and licences from the report of a reservation to the ministry", () => {
    const text = writeMinistryReportXml("RV", fullRental);
    const contract = writeMinistryReportXml("AV", fullRental);
    for (const name of ["marca", "matricula", "numeroDocumento", "permisoConducir"]) {
      expect(contract).toContain(`<${name}>`);
      expect(text).not.toContain(name);
    }
  });

  test("creates valid XML for a name with markup and invalid characters, and drops only the invalid ones", () => {
    const name = "A\u0000\ufffe\uffff\ud800 <b>&\u{1f600}";
    const root = parseAuthorityXml(
      writeMinistryReportXml("AV", createReportedRental({ customer: { ...fullRental.customer, name } })),
    );
    expect(getChildText(root, "nombre")).toBe("A\ufffd <b>&\u{1f600}");
  });

  test("annuls a report by the code that the ministry assigned to it", () => {
    expect(getChildText(parseAuthorityXml(writeAnnulmentXml("f81d4fae")), "codigoComunicacion")).toBe("f81d4fae");
  });
});
