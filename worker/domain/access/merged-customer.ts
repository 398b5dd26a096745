/** Fields that belong together: values of two customers aren't mixed. */
const FILLED_GROUPS = [
  ["documentId", "documentIdDate", "documentIdExpirationDate"],
  ["phoneNumberPrefix", "phoneNumber"],
  ["mobilePhonePrefix", "mobilePhone"],
  [
    "addressStreet",
    "addressNumber",
    "addressComplement",
    "addressCity",
    "addressState",
    "addressCountry",
    "addressZip",
  ],
  ["originCountry"],
  ["dateOfBirth"],
  ["language"],
  ["email"],
  ["einvoiceFormat"],
  ["buyerReference"],
  ["einvoiceEndpoint"],
  ["dir3AccountingOffice"],
  ["dir3ManagingBody"],
  ["dir3ProcessingUnit"],
] as const;

/** Fields that the remaining customer keeps unless those of the merged one are chosen. */
const REMAINING_FIELDS = [
  "customerType",
  "name",
  "surname",
  "branchCode",
  "discountBasisPoints",
  "paymentTermsDays",
] as const;

/** Field of a customer that can be chosen in a merge. */
export type MergeableCustomerField = (typeof FILLED_GROUPS)[number][number] | (typeof REMAINING_FIELDS)[number];

type Data = Readonly<Record<MergeableCustomerField, unknown>>;

/**
 * Returns the data of the remaining customer after a merge. `takenFields` come from the merged customer, with the rest
 * of their document, telephone or address. Missing data is filled if it doesn't contradict the rest of its group.
 */
export function pickMergedCustomerData<Customer extends Data>(
  from: Customer,
  into: Customer,
  takenFields: readonly MergeableCustomerField[],
): Pick<Customer, MergeableCustomerField> {
  const isTaken = (group: readonly MergeableCustomerField[]) =>
    group.some((name) => takenFields.includes(name)) && group.some((name) => !isMissing(from[name]));
  const pick = (group: readonly MergeableCustomerField[]) => {
    if (isTaken(group)) return group.map((name) => [name, from[name]]);
    const isFilled = !group.some((name) => areDifferent(from[name], into[name]));
    return group.map((name) => [name, isFilled ? (into[name] ?? from[name]) : into[name]]);
  };
  return Object.fromEntries([
    ...FILLED_GROUPS.flatMap(pick),
    ...REMAINING_FIELDS.map((name) => [name, isTaken([name]) ? from[name] : into[name]]),
  ]) as Pick<Customer, MergeableCustomerField>;
}

const isMissing = (value: unknown) => value === null || value === "";

const areDifferent = (value: unknown, other: unknown) => !isMissing(value) && !isMissing(other) && value !== other;
