import { addDays, type CivilDate } from "#domain/dates.ts";
import type { Company } from "./company.ts";
import { DEMO_CUSTOMER_ID } from "./credentials.ts";
import { inventFirms } from "./firms.ts";
import type { Row } from "./insert.ts";
import { type Origin, originOf } from "./people-names.ts";
import type { Random } from "./random.ts";

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

export interface Crowd {
  readonly individuals: number;
  readonly businesses: number;
}

const DNI_LETTERS = "TRWAGMYFPDXBNJZSQVHLCKE";

/** The company's customers; the first is the one that can sign in. */
export function inventCustomers(company: Company, crowd: Crowd, today: CivilDate, random: Random): Customer[] {
  const people = Array.from({ length: crowd.individuals - 1 }, (_, index) =>
    inventPerson(company, index + 2, today, random),
  );
  const first = inventPerson(company, DEMO_CUSTOMER_ID, today, random);
  const firms = inventFirms(company, crowd.businesses, crowd.individuals + 1, today, random);
  return [{ ...first, ...demoPerson(company) }, ...people, ...firms];
}

function demoPerson({ users, guests }: Company): Pick<Customer, "name" | "surname" | "email" | "origin"> {
  const user = users.find(({ customerId }) => customerId === DEMO_CUSTOMER_ID);
  if (!user) throw new Error("no customer can sign in");
  const [name = "", ...surnames] = user.fullName.split(" ");
  return { name, surname: surnames.join(" "), email: user.username, origin: originOf(guests[0]?.[0] ?? "") };
}

function inventPerson(company: Company, id: number, today: CivilDate, random: Random): Customer {
  const origin = originOf(
    id === DEMO_CUSTOMER_ID ? (company.guests[0]?.[0] ?? "") : random.pickWeighted(company.guests),
  );
  const [name = "", ...surnames] = inventName(origin, random);
  return {
    ...inventIdentity(origin, today, random),
    id,
    type: "individual",
    name,
    surname: surnames.join(" "),
    email: `${ascii(name)}.${ascii(surnames.join(""))}${random.between(1, 99)}@example.com`,
    dateOfBirth: birthDate(today, random),
  };
}

function inventName({ names, surnames, twoSurnames }: Origin, random: Random): string[] {
  return [random.pick(names), random.pick(surnames), ...(twoSurnames ? [random.pick(surnames)] : [])];
}

/** Papers, phone and address of somebody. */
export function inventIdentity(origin: Origin, today: CivilDate, random: Random) {
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
    street: random.pick(origin.streets),
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

/** The letters of an e-mail address. */
export function ascii(text: string): string {
  return text
    .normalize("NFKD")
    .replace(/[^A-Za-z0-9]/g, "")
    .toLowerCase();
}

/** `since` is when the customer first appeared, `updated` when last; both epoch ms. */
export function customerRow(company: Company, customer: Customer, since: number, updated: number): Row {
  const { origin } = customer;
  return {
    id: customer.id,
    customer_type: customer.type,
    name: customer.name,
    surname: customer.surname,
    document_id: customer.documentId,
    document_id_date: customer.type === "individual" ? customer.documentDate : null,
    document_id_expiration_date: customer.type === "individual" ? customer.documentExpires : null,
    origin_country: origin.country,
    date_of_birth: customer.dateOfBirth,
    branch_code: company.branches.length > 1 ? company.branches[customer.id % company.branches.length]?.code : null,
    sales_channel_code: company.salesChannels[customer.id % (company.salesChannels.length || 1)]?.code,
    language: origin.language,
    email: customer.email,
    phone_number_prefix: origin.phonePrefix,
    phone_number: customer.phone,
    mobile_phone_prefix: customer.type === "individual" ? null : origin.phonePrefix,
    mobile_phone: customer.type === "individual" ? null : customer.phone,
    address_street: customer.street,
    address_number: customer.number,
    address_complement: customer.complement,
    address_city: customer.city,
    address_state: customer.state,
    address_country: origin.country,
    address_zip: customer.zip,
    created_at: since,
    last_update: updated,
  };
}
