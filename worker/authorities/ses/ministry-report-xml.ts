import { toThreeLetterCountryCode } from "#domain/countries.ts";
import { findAuthorityCode } from "#domain/ministry-reports/lists.ts";
import { listReportedPersons, type ReportedPerson } from "#domain/ministry-reports/people.ts";
import type { MinistryReportKind, RentalPlace, ReportedRental } from "#domain/ministry-reports/rental.ts";
import { toReportedText } from "#domain/ministry-reports/shortened-data.ts";
import { formatElement, formatTextElement } from "#worker/authorities/xml.ts";

const BASE = "http://www.neg.hospedajes.mir.es";
const NAMES = { RV: "altaReservaVehiculo", AV: "altaAlquilerVehiculo" } as const;

/** Creates a rental's report to the ministry as included in its batch. Only the root has a namespace. */
export function writeMinistryReportXml(kind: MinistryReportKind, rental: ReportedRental): string {
  const persons = listReportedPersons(rental);
  return formatElement(
    `alt:peticion xmlns:alt="${BASE}/${NAMES[kind]}"`,
    formatElement(
      "solicitud",
      formatElement(
        "comunicacion",
        contractXml(rental),
        vehicleXml(kind, rental),
        ...persons.map((person) => personXml(kind, person)),
      ),
    ),
  );
}

function contractXml(rental: ReportedRental): string {
  return formatElement(
    "contrato",
    formatTextElement("referencia", getPartReference(rental)),
    formatTextElement("fechaContrato", rental.contractDate),
    formatTextElement("fechaRecogida", rental.pickupAt),
    placeXml("Recogida", rental.pickup),
    placeXml("Devolucion", rental.return),
    formatTextElement("fechaDevolucion", rental.returnAt),
    formatElement("pago", formatTextElement("tipoPago", rental.payment)),
  );
}

// A report in several parts needs a reference for each.
const getPartReference = ({ reference, part = 1 }: ReportedRental) => (part === 1 ? reference : `${reference}/${part}`);

function placeXml(name: string, place: RentalPlace): string | undefined {
  if (place.establishment) return formatTextElement(`codigoEstablecimiento${name}`, place.establishment);
  return addressXml(`direccion${name}`, place);
}

// Uses the statistical office's code of the municipality. If unknown, uses its name.
function addressXml(name: string, { street, city, zip, country, municipality }: RentalPlace): string {
  const isCode = /^\d{5}$/.test(municipality ?? "");
  return formatElement(
    name,
    formatTextElement("direccion", toReportedText("street", street ?? "")),
    isCode && formatTextElement("codigoMunicipio", municipality),
    !isCode && formatTextElement("nombreMunicipio", toReportedText("city", city)),
    formatTextElement("codigoPostal", zip ?? ""),
    formatTextElement("pais", toThreeLetterCountryCode(country) ?? "ESP"),
  );
}

function vehicleXml(kind: MinistryReportKind, { category, vehicle, codes }: ReportedRental): string {
  const { chosen } = codes;
  const known = kind === "AV" ? vehicle : undefined;
  return formatElement(
    "vehiculo",
    formatTextElement("categoria", toReportedText("category", category)),
    known && formatTextElement("tipo", chosen[`type:${category}`] ?? chosen["type:*"] ?? "TURISMO"),
    known && formatTextElement("marca", findAuthorityCode(codes, "brand", known.brand)),
    known && formatTextElement("modelo", toReportedText("model", known.model)),
    known && formatTextElement("matricula", known.plate),
    known && formatTextElement("numeroBastidor", known.vin),
    known && formatTextElement("color", findAuthorityCode(codes, "color", known.color)),
    known?.kilometres !== undefined && formatTextElement("kmRecogida", String(known.kilometres)),
  );
}

function personXml(kind: MinistryReportKind, person: ReportedPerson): string {
  const isFullMinistryReport = kind === "AV";
  const { licence, address } = person;
  return formatElement(
    "persona",
    formatElement(
      "datosPersona",
      formatTextElement("rol", person.role),
      formatTextElement("nombre", toReportedText("name", person.name)),
      formatTextElement("apellido1", toReportedText("name", person.surname)),
      formatTextElement("apellido2", toReportedText("name", person.secondSurname)),
      isFullMinistryReport && formatTextElement("tipoDocumento", person.documentType),
      isFullMinistryReport && formatTextElement("numeroDocumento", person.documentId),
      isFullMinistryReport && formatTextElement("fechaNacimiento", person.dateOfBirth),
      isFullMinistryReport && formatTextElement("nacionalidad", person.nationality),
      isFullMinistryReport && address && addressXml("direccion", address),
      formatTextElement("telefono", person.phone),
      formatTextElement("telefono2", person.secondPhone),
      formatTextElement("correo", person.email),
    ),
    isFullMinistryReport &&
      licence &&
      formatElement(
        "permisoConducir",
        formatTextElement("tipo", licence.type),
        formatTextElement("validez", licence.validUntil),
        formatTextElement("numero", licence.number),
      ),
  );
}

/** Withdraws a report by the ministry's code. */
export function writeAnnulmentXml(code: string): string {
  return formatElement(
    `anul:comunicaciones xmlns:anul="${BASE}/anularComunicacion"`,
    formatTextElement("anul:codigoComunicacion", code),
  );
}
