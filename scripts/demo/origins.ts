import { base, de, en, en_GB, es, Faker, fr, it, type LocaleDefinition, nl } from "@faker-js/faker";

/** Where customers come from: what they speak, and where they live. */
export interface Origin {
  readonly country: string;
  readonly language: string;
  readonly phonePrefix: string;
  readonly phoneDigits: number;
  readonly twoSurnames: boolean;
  readonly document: "dni" | "passport";
  readonly locales: readonly LocaleDefinition[];
  readonly cities: readonly (readonly [city: string, state: string, zip: string])[];
}

const catalan: LocaleDefinition = {
  person: {
    first_name: {
      generic: "Jordi Marc Pau Arnau Oriol Joan Pere Miquel Guillem Laia Núria Montserrat Aina Júlia Mireia Neus".split(
        " ",
      ),
    },
    last_name: { generic: "Puig Serra Vila Ferrer Riera Pons Bosch Soler Roca Vidal Mas Sala Coll Font".split(" ") },
  },
};

const spanish = { country: "ES", phonePrefix: "34", phoneDigits: 8, twoSurnames: true, document: "dni" } as const;
const foreign = { twoSurnames: false, document: "passport" } as const;

/** By code: the country, or CT for Catalan speakers. */
const origins: Readonly<Record<string, Origin>> = {
  ES: {
    ...spanish,
    language: "es",
    locales: [es],
    cities: [
      ["Madrid", "Madrid", "28013"],
      ["Valencia", "Valencia", "46002"],
      ["Sevilla", "Sevilla", "41001"],
      ["Bilbao", "Bizkaia", "48001"],
    ],
  },
  CT: {
    ...spanish,
    language: "ca",
    locales: [catalan, es],
    cities: [
      ["Barcelona", "Barcelona", "08008"],
      ["Girona", "Girona", "17001"],
      ["Inca", "Illes Balears", "07300"],
    ],
  },
  DE: {
    ...foreign,
    country: "DE",
    language: "de",
    phonePrefix: "49",
    phoneDigits: 9,
    locales: [de],
    cities: [
      ["Berlin", "Berlin", "10115"],
      ["Hamburg", "Hamburg", "20095"],
      ["München", "Bayern", "80331"],
      ["Köln", "Nordrhein-Westfalen", "50667"],
    ],
  },
  GB: {
    ...foreign,
    country: "GB",
    language: "en",
    phonePrefix: "44",
    phoneDigits: 9,
    locales: [en_GB],
    cities: [
      ["London", "Greater London", "SE1 7PB"],
      ["Manchester", "Greater Manchester", "M1 2WD"],
      ["Edinburgh", "Midlothian", "EH1 1YZ"],
    ],
  },
  FR: {
    ...foreign,
    country: "FR",
    language: "fr",
    phonePrefix: "33",
    phoneDigits: 8,
    locales: [fr],
    cities: [
      ["Paris", "Île-de-France", "75011"],
      ["Lyon", "Auvergne-Rhône-Alpes", "69002"],
    ],
  },
  IT: {
    ...foreign,
    country: "IT",
    language: "it",
    phonePrefix: "39",
    phoneDigits: 9,
    locales: [it],
    cities: [
      ["Milano", "Lombardia", "20121"],
      ["Roma", "Lazio", "00184"],
    ],
  },
  NL: {
    ...foreign,
    country: "NL",
    language: "nl",
    phonePrefix: "31",
    phoneDigits: 8,
    locales: [nl],
    cities: [
      ["Amsterdam", "Noord-Holland", "1012 AB"],
      ["Rotterdam", "Zuid-Holland", "3011 HE"],
    ],
  },
  US: {
    ...foreign,
    country: "US",
    language: "en",
    phonePrefix: "1",
    phoneDigits: 9,
    locales: [],
    cities: [
      ["Astoria", "NY", "11103"],
      ["Brooklyn", "NY", "11201"],
      ["New York", "NY", "10016"],
      ["Jersey City", "NJ", "07302"],
    ],
  },
};

export function originOf(code: string): Origin {
  const origin = origins[code];
  if (!origin) throw new Error(`nobody comes from ${code}`);
  return origin;
}

const fakers = new Map<Origin, Faker>();

/** Names and streets as they are where somebody comes from; the same seed gives the same. */
export function fakerOf(origin: Origin, seed: number): Faker {
  const faker = fakers.get(origin) ?? new Faker({ locale: [...origin.locales, en, base] });
  fakers.set(origin, faker);
  faker.seed(seed);
  return faker;
}
