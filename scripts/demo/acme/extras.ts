import type { DriverAgeRule } from "#domain/catalogue/catalogue.ts";
import type { CompanyExtra } from "../company.ts";
import { driverAgeRuleOf, extraOf } from "../company-parts.ts";
import { mallorca, menorca } from "./organization.ts";

type Texts = Readonly<Record<"es" | "ca" | "en" | "de", string>>;

const VAT = 2100;

export const acmeExtras: readonly CompanyExtra[] = [
  extra(
    1,
    "SEAT",
    0.1,
    { pricePer: "day", priceCents: 600, maximumPriceCents: 4200, maxQuantity: 3, stockByStorage: stock(16, 8) },
    { es: "Silla infantil", ca: "Cadira infantil", en: "Child seat", de: "Kindersitz" },
    {
      es: "De 9 a 36 kg, grupo 1/2/3",
      ca: "De 9 a 36 kg, grup 1/2/3",
      en: "9 to 36 kg, group 1/2/3",
      de: "9 bis 36 kg, Gruppe 1/2/3",
    },
  ),
  extra(
    2,
    "BABY",
    0.05,
    { pricePer: "day", priceCents: 700, maximumPriceCents: 4900, maxQuantity: 2, stockByStorage: stock(8, 4) },
    { es: "Silla de bebé", ca: "Cadira de nadó", en: "Baby seat", de: "Babyschale" },
    {
      es: "Hasta 13 kg, a contramarcha",
      ca: "Fins a 13 kg, a contramarxa",
      en: "Up to 13 kg, rear-facing",
      de: "Bis 13 kg, rückwärts gerichtet",
    },
  ),
  extra(
    3,
    "GPS",
    0.06,
    { pricePer: "day", priceCents: 500, maximumPriceCents: 4000, maxQuantity: 1, stockByStorage: stock(10, 5) },
    { es: "Navegador GPS", ca: "Navegador GPS", en: "GPS navigator", de: "Navigationsgerät" },
    {
      es: "Mapas de las islas al día",
      ca: "Mapes de les illes al dia",
      en: "Up-to-date island maps",
      de: "Aktuelle Inselkarten",
    },
  ),
  extra(
    4,
    "DRIVER",
    0.16,
    { pricePer: "rental", priceCents: 2500, maxQuantity: 2 },
    { es: "Conductor adicional", ca: "Conductor addicional", en: "Additional driver", de: "Zusatzfahrer" },
    {
      es: "Con permiso desde hace dos años",
      ca: "Amb permís des de fa dos anys",
      en: "Licence held for two years",
      de: "Führerschein seit zwei Jahren",
    },
  ),
  extra(
    5,
    "FULL",
    0.26,
    { pricePer: "day", priceCents: 1200, maximumPriceCents: 14_000, maxQuantity: 1 },
    {
      es: "Seguro a todo riesgo sin franquicia",
      ca: "Assegurança a tot risc sense franquícia",
      en: "Full insurance without excess",
      de: "Vollkasko ohne Selbstbeteiligung",
    },
    {
      es: "Cubre lunas, ruedas y bajos",
      ca: "Cobreix vidres, rodes i baixos",
      en: "Covers glass, wheels and underbody",
      de: "Mit Glas, Rädern und Unterboden",
    },
  ),
  extra(
    6,
    "WIFI",
    0.05,
    { pricePer: "day", priceCents: 400, maximumPriceCents: 2800, maxQuantity: 1, stockByStorage: stock(8, 4) },
    { es: "Wifi a bordo", ca: "Wifi a bord", en: "On-board Wi-Fi", de: "WLAN an Bord" },
    {
      es: "Datos ilimitados, cinco dispositivos",
      ca: "Dades il·limitades, cinc dispositius",
      en: "Unlimited data, five devices",
      de: "Unbegrenzte Daten, fünf Geräte",
    },
  ),
  extra(
    7,
    "SHUTTLE",
    0.03,
    { pricePer: "rental", priceCents: 1800, maxQuantity: 1, vat: 1000 },
    {
      es: "Traslado del hotel a la oficina",
      ca: "Trasllat de l'hotel a l'oficina",
      en: "Shuttle from hotel to office",
      de: "Shuttle vom Hotel zum Büro",
    },
    { es: "Hasta cuatro personas", ca: "Fins a quatre persones", en: "Up to four people", de: "Bis zu vier Personen" },
  ),
];

type ExtraTerms = Omit<Parameters<typeof extraOf>[1], "vat"> & { readonly vat?: number };

function extra(
  id: number,
  code: string,
  popularity: number,
  terms: ExtraTerms,
  names: Texts,
  descriptions: Texts,
): CompanyExtra {
  return extraOf({ id, code, popularity, name: names.es, names, descriptions }, { vat: VAT, ...terms });
}

function stock(onMallorca: number, onMenorca: number): ReadonlyMap<number, number> {
  return new Map([
    [mallorca, onMallorca],
    [menorca, onMenorca],
  ]);
}

export const acmeDriverAgeRules: readonly DriverAgeRule[] = [
  rule(
    1,
    [0, 20],
    { allowed: false, costPer: "rental", costCents: 0, depositCents: 0 },
    {
      es: "Menos de 21 años: no se admite",
      ca: "Menys de 21 anys: no s'admet",
      en: "Under 21: not accepted",
      de: "Unter 21: nicht zugelassen",
    },
  ),
  rule(
    2,
    [21, 24],
    { allowed: true, costPer: "day", costCents: 800, depositCents: 20_000 },
    {
      es: "De 21 a 24 años: conductor joven",
      ca: "De 21 a 24 anys: conductor jove",
      en: "21 to 24: young driver",
      de: "21 bis 24: junger Fahrer",
    },
  ),
  rule(
    3,
    [25, 79],
    { allowed: true, costPer: "rental", costCents: 0, depositCents: 0 },
    {
      es: "De 25 a 79 años",
      ca: "De 25 a 79 anys",
      en: "25 to 79",
      de: "25 bis 79",
    },
  ),
  rule(
    4,
    [80, 120],
    { allowed: true, costPer: "rental", costCents: 3500, depositCents: 0 },
    {
      es: "80 años o más: seguro sénior",
      ca: "80 anys o més: assegurança sènior",
      en: "80 and over: senior cover",
      de: "Ab 80: Seniorenversicherung",
    },
  ),
];

type RuleTerms = Omit<Parameters<typeof driverAgeRuleOf>[2], "description" | "descriptions">;

function rule(id: number, ages: readonly [number, number], terms: RuleTerms, descriptions: Texts): DriverAgeRule {
  return driverAgeRuleOf(id, ages, { ...terms, description: descriptions.es, descriptions });
}
