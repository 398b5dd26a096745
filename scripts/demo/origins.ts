import { base, de, en, en_GB, es, Faker, fr, it, type LocaleDefinition, nl } from "@faker-js/faker";
import catalan from "./catalan-names.json" with { type: "json" };
import origins from "./origins.json" with { type: "json" };

/** Where customers come from: what they speak, their phones and documents, and the cities where they live. */
export type Origin = (typeof origins)[keyof typeof origins];

const LOCALES: Readonly<Record<string, LocaleDefinition>> = { catalan, de, en_GB, es, fr, it, nl };

/** By code: the country, or CT for Catalan speakers. */
export function originOf(code: string): Origin {
  const origin = Object.entries(origins).find(([name]) => name === code)?.[1];
  if (!origin) throw new Error(`nobody comes from ${code}`);
  return origin;
}

const fakers = new Map<Origin, Faker>();

/** Names and streets as they are where somebody comes from; the same seed gives the same. */
export function fakerOf(origin: Origin, seed: number): Faker {
  const names: readonly string[] = origin.locales;
  const own = names.map((name) => LOCALES[name]).filter((locale) => locale !== undefined);
  const faker = fakers.get(origin) ?? new Faker({ locale: [...own, en, base] });
  fakers.set(origin, faker);
  faker.seed(seed);
  return faker;
}
