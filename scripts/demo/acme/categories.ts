import type { CompanyCategory, Family } from "../company.ts";
import { categoryPhotos } from "../pictures.ts";

type Texts = Readonly<Record<"es" | "ca" | "en" | "de", string>>;

export const acmeFamilies: readonly Family[] = [
  { id: 1, code: "CARS", names: { es: "Turismos", ca: "Turismes", en: "Cars", de: "Pkw" } },
  {
    id: 2,
    code: "SUVS",
    names: { es: "SUV y furgonetas", ca: "SUV i furgonetes", en: "SUVs and vans", de: "SUVs und Transporter" },
  },
  {
    id: 3,
    code: "LEISURE",
    names: {
      es: "Descapotables y clásicos",
      ca: "Descapotables i clàssics",
      en: "Convertibles and classics",
      de: "Cabrios und Oldtimer",
    },
  },
];

export const acmeCategories: readonly CompanyCategory[] = [
  category("MINI", 1, 22, [5, 4, 1, "manual", "petrol"], [30_000, 0], {}, "#e2574c", {
    names: { es: "Mini", ca: "Mini", en: "Mini", de: "Kleinstwagen" },
    short: {
      es: "Fiat 500 o similar",
      ca: "Fiat 500 o similar",
      en: "Fiat 500 or similar",
      de: "Fiat 500 oder ähnlich",
    },
    long: {
      es: "Ágil y fácil de aparcar, ideal para dos personas.",
      ca: "Àgil i fàcil d'aparcar, ideal per a dues persones.",
      en: "Nimble and easy to park, ideal for two.",
      de: "Wendig und leicht zu parken, ideal für zwei.",
    },
  }),
  category("ECON", 1, 26, [5, 5, 2, "manual", "petrol"], [40_000, 0], {}, "#3b82c4", {
    names: { es: "Económico", ca: "Econòmic", en: "Economy", de: "Economy" },
    short: {
      es: "Seat Ibiza o similar",
      ca: "Seat Ibiza o similar",
      en: "Seat Ibiza or similar",
      de: "Seat Ibiza oder ähnlich",
    },
    long: {
      es: "La opción más equilibrada para recorrer la isla.",
      ca: "L'opció més equilibrada per recórrer l'illa.",
      en: "The best balance for touring the island.",
      de: "Die ausgewogene Wahl für Inseltouren.",
    },
  }),
  category("COMP", 1, 18, [5, 5, 3, "manual", "diesel"], [60_000, 0], {}, "#4b5d78", {
    names: { es: "Compacto", ca: "Compacte", en: "Compact", de: "Kompaktklasse" },
    short: {
      es: "Seat León o similar",
      ca: "Seat León o similar",
      en: "Seat León or similar",
      de: "Seat León oder ähnlich",
    },
    long: {
      es: "Espacio y confort para la familia.",
      ca: "Espai i confort per a la família.",
      en: "Room and comfort for the family.",
      de: "Platz und Komfort für die Familie.",
    },
  }),
  category("SUV", 2, 14, [5, 5, 4, "manual", "hybrid"], [80_000, 10_000], {}, "#2f7d5b", {
    names: { es: "SUV", ca: "SUV", en: "SUV", de: "SUV" },
    short: {
      es: "Nissan Qashqai o similar",
      ca: "Nissan Qashqai o similar",
      en: "Nissan Qashqai or similar",
      de: "Nissan Qashqai oder ähnlich",
    },
    long: {
      es: "Más altura y maletero para cualquier camino.",
      ca: "Més alçada i maleter per a qualsevol camí.",
      en: "Higher seats and a bigger boot for every road.",
      de: "Höher sitzen und mehr Gepäck auf jeder Straße.",
    },
  }),
  category("AUTO", 1, 12, [5, 5, 2, "automatic", "electric"], [60_000, 0], {}, "#22a3a3", {
    names: {
      es: "Automático eléctrico",
      ca: "Automàtic elèctric",
      en: "Automatic electric",
      de: "Automatik elektrisch",
    },
    short: {
      es: "Renault 5 o similar",
      ca: "Renault 5 o similar",
      en: "Renault 5 or similar",
      de: "Renault 5 oder ähnlich",
    },
    long: {
      es: "Silencioso, automático y con carga incluida.",
      ca: "Silenciós, automàtic i amb càrrega inclosa.",
      en: "Quiet, automatic, charging included.",
      de: "Leise, automatisch, Laden inklusive.",
    },
  }),
  category("VAN9", 2, 6, [5, 9, 6, "manual", "diesel"], [120_000, 20_000], { fuel: 6500 }, "#8a6d3b", {
    names: { es: "Furgoneta de 9 plazas", ca: "Furgoneta de 9 places", en: "9-seat van", de: "9-Sitzer-Bus" },
    short: {
      es: "Volkswagen Caravelle o similar",
      ca: "Volkswagen Caravelle o similar",
      en: "Volkswagen Caravelle or similar",
      de: "VW Caravelle oder ähnlich",
    },
    long: {
      es: "Para grupos y equipaje, con el depósito incluido.",
      ca: "Per a grups i equipatge, amb el dipòsit inclòs.",
      en: "For groups and luggage, first tank included.",
      de: "Für Gruppen und Gepäck, erste Tankfüllung inklusive.",
    },
  }),
  category("CABRIO", 3, 8, [2, 4, 2, "automatic", "petrol"], [100_000, 20_000], { preparation: 1200 }, "#d9822b", {
    names: { es: "Descapotable", ca: "Descapotable", en: "Convertible", de: "Cabrio" },
    short: {
      es: "Mini Cabrio o similar",
      ca: "Mini Cabrio o similar",
      en: "Mini Convertible or similar",
      de: "Mini Cabrio oder ähnlich",
    },
    long: {
      es: "La costa a cielo abierto.",
      ca: "La costa a cel obert.",
      en: "The coast under an open sky.",
      de: "Die Küste unter freiem Himmel.",
    },
  }),
  category("UNIQ", 3, 2, [2, 4, 1, "manual", "petrol"], [200_000, 50_000], { assistance: 4000 }, "#9b3d6b", {
    names: { es: "Clásico único", ca: "Clàssic únic", en: "One-off classic", de: "Einzigartiger Klassiker" },
    short: {
      es: "Volkswagen Escarabajo Cabriolet de 1979",
      ca: "Volkswagen Escarabat Cabriolet de 1979",
      en: "1979 Volkswagen Beetle Cabriolet",
      de: "VW Käfer Cabriolet von 1979",
    },
    long: {
      es: "Solo hay uno: restaurado, para bodas y paseos.",
      ca: "Només n'hi ha un: restaurat, per a noces i passejades.",
      en: "There is only one: restored, for weddings and outings.",
      de: "Es gibt nur einen: restauriert, für Hochzeiten und Ausflüge.",
    },
  }),
];

type Build = readonly [
  doors: number,
  seats: number,
  suitcases: number,
  transmission: "manual" | "automatic",
  fuel: string,
];

interface Supplements {
  readonly fuel?: number;
  readonly preparation?: number;
  readonly assistance?: number;
}

function category(
  code: string,
  familyId: number,
  popularity: number,
  [doors, seats, suitcases, transmission, fuel]: Build,
  [depositCents, guaranteeCents]: readonly [number, number],
  { fuel: fuelCents = 0, preparation = 0, assistance = 0 }: Supplements,
  color: string,
  texts: { readonly names: Texts; readonly short: Texts; readonly long: Texts },
): CompanyCategory {
  return {
    code,
    familyId,
    popularity,
    doors,
    seats,
    suitcases,
    transmission,
    fuel,
    depositCents,
    guaranteeCents,
    name: texts.names.es,
    names: texts.names,
    shortDescription: texts.short.es,
    shortDescriptions: texts.short,
    description: texts.long.es,
    descriptions: texts.long,
    webPublic: true,
    vat: 2100,
    airConditioner: code !== "UNIQ",
    supplementCents: [fuelCents, preparation, assistance],
    photos: categoryPhotos(code, color),
  };
}
