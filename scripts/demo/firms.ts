import type { CivilDate } from "#domain/dates.ts";
import type { Company } from "./company.ts";
import { ascii, type Customer, type CustomerType, inventIdentity } from "./people.ts";
import { originOf } from "./people-names.ts";
import { itemAt, type Random } from "./random.ts";

interface Firm {
  readonly type: CustomerType;
  readonly name: string;
}

/** How firms are called where a company's language is spoken. */
interface Naming {
  readonly trades: readonly string[];
  readonly places: readonly string[];
  readonly business: (trade: string, place: string) => string;
  readonly suffix: string;
  readonly departments: readonly string[];
}

const list = (text: string) => text.split(", ");
const NAMINGS: Readonly<Record<string, Naming>> = {
  es: {
    trades: list(
      "Náutica, Construcciones, Bodegas, Clínica, Arquitectura, Catering, Instalaciones, Fotografía, Consultoría, Logística, Inmobiliaria, Imprenta, Jardinería, Veterinaria",
    ),
    places: list(
      "Portixol, Tramuntana, Migjorn, Levante, Son Prim, Sa Llotja, Cala Blava, Es Fortí, Pollença, Garbí, Ses Voltes, Punta Nati",
    ),
    business: (trade, place) => `${trade} ${place}`,
    suffix: ", S.L.",
    departments: list("Dirección, Taller, Marketing, Atención al cliente"),
  },
  en: {
    trades: list("Stage Lighting, Catering, Movers, Film Supply, Flowers, Carpentry, Bakery, Architects, Printing"),
    places: list("Harbor, Queensbridge, Five Boroughs, Astoria, Hudson, Greenpoint, Northern, Blackwell"),
    business: (trade, place) => `${place} ${trade}`,
    suffix: ", Inc.",
    departments: list("Management, Workshop, Sales"),
  },
};
const GROUP_COMPANIES = ["Hotels", "Marina", "Travel", "Properties", "Energy"];
/** Leads each trade through the places before a name comes back. */
const STRIDE = 5;

/** Businesses of the neighbourhood, companies of the group and the company's own departments, numbered on from an id. */
export function inventFirms(
  company: Company,
  count: number,
  firstId: number,
  today: CivilDate,
  random: Random,
): Customer[] {
  const origin = originOf(company.guests[0]?.[0] ?? "");
  return nameFirms(company, count).map((firm, index) => {
    const { city, state, zip } = itemAt(company.branches, index % company.branches.length).address;
    return {
      ...inventIdentity(origin, today, random),
      ...firm,
      id: firstId + index,
      surname: "",
      dateOfBirth: undefined,
      documentId: origin.document === "dni" ? `B${random.digits(8)}` : `${random.digits(2)}-${random.digits(7)}`,
      email: `office@${ascii(firm.name)}.example.com`,
      city,
      state,
      zip,
    };
  });
}

function nameFirms({ settings }: Company, count: number): Firm[] {
  const naming = NAMINGS[settings.defaultLanguage];
  if (!naming) throw new Error(`no firm has a name in ${settings.defaultLanguage}`);
  const brand = settings.accountName.split(" ")[0];
  return [
    ...Array.from({ length: count }, (_, index): Firm => ({ type: "legal_entity", name: nameBusiness(naming, index) })),
    ...GROUP_COMPANIES.map((name): Firm => ({ type: "group_company", name: `${brand} ${name}${naming.suffix}` })),
    ...naming.departments.map((name): Firm => ({ type: "internal_department", name: `${brand} – ${name}` })),
  ];
}

function nameBusiness({ trades, places, business, suffix }: Naming, index: number): string {
  const round = Math.floor(index / trades.length);
  const place = itemAt(places, (index * STRIDE + round) % places.length);
  return `${business(itemAt(trades, index % trades.length), place)}${suffix}`;
}
