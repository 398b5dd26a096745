import { base, de, en, en_GB, es, Faker, fr, it, type LocaleDefinition, nl } from "@faker-js/faker";
import type { CustomerType } from "#domain/bookings/bookings.ts";
import { addDays, type CivilDate } from "#domain/dates.ts";
import { parseSpanishTaxId } from "#domain/tax-records/tax-id.ts";
import catalan from "./catalan-names.json" with { type: "json" };
import type { CompanyData, CompanyFixture } from "./company.ts";
import habits from "./habits.json" with { type: "json" };
import origins from "./origins.json" with { type: "json" };
import { createDemoRandom, getItemOrThrow, type Random } from "./random.ts";

/** Customer columns without creation and change times. */
export interface DemoCustomer extends ReturnType<typeof makeIdentity> {
  readonly name: string;
  readonly surname: string;
  /** Date of birth. Undefined for companies. */
  readonly dateOfBirth: CivilDate | undefined;
  readonly email: string;
  readonly mobilePhonePrefix?: string;
  readonly mobilePhone?: string;
}

/** Origins of customers with their languages, phone and document formats, and cities. */
type Origin = (typeof origins)["ES"];

type User = CompanyFixture["rows"]["users"][number];
/** Context of creating customers. */
type Town = CompanyFixture & { readonly random: Random };

/** Origins by country code, or CT for Catalan speakers. */
const ORIGINS: Readonly<Record<string, Origin>> = origins;
const LOCALES: Readonly<Record<string, LocaleDefinition>> = { catalan, de, en_GB, es, fr, it, nl };
const fakers = new Map<Origin, Faker>();

/** Id of the customer with a user account. */
export const DEMO_CUSTOMER_ID = 1;

const DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE";
const MAX_SEED = 2 ** 31;

/** Creates the customers. The first one can sign in and comes from the most common origin. */
export function createDemoCustomers(
  companyFixture: CompanyFixture,
  data: Pick<CompanyData, "customers" | "guests">,
): DemoCustomer[] {
  const town: Town = { ...companyFixture, random: createDemoRandom(`${companyFixture.account} customers`) };
  const guests = data.guests.map(([code, weight]) => {
    const origin = ORIGINS[String(code)];
    if (!origin) throw new Error(`no customer has the origin ${code}`);
    return [origin, Number(weight)] as const;
  });
  const [home] = getItemOrThrow(guests, 0);
  const { individuals, businesses } = data.customers;
  const people = Array.from({ length: individuals }, (_, index) => {
    const user = companyFixture.rows.users.find(({ customerId }) => customerId === index + 1);
    return makePerson(town, index + 1, user ? home : town.random.pickWeighted(guests), user);
  });
  return [...people, ...makeBusinesses(town, businesses, individuals, home)];
}

function makePerson(town: Town, id: number, origin: Origin, user: User | undefined): DemoCustomer {
  const { random, today } = town;
  const { person } = createFaker(origin, random);
  const lastName = person.lastName();
  // Spanish surnames are already pairs, Catalan ones single.
  const isHalf = origin.twoSurnames && !lastName.includes(" ");
  const nameParts = [person.firstName(), lastName, ...(isHalf ? [person.lastName()] : [])];
  const [name = "", ...surnames] = user ? user.fullName.split(" ") : nameParts;
  const surname = surnames.join(" ");
  return {
    ...makeIdentity(town, id, origin, "individual"),
    name,
    surname,
    email: user?.username ?? `${ascii(name)}.${ascii(surname)}${random.between(1, 99)}@example.com`,
    dateOfBirth: birthDate(today, random),
  };
}

/** Creates local businesses, group companies and the company's departments. */
function makeBusinesses(town: Town, count: number, lastId: number, origin: Origin): DemoCustomer[] {
  const { random, rows, settings, ownTexts } = town;
  const [brand = ""] = settings.accountName.split(" ");
  const { company: firm } = createFaker(origin, random);
  const toBusiness = (customerType: CustomerType, name: string) => ({ customerType, name });
  const businesses = [
    ...Array.from({ length: count }, () => toBusiness("legal_entity", firm.name())),
    ...habits.groupCompanies.map((name) => toBusiness("group_company", `${brand} ${name}`)),
    ...ownTexts.departments.map((name) => toBusiness("internal_department", `${brand} – ${name}`)),
  ];
  return businesses.map(({ customerType, name }, index) => {
    const identity = makeIdentity(town, lastId + 1 + index, origin, customerType);
    const { addressCity, addressState, addressZip } = getItemOrThrow(rows.branches, index % rows.branches.length);
    return {
      ...identity,
      name,
      surname: "",
      dateOfBirth: undefined,
      documentId: origin.document === "dni" ? companyTaxId(random) : `${random.digits(2)}-${random.digits(7)}`,
      email: `office@${ascii(name)}.example.com`,
      mobilePhonePrefix: identity.phoneNumberPrefix,
      mobilePhone: identity.phoneNumber,
      addressCity: addressCity ?? "",
      addressState: addressState ?? "",
      addressZip: addressZip ?? "",
    };
  });
}

/** Creates identity document, phone and address. */
function makeIdentity({ random, today, rows }: Town, id: number, origin: Origin, customerType: CustomerType) {
  const { branches, salesChannels } = rows;
  const isPerson = customerType === "individual";
  const [addressCity = "", addressState = "", addressZip = ""] = random.pick(origin.cities);
  const documentIdDate = addDays(today, -random.between(800, 2_900));
  return {
    id,
    customerType,
    branchCode: branches.length > 1 ? branches[id % branches.length]?.code : undefined,
    salesChannelCode: salesChannels[id % (salesChannels.length || 1)]?.code,
    originCountry: origin.country,
    language: origin.language,
    documentId: documentId(origin, random),
    documentIdDate: isPerson ? documentIdDate : undefined,
    documentIdExpirationDate: isPerson ? addDays(documentIdDate, 3_652) : undefined,
    phoneNumberPrefix: origin.phonePrefix,
    phoneNumber: `${random.between(6, 7)}${random.digits(origin.phoneDigits)}`,
    addressStreet: createFaker(origin, random).location.street(),
    addressNumber: String(random.between(1, 180)),
    addressComplement: random.chance(0.3) ? `${random.between(1, 8)}${random.pick(["A", "B", "C"])}` : null,
    addressCity,
    addressState,
    addressCountry: origin.country,
    addressZip,
  };
}

/** Creates a generator of names and streets for an origin. */
function createFaker(origin: Origin, random: Random): Faker {
  const own = origin.locales.map((name) => LOCALES[name]).filter((locale) => locale !== undefined);
  const faker = fakers.get(origin) ?? new Faker({ locale: [...own, en, base] });
  fakers.set(origin, faker);
  faker.seed(random.between(0, MAX_SEED));
  return faker;
}

function documentId({ document, country }: Origin, random: Random): string {
  if (document === "passport") return `${country.charAt(0)}${random.letters(1, "ABCDEFGHK")}${random.digits(7)}`;
  const digits = random.digits(8);
  return `${digits}${DNI_LETTERS.charAt(Number(digits) % DNI_LETTERS.length)}`;
}

function companyTaxId(random: Random): string {
  const start = `B${random.digits(8).slice(0, 7)}`;
  const ids = Array.from({ length: 10 }, (_, check) => parseSpanishTaxId(`${start}${check}`));
  return ids.find((id) => id !== undefined) ?? start;
}

function birthDate(today: CivilDate, random: Random): CivilDate {
  const { youngest, oldest } = random.pickWeighted(habits.ages.map((age) => [age, age.weight]));
  return addDays(today, -Math.floor(random.between(youngest, oldest) * 365.25) - random.between(0, 364));
}

// Reduces a text to characters of an email address.
function ascii(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9]/g, "")
    .toLowerCase();
}
