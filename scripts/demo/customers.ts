import { addDays, type CivilDate } from "#domain/dates.ts";
import type { customers } from "#worker/store/schema/people.ts";
import type { Company } from "./company.ts";
import { fakerOf, type Origin, originOf } from "./origins.ts";
import { itemAt, type Random } from "./random.ts";

export interface Customer {
  readonly id: number;
  readonly type: CustomerType;
  readonly name: string;
  readonly surname: string;
  readonly documentId: string;
  readonly documentDate: CivilDate;
  readonly documentExpires: CivilDate;
  readonly dateOfBirth: CivilDate | undefined;
  readonly origin: Origin;
  readonly email: string;
  readonly phone: string;
  readonly street: string;
  readonly number: string;
  readonly complement: string | undefined;
  readonly city: string;
  readonly state: string;
  readonly zip: string;
}

export type CustomerType = "individual" | "legal_entity" | "group_company" | "internal_department";

export interface CustomerCounts {
  readonly individuals: number;
  readonly businesses: number;
}

const DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE";
const GROUP_COMPANIES = ["Hotels", "Marina", "Travel", "Properties", "Energy"];
const LARGEST_SEED = 2 ** 31;

/** The company's customers; the first is the one that can sign in. */
export function makeCustomers(company: Company, counts: CustomerCounts, today: CivilDate, random: Random): Customer[] {
  const people = Array.from({ length: counts.individuals }, (_, index) =>
    makePerson(company, index + 1, today, random),
  );
  return [...people, ...makeBusinesses(company, counts, today, random)];
}

function makePerson(company: Company, id: number, today: CivilDate, random: Random): Customer {
  const { guests, users } = company;
  const user = users.find(({ customerId }) => customerId === id);
  const origin = originOf(user ? itemAt(guests, 0)[0] : random.pickWeighted(guests));
  const { person } = fakerOf(origin, random.between(0, LARGEST_SEED));
  const surname = person.lastName();
  // Spanish surnames come in pairs already, Catalan ones singly.
  const isHalf = origin.twoSurnames && !surname.includes(" ");
  const made = [person.firstName(), surname, ...(isHalf ? [person.lastName()] : [])];
  const [name = "", ...surnames] = user ? user.fullName.split(" ") : made;
  return {
    ...makeIdentity(origin, today, random),
    id,
    type: "individual",
    name,
    surname: surnames.join(" "),
    email: user?.username ?? `${ascii(name)}.${ascii(surnames.join(""))}${random.between(1, 99)}@example.com`,
    dateOfBirth: birthDate(today, random),
  };
}

/** Businesses of the neighbourhood, companies of the group and the company's own departments. */
function makeBusinesses(company: Company, counts: CustomerCounts, today: CivilDate, random: Random): Customer[] {
  const origin = originOf(itemAt(company.guests, 0)[0]);
  const [brand = ""] = company.settings.accountName.split(" ");
  const { company: firm } = fakerOf(origin, random.between(0, LARGEST_SEED));
  const businesses = [
    ...Array.from({ length: counts.businesses }, () => ({ type: "legal_entity" as const, name: firm.name() })),
    ...GROUP_COMPANIES.map((name) => ({ type: "group_company" as const, name: `${brand} ${name}` })),
    ...company.words.departments.map((name) => ({ type: "internal_department" as const, name: `${brand} – ${name}` })),
  ];
  return businesses.map((business, index) => {
    const { address } = itemAt(company.branches, index % company.branches.length);
    return {
      ...makeIdentity(origin, today, random),
      ...business,
      id: counts.individuals + 1 + index,
      surname: "",
      dateOfBirth: undefined,
      documentId: origin.document === "dni" ? `B${random.digits(8)}` : `${random.digits(2)}-${random.digits(7)}`,
      email: `office@${ascii(business.name)}.example.com`,
      city: address.addressCity,
      state: address.addressState,
      zip: address.addressZip,
    };
  });
}

/** Identity document, phone and address of somebody. */
function makeIdentity(origin: Origin, today: CivilDate, random: Random) {
  const [city, state, zip] = random.pick(origin.cities);
  const documentDate = addDays(today, -random.between(800, 2_900));
  return {
    origin,
    city,
    state,
    zip,
    documentId: documentId(origin, random),
    documentDate,
    documentExpires: addDays(documentDate, 3_652),
    phone: `${random.between(6, 7)}${random.digits(origin.phoneDigits)}`,
    street: fakerOf(origin, random.between(0, LARGEST_SEED)).location.street(),
    number: String(random.between(1, 180)),
    complement: random.chance(0.3) ? `${random.between(1, 8)}${random.pick(["A", "B", "C"])}` : undefined,
  };
}

function documentId({ document, country }: Origin, random: Random): string {
  if (document === "passport") return `${country.charAt(0)}${random.letters(1, "ABCDEFGHK")}${random.digits(7)}`;
  const digits = random.digits(8);
  return `${digits}${DNI_LETTERS.charAt(Number(digits) % DNI_LETTERS.length)}`;
}

function birthDate(today: CivilDate, random: Random): CivilDate {
  const [youngest, oldest] = random.pickWeighted([
    [[21, 24], 7],
    [[25, 49], 54],
    [[50, 65], 28],
    [[66, 79], 9],
    [[80, 86], 2],
  ] as const);
  return addDays(today, -Math.floor(random.between(youngest, oldest) * 365.25) - random.between(0, 364));
}

// The letters of an e-mail address.
function ascii(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9]/g, "")
    .toLowerCase();
}

/** The language in which the company writes to a customer. */
export function customerLanguage({ settings }: Company, { origin: { language } }: Customer): string {
  if (settings.languages.includes(language)) return language;
  return settings.languages.includes("en") ? "en" : settings.defaultLanguage;
}

/** `since` is when the customer first appeared, `updated` when last; both epoch ms. */
export function customerRow(
  { branches, salesChannels }: Company,
  customer: Customer,
  since: number,
  updated: number,
): typeof customers.$inferInsert {
  const { id, origin, type } = customer;
  const isPerson = type === "individual";
  return {
    ...customer,
    customerType: type,
    documentIdDate: isPerson ? customer.documentDate : undefined,
    documentIdExpirationDate: isPerson ? customer.documentExpires : undefined,
    originCountry: origin.country,
    branchCode: branches.length > 1 ? branches[id % branches.length]?.code : undefined,
    salesChannelCode: salesChannels[id % (salesChannels.length || 1)]?.code,
    language: origin.language,
    phoneNumberPrefix: origin.phonePrefix,
    phoneNumber: customer.phone,
    mobilePhonePrefix: isPerson ? undefined : origin.phonePrefix,
    mobilePhone: isPerson ? undefined : customer.phone,
    addressStreet: customer.street,
    addressNumber: customer.number,
    addressComplement: customer.complement,
    addressCity: customer.city,
    addressState: customer.state,
    addressCountry: origin.country,
    addressZip: customer.zip,
    createdAt: since,
    lastUpdate: updated,
  };
}
