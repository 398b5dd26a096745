import { type Codes, findCode } from "#domain/communications/lists.ts";
import { type CommunicatedPerson, getPersons } from "#domain/communications/people.ts";
import type { CommunicatedRental, CommunicationKind, RentalPlace } from "#domain/communications/rental.ts";
import { threeLetters } from "#domain/countries.ts";
import { leaf, node } from "#worker/authorities/xml.ts";

const BASE = "http://www.neg.hospedajes.mir.es";
const NAMES = { RV: "altaReservaVehiculo", AV: "altaAlquilerVehiculo" } as const;

const cut = (text: string | undefined, maxLength: number) =>
  text === undefined ? undefined : [...text].slice(0, maxLength).join("");

/** Creates the communication of a rental as included in its lot. Only the root has a namespace. */
export function communicationXml(kind: CommunicationKind, rental: CommunicatedRental): string {
  const persons = getPersons(rental);
  return node(
    `alt:peticion xmlns:alt="${BASE}/${NAMES[kind]}"`,
    node(
      "solicitud",
      node(
        "comunicacion",
        contractXml(rental),
        vehicleXml(kind, rental),
        ...persons.map((person) => personXml(kind, person, rental.codes)),
      ),
    ),
  );
}

function contractXml(rental: CommunicatedRental): string {
  return node(
    "contrato",
    leaf("referencia", cut(getPartReference(rental), 50)),
    leaf("fechaContrato", rental.contractDate),
    leaf("fechaRecogida", rental.pickupAt),
    placeXml("Recogida", rental.pickup),
    placeXml("Devolucion", rental.return),
    leaf("fechaDevolucion", rental.returnAt),
    node("pago", leaf("tipoPago", rental.payment)),
  );
}

// A communication in several parts needs a reference for each.
const getPartReference = ({ reference, part = 1 }: CommunicatedRental) =>
  part === 1 ? reference : `${reference}/${part}`;

function placeXml(name: string, place: RentalPlace): string | undefined {
  if (place.establishment) return leaf(`codigoEstablecimiento${name}`, cut(place.establishment, 10));
  return addressXml(`direccion${name}`, place);
}

// Uses the statistical office's code of the municipality. If unknown, uses its name.
function addressXml(name: string, { street, city, zip, country, municipality }: RentalPlace): string {
  const isCode = /^\d{5}$/.test(municipality ?? "");
  return node(
    name,
    leaf("direccion", cut(street ?? "", 100)),
    isCode && leaf("codigoMunicipio", municipality),
    !isCode && city !== undefined && leaf("nombreMunicipio", cut(city, 100)),
    leaf("codigoPostal", cut(zip ?? "", 20)),
    leaf("pais", threeLetters(country) ?? "ESP"),
  );
}

function vehicleXml(kind: CommunicationKind, { category, vehicle, codes }: CommunicatedRental): string {
  const { chosen } = codes;
  const known = kind === "AV" ? vehicle : undefined;
  return node(
    "vehiculo",
    leaf("categoria", cut(category, 50)),
    known && leaf("tipo", cut(chosen[`type:${category}`] ?? chosen["type:*"] ?? "TURISMO", 10)),
    known && leaf("marca", cut(findCode(codes, "brand", known.brand), 10)),
    known && leaf("modelo", cut(known.model, 50)),
    known && leaf("matricula", cut(known.plate, 25)),
    known && leaf("numeroBastidor", cut(known.vin, 17)),
    known && leaf("color", cut(findCode(codes, "color", known.color), 10)),
    known?.kilometres !== undefined && leaf("kmRecogida", String(known.kilometres)),
  );
}

function personXml(kind: CommunicationKind, person: CommunicatedPerson, codes: Codes): string {
  const isFullCommunication = kind === "AV";
  const { licence, address } = person;
  return node(
    "persona",
    node(
      "datosPersona",
      leaf("rol", person.role),
      leaf("nombre", cut(person.name, 50)),
      leaf("apellido1", cut(person.surname, 50)),
      leaf("apellido2", cut(person.secondSurname, 50)),
      isFullCommunication && leaf("tipoDocumento", person.documentType),
      isFullCommunication && leaf("numeroDocumento", cut(person.documentId, 15)),
      isFullCommunication && leaf("fechaNacimiento", person.dateOfBirth),
      isFullCommunication && leaf("nacionalidad", person.nationality),
      isFullCommunication && address && addressXml("direccion", address),
      leaf("telefono", cut(person.phone?.replaceAll(/[^\d+]/g, "") || undefined, 20)),
      leaf("correo", isMail(person.email) ? person.email : undefined),
    ),
    isFullCommunication &&
      licence &&
      node(
        "permisoConducir",
        leaf("tipo", cut(findCode(codes, "licence", licence.type) ?? licence.type, 5)),
        leaf("validez", licence.validUntil),
        leaf("numero", cut(licence.number, 25)),
      ),
  );
}

function isMail(text: string | undefined): boolean {
  return text !== undefined && text.length <= 250 && /^[^@]+@[^.]+\..+$/.test(text);
}

/** Withdraws a communication by the ministry's code. */
export function annulmentXml(code: string): string {
  return node(`anul:comunicaciones xmlns:anul="${BASE}/anularComunicacion"`, leaf("anul:codigoComunicacion", code));
}
