import { threeLetters } from "./countries.ts";
import { codeOf } from "./lists.ts";
import {
  additionalOf,
  type CommunicatedParty,
  type CommunicatedPerson,
  isDriverOther,
  partsOf,
  peopleOf,
  renterPrefix,
} from "./people.ts";
import type { CommunicatedRental, CommunicationKind } from "./rental.ts";

type Asked = readonly (readonly [name: string, value: unknown])[];

/** People beside who rents, by the names of the contract data. */
type Others = readonly (readonly [prefix: string, person: CommunicatedPerson])[];

const ofEach = (people: Others, ask: (prefix: string, person: CommunicatedPerson) => Asked) =>
  people.flatMap(([prefix, person]) => ask(prefix, person));

const unsaid = (asked: Asked) => asked.flatMap(([name, value]) => (value ? [] : [name]));

/**
 * What a communication still lacks, by the names of the contract data (docs/interfaces/ses.md#data), so that it can be
 * asked for before the vehicle goes out.
 */
export function missingForCommunication(kind: CommunicationKind, rental: CommunicatedRental): readonly string[] {
  const places: Asked = [
    ["pickup_place_address", rental.pickup.establishment ?? (rental.pickup.street && rental.pickup.zip)],
    ["return_place_address", rental.return.establishment ?? (rental.return.street && rental.return.zip)],
  ];
  const { vehicle, codes } = rental;
  const ofVehicle: Asked = [
    ["stock_brand", vehicle?.brand],
    ["stock_model", vehicle?.model],
    ["stock_plate", vehicle?.plate],
    ["stock_vin", vehicle?.vin],
    ["stock_color", vehicle?.color],
    ["brand_code", !vehicle?.brand || codeOf(codes, "brand", vehicle.brand)],
    ["color_code", !vehicle?.color || codeOf(codes, "color", vehicle.color)],
  ];
  return [...missingOfPeople(kind, rental), ...unsaid(places), ...(kind === "AV" ? unsaid(ofVehicle) : [])];
}

/** What is missing of the people alone: it can be asked for wherever a person stands. */
export function missingOfPeople(kind: CommunicationKind, party: CommunicatedParty): readonly string[] {
  const [renter, driver, second] = peopleOf(party);
  if (!renter || !driver) return [];
  const rents = renterPrefix(party);
  const additional = additionalOf(party);
  const always: Asked = [
    [`${rents}_name`, renter.name],
    [`${rents}_surname`, renter.surname],
    ["customer_phone", renter.phone ?? renter.email],
  ];
  const other: Others = isDriverOther(party) ? [["driver", driver]] : [];
  const further: Others = second && additional ? [[additional, second]] : [];
  if (kind === "RV") return unsaid([...always, ...ofEach([...other, ...further], nameOf)]);
  return unsaid([
    ...always,
    ...documentOf(rents, renter),
    ...addressOf(renter),
    ...ofEach(other, papersOf),
    ...licenceOf("driver", driver),
    ...ofEach(further, papersOf),
    ...ofEach(further, licenceOf),
  ]);
}

/** What the law's sheet names too: it is asked for, and the communication goes without it. */
export function wishedOfPeople(party: CommunicatedParty): readonly string[] {
  const [, driver] = peopleOf(party);
  return unsaid([
    ["driver_date_of_birth", driver?.dateOfBirth],
    ["driver_origin_country", driver?.nationality],
  ]);
}

// Who has a Spanish number as a citizen has two surnames, and the ministry wants both.
function documentOf(prefix: string, { documentId, documentType, surname, secondSurname }: CommunicatedPerson): Asked {
  return [
    [`${prefix}_document_id`, documentId],
    [`${prefix}_second_surname`, documentType !== "NIF" || !surname || secondSurname],
  ];
}

function nameOf(prefix: string, { name, surname }: CommunicatedPerson): Asked {
  return [
    [`${prefix}_name`, name],
    [`${prefix}_surname`, surname],
  ];
}

function papersOf(prefix: string, person: CommunicatedPerson): Asked {
  return [...nameOf(prefix, person), ...documentOf(prefix, person)];
}

function licenceOf(prefix: string, { licence }: CommunicatedPerson): Asked {
  return [
    [`${prefix}_driving_license_number`, licence?.number],
    [`${prefix}_driving_license_expiration_date`, licence?.validUntil],
  ];
}

// A Spanish municipality goes by its code, which is asked for where its province's list has no such name.
function addressOf({ address }: CommunicatedPerson): Asked {
  const isSpanish = threeLetters(address?.country) === "ESP";
  const isKnown = !isSpanish || !address?.city || !address.zip || address.municipality !== undefined;
  return [
    ["customer_address[street]", address?.street],
    ["customer_address[city]", address?.city],
    ["customer_address[zip]", address?.zip],
    ["customer_address[country]", threeLetters(address?.country)],
    ["customer_address[city_code]", isKnown],
  ];
}

/** What a person at the vehicle can still ask for; a municipality's code is found, or chosen in the office. */
export function askedAtVehicle(party: CommunicatedParty): {
  readonly missing: readonly string[];
  readonly wished: readonly string[];
} {
  const ofParts = partsOf(party).flatMap((part) => missingOfPeople("AV", { ...party, part }));
  const missing = [...new Set(ofParts)].filter((name) => name !== "customer_address[city_code]");
  return { missing, wished: wishedOfPeople(party) };
}
