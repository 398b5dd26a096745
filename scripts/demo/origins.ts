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

/** By code: the country, or CT for Catalan speakers. */
const origins: Readonly<Record<string, Origin>> = {
  ES: origin(
    "ES es 34 8",
    [es],
    "Madrid, Madrid, 28013; Valencia, Valencia, 46002; Sevilla, Sevilla, 41001; Bilbao, Bizkaia, 48001",
  ),
  CT: origin(
    "ES ca 34 8",
    [catalan, es],
    "Barcelona, Barcelona, 08008; Girona, Girona, 17001; Inca, Illes Balears, 07300",
  ),
  DE: origin(
    "DE de 49 9",
    [de],
    "Berlin, Berlin, 10115; Hamburg, Hamburg, 20095; München, Bayern, 80331; Köln, Nordrhein-Westfalen, 50667",
  ),
  GB: origin(
    "GB en 44 9",
    [en_GB],
    "London, Greater London, SE1 7PB; Manchester, Greater Manchester, M1 2WD; Edinburgh, Midlothian, EH1 1YZ",
  ),
  FR: origin("FR fr 33 8", [fr], "Paris, Île-de-France, 75011; Lyon, Auvergne-Rhône-Alpes, 69002"),
  IT: origin("IT it 39 9", [it], "Milano, Lombardia, 20121; Roma, Lazio, 00184"),
  NL: origin("NL nl 31 8", [nl], "Amsterdam, Noord-Holland, 1012 AB; Rotterdam, Zuid-Holland, 3011 HE"),
  US: origin("US en 1 9", [], "Astoria, NY, 11103; Brooklyn, NY, 11201; New York, NY, 10016; Jersey City, NJ, 07302"),
};

/** Of a country, its language, the prefix and digits of its phones; cities with their state and zip. */
function origin(of: string, locales: readonly LocaleDefinition[], cities: string): Origin {
  const [country = "", language = "", phonePrefix = "", phoneDigits] = of.split(" ");
  const isSpanish = country === "ES";
  return {
    country,
    language,
    phonePrefix,
    phoneDigits: Number(phoneDigits),
    twoSurnames: isSpanish,
    document: isSpanish ? "dni" : "passport",
    locales,
    cities: cities.split("; ").map((city) => city.split(", ") as [city: string, state: string, zip: string]),
  };
}

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
