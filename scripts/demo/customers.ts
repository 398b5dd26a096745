import { addDays, type CivilDate } from "#domain/dates.ts";
import type { customers } from "#worker/store/schema/people.ts";
import type { Company } from "./company.ts";
import { fakerOf, type Origin, originOf } from "./origins.ts";
import { itemAt, type Random } from "./random.ts";

export type CustomerType = NonNullable<(typeof customers.$inferInsert)["customerType"]>;

type Identity = ReturnType<typeof makeIdentity>;
/** Of people alone. */
type PaperDates = "documentIdDate" | "documentIdExpirationDate";

/** A customer as the columns have it, but for when it came and changed. */
export interface Customer extends Omit<Identity, PaperDates>, Partial<Pick<Identity, PaperDates>> {
  readonly customerType: CustomerType;
  readonly name: string;
  readonly surname: string;
  readonly dateOfBirth: CivilDate | undefined;
  readonly email: string;
  readonly mobilePhonePrefix?: string;
  readonly mobilePhone?: string;
}

/** The customer whose user can sign in. */
export const DEMO_CUSTOMER_ID = 1;

const DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE";
const GROUP_COMPANIES = ["Hotels", "Marina", "Travel", "Properties", "Energy"];
const LARGEST_SEED = 2 ** 31;

/** The company's customers; the first is the one that can sign in. */
export function makeCustomers(company: Company, random: Random): Customer[] {
  const people = Array.from({ length: company.customers.individuals }, (_, index) =>
    makePerson(company, index + 1, random),
  );
  return [...people, ...makeBusinesses(company, random)];
}

function makePerson(company: Company, id: number, random: Random): Customer {
  const { guests, rows } = company;
  const user = rows.users.find(({ customerId }) => customerId === id);
  const origin = originOf(user ? itemAt(guests, 0)[0] : random.pickWeighted(guests));
  const { person } = fakerOf(origin, random.between(0, LARGEST_SEED));
  const surname = person.lastName();
  // Spanish surnames come in pairs already, Catalan ones singly.
  const isHalf = origin.twoSurnames && !surname.includes(" ");
  const made = [person.firstName(), surname, ...(isHalf ? [person.lastName()] : [])];
  const [name = "", ...surnames] = user ? user.fullName.split(" ") : made;
  return {
    ...makeIdentity(company, id, origin, random),
    customerType: "individual",
    name,
    surname: surnames.join(" "),
    email: user?.username ?? `${ascii(name)}.${ascii(surnames.join(""))}${random.between(1, 99)}@example.com`,
    dateOfBirth: birthDate(company.today, random),
  };
}

/** Businesses of the neighbourhood, companies of the group and the company's own departments. */
function makeBusinesses(company: Company, random: Random): Customer[] {
  const origin = originOf(itemAt(company.guests, 0)[0]);
  const [brand = ""] = company.settings.accountName.split(" ");
  const { company: firm } = fakerOf(origin, random.between(0, LARGEST_SEED));
  const named = (customerType: CustomerType, name: string) => ({ customerType, name });
  const businesses = [
    ...Array.from({ length: company.customers.businesses }, () => named("legal_entity", firm.name())),
    ...GROUP_COMPANIES.map((name) => named("group_company", `${brand} ${name}`)),
    ...company.ownTexts.departments.map((name) => named("internal_department", `${brand} – ${name}`)),
  ];
  return businesses.map((business, index) => {
    const { addressCity, addressState, addressZip } = itemAt(
      company.rows.branches,
      index % company.rows.branches.length,
    );
    const {
      documentIdDate: _,
      documentIdExpirationDate: __,
      ...identity
    } = makeIdentity(company, company.customers.individuals + 1 + index, origin, random);
    return {
      ...identity,
      ...business,
      surname: "",
      dateOfBirth: undefined,
      documentId: origin.document === "dni" ? `B${random.digits(8)}` : `${random.digits(2)}-${random.digits(7)}`,
      email: `office@${ascii(business.name)}.example.com`,
      mobilePhonePrefix: identity.phoneNumberPrefix,
      mobilePhone: identity.phoneNumber,
      addressCity: addressCity ?? "",
      addressState: addressState ?? "",
      addressZip: addressZip ?? "",
    };
  });
}

/** Identity document, phone and address of somebody. */
function makeIdentity(
  { today, rows: { branches, salesChannels } }: Company,
  id: number,
  origin: Origin,
  random: Random,
) {
  const [addressCity = "", addressState = "", addressZip = ""] = random.pick<readonly string[]>(origin.cities);
  const documentIdDate = addDays(today, -random.between(800, 2_900));
  return {
    id,
    branchCode: branches.length > 1 ? branches[id % branches.length]?.code : undefined,
    salesChannelCode: salesChannels[id % (salesChannels.length || 1)]?.code,
    originCountry: origin.country,
    language: origin.language,
    documentId: documentId(origin, random),
    documentIdDate: documentIdDate,
    documentIdExpirationDate: addDays(documentIdDate, 3_652),
    phoneNumberPrefix: origin.phonePrefix,
    phoneNumber: `${random.between(6, 7)}${random.digits(origin.phoneDigits)}`,
    addressStreet: fakerOf(origin, random.between(0, LARGEST_SEED)).location.street(),
    addressNumber: String(random.between(1, 180)),
    addressComplement: random.chance(0.3) ? `${random.between(1, 8)}${random.pick(["A", "B", "C"])}` : undefined,
    addressCity,
    addressState,
    addressCountry: origin.country,
    addressZip,
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
export function customerLanguage({ settings }: Company, { language }: Customer): string {
  if (settings.languages.includes(language)) return language;
  return settings.languages.includes("en") ? "en" : settings.defaultLanguage;
}
