import type { ContractData } from "#domain/bookings/bookings.ts";
import { parseSpanishTaxId } from "#domain/tax-records/tax-id.ts";
import { threeLetters } from "./countries.ts";

/** RV: a reservation; AV: a rental that began. */
export type CommunicationKind = "RV" | "AV";

/** Where a vehicle is handed over or taken back. */
export interface CommunicatedPlace {
  /** The ministry's own code of the place of business. */
  readonly establishment: string | undefined;
  readonly street: string | undefined;
  readonly city: string | undefined;
  readonly zip: string | undefined;
  readonly country: string | undefined;
}

/** A rental as it stands: plain data, whatever keeps it. Times are the account's own, `2026-11-21T10:00:00`. */
export interface CommunicatedRental {
  readonly reference: string;
  readonly contractDate: string;
  readonly pickupAt: string;
  readonly returnAt: string;
  readonly pickup: CommunicatedPlace;
  readonly return: CommunicatedPlace;
  readonly payment: string;
  readonly category: string;
  readonly customer: {
    readonly name: string;
    readonly surname: string;
    readonly email: string | undefined;
    readonly phone: string | undefined;
    readonly documentId: string | undefined;
  };
  readonly data: ContractData;
  readonly vehicle:
    | {
        readonly brand: string | undefined;
        readonly model: string | undefined;
        readonly plate: string | undefined;
        readonly vin: string | undefined;
        readonly color: string | undefined;
        readonly kilometres: number | undefined;
      }
    | undefined;
  /** The ministry's codes by the fleet's words. */
  readonly codes: Readonly<Record<string, string>>;
}

/** Somebody in a communication: TI who rents, CP who drives, CS who drives too. */
export interface CommunicatedPerson {
  readonly role: "TI" | "CP" | "CS";
  readonly name: string | undefined;
  readonly surname: string | undefined;
  readonly secondSurname: string | undefined;
  readonly documentType: "NIF" | "NIE" | "PAS" | "OTRO" | undefined;
  readonly documentId: string | undefined;
  readonly dateOfBirth: string | undefined;
  readonly nationality: string | undefined;
  readonly address: (CommunicatedPlace & { readonly municipality: string | undefined }) | undefined;
  readonly phone: string | undefined;
  readonly email: string | undefined;
  readonly licence:
    | { readonly type: string; readonly validUntil: string | undefined; readonly number: string | undefined }
    | undefined;
}

/** The people of a rental: who rents, who drives, whom else it names. Who drives is who rents unless it says otherwise. */
export function peopleOf({ customer, data }: CommunicatedRental): readonly CommunicatedPerson[] {
  const drives = data["driver_is_customer"] === "true" || !data["driver_name"];
  const renter = {
    ...named(customer.name, customer.surname),
    ...documented(customer.documentId, data["driver_origin_country"] ?? data["customer_address_country"]),
    dateOfBirth: drives ? data["driver_date_of_birth"] : undefined,
    nationality: drives ? threeLetters(data["driver_origin_country"]) : undefined,
    address: addressOf(data, "customer_address"),
    phone: customer.phone,
    email: customer.email,
  };
  const driver = drives ? renter : driverOf(data, "driver", renter);
  const second = data["additional_driver_1_name"] ? driverOf(data, "additional_driver_1", renter) : undefined;
  return [
    { ...renter, role: "TI", licence: undefined },
    { ...driver, role: "CP", licence: licenceOf(data, "driver") },
    ...(second ? [{ ...second, role: "CS" as const, licence: licenceOf(data, "additional_driver_1") }] : []),
  ];
}

type Person = Omit<CommunicatedPerson, "role" | "licence">;

// What is not known of a driver's address and telephone is the renter's.
function driverOf(data: ContractData, prefix: string, renter: Person): Person {
  return {
    ...named(data[`${prefix}_name`], data[`${prefix}_surname`]),
    ...documented(data[`${prefix}_document_id`], data[`${prefix}_origin_country`]),
    dateOfBirth: data[`${prefix}_date_of_birth`],
    nationality: threeLetters(data[`${prefix}_origin_country`]),
    address: data[`${prefix}_address_street`] ? addressOf(data, `${prefix}_address`) : renter.address,
    phone: data[`${prefix}_phone`] ?? renter.phone,
    email: data[`${prefix}_email`] ?? renter.email,
  };
}

function named(name: string | undefined, surname: string | undefined) {
  const [first, ...others] = (surname ?? "").trim().split(/\s+/);
  return { name: name?.trim() || undefined, surname: first || undefined, secondSurname: others.join(" ") || undefined };
}

function documented(documentId: string | undefined, country: string | undefined) {
  const text = documentId?.trim() || undefined;
  const spanish = parseSpanishTaxId(text ?? "");
  if (spanish)
    return { documentType: /^[XYZ]/.test(spanish) ? ("NIE" as const) : ("NIF" as const), documentId: spanish };
  if (!text) return { documentType: undefined, documentId: undefined };
  const isForeign = threeLetters(country) !== undefined && threeLetters(country) !== "ESP";
  return { documentType: isForeign ? ("PAS" as const) : ("OTRO" as const), documentId: text };
}

function addressOf(data: ContractData, prefix: string) {
  const part = (name: string) => data[`${prefix}_${name}`]?.trim() || undefined;
  const street = [part("street"), part("number"), part("complement")].filter(Boolean).join(" ");
  return {
    establishment: undefined,
    street: street || undefined,
    city: part("city"),
    zip: part("zip"),
    country: part("country"),
    municipality: part("municipality_code"),
  };
}

function licenceOf(data: ContractData, prefix: string) {
  return {
    // What a passenger car wants, where nothing else is said.
    type: data[`${prefix}_driving_license_type`] ?? "B",
    validUntil: data[`${prefix}_driving_license_expiration_date`],
    number: data[`${prefix}_driving_license_number`],
  };
}

/**
 * What a communication still lacks, by the names of the contract data (docs/interfaces/ses.md#data), so that it can be
 * asked for before the vehicle goes out.
 */
export function missingForCommunication(kind: CommunicationKind, rental: CommunicatedRental): readonly string[] {
  const [renter, driver] = peopleOf(rental);
  const isOther = rental.data["driver_is_customer"] !== "true" && Boolean(rental.data["driver_name"]);
  const places = [
    ["pickup_place_address", rental.pickup],
    ["return_place_address", rental.return],
  ] as const;
  const always: readonly (readonly [string, unknown])[] = [
    ["customer_name", renter?.name],
    ["customer_surname", renter?.surname],
    ["customer_phone", renter?.phone ?? renter?.email],
    ...places.map(([name, place]) => [name, place.establishment ?? (place.street && place.zip)] as const),
  ];
  const { vehicle } = rental;
  const atHandOver: readonly (readonly [string, unknown])[] = [
    ["customer_document_id", renter?.documentId],
    ["customer_address[street]", renter?.address?.street],
    ["customer_address[city]", renter?.address?.city],
    ["customer_address[zip]", renter?.address?.zip],
    ["customer_address[country]", threeLetters(renter?.address?.country)],
    ...(isOther
      ? ([
          ["driver_surname", driver?.surname],
          ["driver_document_id", driver?.documentId],
        ] as const)
      : []),
    ["driver_driving_license_number", driver?.licence?.number],
    ["driver_driving_license_expiration_date", driver?.licence?.validUntil],
    ["stock_brand", vehicle?.brand],
    ["stock_model", vehicle?.model],
    ["stock_plate", vehicle?.plate],
    ["stock_vin", vehicle?.vin],
    ["stock_color", vehicle?.color],
  ];
  return [...always, ...(kind === "AV" ? atHandOver : [])].flatMap(([name, value]) => (value ? [] : [name]));
}
