import { toThreeLetterCountryCode } from "#domain/countries.ts";
import { findAuthorityCode } from "#domain/ministry-reports/lists.ts";
import { listReportedPersons, type ReportedPerson } from "#domain/ministry-reports/people.ts";
import type { MinistryReportKind, RentalPlace, ReportedRental } from "#domain/ministry-reports/rental.ts";
import { toReportedText } from "#domain/ministry-reports/shortened-data.ts";
import { writeElement, writeTextElement } from "#worker/authorities/xml.ts";

const BASE = "http://www.neg.hospedajes.mir.es";
const NAMES = { RV: "altaReservaVehiculo", AV: "altaAlquilerVehiculo" } as const;

/** Creates a rental's report to the ministry as included in its batch. Only the root has a namespace. */
export function writeMinistryReportXml(kind: MinistryReportKind, rental: ReportedRental): string {
  const persons = listReportedPersons(rental);
  return writeElement(
    `alt:peticion xmlns:alt="${BASE}/${NAMES[kind]}"`,
    writeElement(
      "solicitud",
      writeElement(
        "comunicacion",
        contractXml(rental),
        vehicleXml(kind, rental),
        ...persons.map((person) => personXml(kind, person)),
      ),
    ),
  );
}

function contractXml(rental: ReportedRental): string {
  return writeElement(
    "contrato",
    writeTextElement("referencia", getPartReference(rental)),
    writeTextElement("fechaContrato", rental.contractDate),
    writeTextElement("fechaRecogida", rental.pickupAt),
    placeXml("Recogida", rental.pickup),
    placeXml("Devolucion", rental.return),
    writeTextElement("fechaDevolucion", rental.returnAt),
    writeElement("pago", writeTextElement("tipoPago", rental.payment)),
  );
}

// A report in several parts needs a reference for each.
const getPartReference = ({ reference, part = 1 }: ReportedRental) => (part === 1 ? reference : `${reference}/${part}`);

function placeXml(name: string, place: RentalPlace): string | undefined {
  if (place.establishment) return writeTextElement(`codigoEstablecimiento${name}`, place.establishment);
  return addressXml(`direccion${name}`, place);
}

// Uses the statistical office's code of the municipality. If unknown, uses its name.
function addressXml(name: string, { street, city, zip, country, municipality }: RentalPlace): string {
  const isCode = /^\d{5}$/.test(municipality ?? "");
  return writeElement(
    name,
    writeTextElement("direccion", toReportedText("street", street ?? "")),
    isCode && writeTextElement("codigoMunicipio", municipality),
    !isCode && writeTextElement("nombreMunicipio", toReportedText("city", city)),
    writeTextElement("codigoPostal", zip ?? ""),
    writeTextElement("pais", toThreeLetterCountryCode(country) ?? "ESP"),
  );
}

function vehicleXml(kind: MinistryReportKind, { category, vehicle, codes }: ReportedRental): string {
  const { chosen } = codes;
  const known = kind === "AV" ? vehicle : undefined;
  return writeElement(
    "vehiculo",
    writeTextElement("categoria", toReportedText("category", category)),
    known && writeTextElement("tipo", chosen[`type:${category}`] ?? chosen["type:*"] ?? "TURISMO"),
    known && writeTextElement("marca", findAuthorityCode(codes, "brand", known.brand)),
    known && writeTextElement("modelo", toReportedText("model", known.model)),
    known && writeTextElement("matricula", known.plate),
    known && writeTextElement("numeroBastidor", known.vin),
    known && writeTextElement("color", findAuthorityCode(codes, "color", known.color)),
    known?.kilometres !== undefined && writeTextElement("kmRecogida", String(known.kilometres)),
  );
}

function personXml(kind: MinistryReportKind, person: ReportedPerson): string {
  const isFullMinistryReport = kind === "AV";
  const { licence, address } = person;
  return writeElement(
    "persona",
    writeElement(
      "datosPersona",
      writeTextElement("rol", person.role),
      writeTextElement("nombre", toReportedText("name", person.name)),
      writeTextElement("apellido1", toReportedText("name", person.surname)),
      writeTextElement("apellido2", toReportedText("name", person.secondSurname)),
      isFullMinistryReport && writeTextElement("tipoDocumento", person.documentType),
      isFullMinistryReport && writeTextElement("numeroDocumento", person.documentId),
      isFullMinistryReport && writeTextElement("fechaNacimiento", person.dateOfBirth),
      isFullMinistryReport && writeTextElement("nacionalidad", person.nationality),
      isFullMinistryReport && address && addressXml("direccion", address),
      writeTextElement("telefono", person.phone),
      writeTextElement("telefono2", person.secondPhone),
      writeTextElement("correo", person.email),
    ),
    isFullMinistryReport &&
      licence &&
      writeElement(
        "permisoConducir",
        writeTextElement("tipo", licence.type),
        writeTextElement("validez", licence.validUntil),
        writeTextElement("numero", licence.number),
      ),
  );
}

/** Withdraws a report by the ministry's code. */
export function writeAnnulmentXml(code: string): string {
  return writeElement(
    `anul:comunicaciones xmlns:anul="${BASE}/anularComunicacion"`,
    writeTextElement("anul:codigoComunicacion", code),
  );
}
