import type { PlatformLanguage } from "#domain/catalogue/languages.ts";

/** Singular and plural of a word. */
type Counted = readonly [one: string, other: string];

interface TransferTexts {
  readonly passengers: string;
  readonly adults: Counted;
  readonly children: Counted;
  readonly infants: Counted;
  readonly pickupAddress: string;
  readonly destinationAddress: string;
  readonly arrivalFlight: string;
  readonly departureFlight: string;
}

/** Labels of a transfer's passengers, addresses and flights in mails. */
export const TRANSFER_TEXTS: Readonly<Record<PlatformLanguage, TransferTexts>> = {
  es: {
    passengers: "Pasajeros",
    adults: ["adulto", "adultos"],
    children: ["niño", "niños"],
    infants: ["bebé", "bebés"],
    pickupAddress: "Dirección de recogida",
    destinationAddress: "Dirección de destino",
    arrivalFlight: "Vuelo de llegada",
    departureFlight: "Vuelo de salida",
  },
  ca: {
    passengers: "Passatgers",
    adults: ["adult", "adults"],
    children: ["nen", "nens"],
    infants: ["nadó", "nadons"],
    pickupAddress: "Adreça de recollida",
    destinationAddress: "Adreça de destinació",
    arrivalFlight: "Vol d'arribada",
    departureFlight: "Vol de sortida",
  },
  en: {
    passengers: "Passengers",
    adults: ["adult", "adults"],
    children: ["child", "children"],
    infants: ["infant", "infants"],
    pickupAddress: "Pickup address",
    destinationAddress: "Destination address",
    arrivalFlight: "Arrival flight",
    departureFlight: "Departure flight",
  },
  de: {
    passengers: "Fahrgäste",
    adults: ["Erwachsener", "Erwachsene"],
    children: ["Kind", "Kinder"],
    infants: ["Kleinkind", "Kleinkinder"],
    pickupAddress: "Abholadresse",
    destinationAddress: "Zieladresse",
    arrivalFlight: "Ankunftsflug",
    departureFlight: "Abflug",
  },
  fr: {
    passengers: "Passagers",
    adults: ["adulte", "adultes"],
    children: ["enfant", "enfants"],
    infants: ["bébé", "bébés"],
    pickupAddress: "Adresse de prise en charge",
    destinationAddress: "Adresse de destination",
    arrivalFlight: "Vol d'arrivée",
    departureFlight: "Vol de départ",
  },
  it: {
    passengers: "Passeggeri",
    adults: ["adulto", "adulti"],
    children: ["bambino", "bambini"],
    infants: ["neonato", "neonati"],
    pickupAddress: "Indirizzo di partenza",
    destinationAddress: "Indirizzo di destinazione",
    arrivalFlight: "Volo di arrivo",
    departureFlight: "Volo di partenza",
  },
  pt: {
    passengers: "Passageiros",
    adults: ["adulto", "adultos"],
    children: ["criança", "crianças"],
    infants: ["bebé", "bebés"],
    pickupAddress: "Morada de partida",
    destinationAddress: "Morada de destino",
    arrivalFlight: "Voo de chegada",
    departureFlight: "Voo de partida",
  },
  nl: {
    passengers: "Passagiers",
    adults: ["volwassene", "volwassenen"],
    children: ["kind", "kinderen"],
    infants: ["baby", "baby's"],
    pickupAddress: "Ophaaladres",
    destinationAddress: "Bestemmingsadres",
    arrivalFlight: "Aankomstvlucht",
    departureFlight: "Vertrekvlucht",
  },
};
