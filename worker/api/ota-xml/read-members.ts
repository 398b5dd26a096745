import type { XmlElement } from "#domain/xml.ts";

// Members of messages that have an effect, or only describe other members. Other members cause a warning.

const below = (path: string, members: readonly string[]) => members.map((member) => `${path}/${member}`);
const words = (text: string) => text.split(" ");

const REFERENCE = words("UniqueID/@ID UniqueID/@Type UniqueID/@ID_Context UniqueID/@Instance");
const LOCATION = words("@LocationCode @CodeContext");
const RENTAL = [
  ...words("VehRentalCore/@PickUpDateTime VehRentalCore/@ReturnDateTime DriverType/@Age"),
  ...below("VehRentalCore/PickUpLocation", LOCATION),
  ...below("VehRentalCore/ReturnLocation", LOCATION),
];
// Preferences refuse unknown members themselves (preferences.ts).
const CATEGORY = words("VehPref/@Code VehPref/@CodeContext VehPref/@VendorCarType VehPref/VehMakeModel/@Code");
const PERSON = [
  ...words("@BirthDate Email Email/@EmailType Email/@DefaultInd CitizenCountryName/@Code"),
  ...below("PersonName", words("GivenName MiddleName SurnamePrefix Surname")),
  ...below("Telephone", words("@PhoneNumber @CountryAccessCode @CountryCode @AreaCityCode @PhoneTechType")),
  ...below("Telephone", words("@PhoneLocationType @PhoneUseType @FormattedInd")),
  ...below("Document", words("@DocType @DocID @DocIssueCountry @EffectiveDate @ExpireDate")),
];
const ADDRESS = words(
  "AddressLine StreetNmbr BldgRoom CityName PostalCode StateProv StateProv/@StateCode CountryName CountryName/@Code",
);
const CUSTOMER = [
  ...below("Customer/Primary", [...PERSON, ...below("Address", ADDRESS)]),
  ...below("Customer/Additional", PERSON),
];
const COMPANY = words("@Code @CompanyShortName");
const INFO = [
  ...words("CoveragePrefs/CoveragePref/@CoverageType CoveragePrefs/CoveragePref/@Code"),
  ...words("SpecialReqPref ArrivalDetails/@TransportationCode ArrivalDetails/@Number ArrivalDetails/@ArrivalDateTime"),
  ...words("ArrivalDetails/OperatingCompany ArrivalDetails/MarketingCompany"),
  ...below("ArrivalDetails/OperatingCompany", COMPANY),
  ...below("ArrivalDetails/MarketingCompany", COMPANY),
];
const EQUIPMENT = below("SpecialEquipPrefs/SpecialEquipPref", words("@EquipType @Quantity"));
const QUALIFIER = words("RateQualifier/@RateQualifier RateQualifier/@PromotionCode");
const SALE = [...RENTAL, ...REFERENCE, ...CUSTOMER, ...EQUIPMENT];

/** Paths below each message. An asterisk stands for everything below a path. */
const READ_MEMBERS: Readonly<Record<string, readonly string[]>> = {
  OTA_VehAvailRateRQ: ["@MaxResponses", ...below("VehAvailRQCore", ["@Status", "VehPrefs/*", ...QUALIFIER, ...RENTAL])],
  OTA_VehResRQ: [
    ...below("VehResRQCore", ["@Status", "VehPref/*", ...QUALIFIER, ...SALE]),
    ...below("VehResRQInfo", INFO),
  ],
  OTA_VehModifyRQ: [
    ...below("VehModifyRQCore", ["@ModifyType", "@Status", "RateQualifier/@PromotionCode", "VehPref/*", ...SALE]),
    ...below("VehModifyRQInfo", INFO),
  ],
  OTA_VehRetResRQ: below("VehRetResRQCore", REFERENCE),
  OTA_VehCancelRQ: below("VehCancelRQCore", ["@CancelType", ...REFERENCE]),
  // Unknown criteria are refused (requests.ts).
  OTA_VehLocSearchRQ: ["VehLocSearchCriterion/*"],
  OTA_VehRateRuleRQ: below("RentalInfo", [...QUALIFIER, ...RENTAL, "VehPref/*", ...below("VehicleInfo", CATEGORY)]),
};

/** The envelope of all messages (OTA_PayloadStdAttributes), and the sender, whom the signature identifies. */
const ENVELOPE = words(
  "@Version @Target @TargetName @TimeStamp @PrimaryLangID @AltLangID @EchoToken @TransactionIdentifier @SequenceNmbr " +
    "@CorrelationID @TransactionStatusCode @RetransmissionIndicator @ReqRespVersion @schemaLocation POS/*",
);

/** Lists the members of a message with a value that have no effect, as XPaths. */
export function listIgnoredMembers(root: XmlElement): readonly string[] {
  const read = new Set([...ENVELOPE, ...(READ_MEMBERS[root.name] ?? [])]);
  const isRead = (path: string): boolean => {
    const parts = path.split("/");
    return read.has(path) || parts.some((_, index) => read.has(`${parts.slice(0, index).join("/")}/*`));
  };
  const unread = [...listMembers(root)].filter((path) => !isRead(path));
  return [...new Set(unread)].map((path) => `/${root.name}/${path}`);
}

// Start of namespace URIs. The parser removes prefixes, so `xmlns:xsi` is only recognizable by its value.
const NAMESPACE = /^(https?:|urn:)/;

/** Lists the paths of attributes and texts with a value. */
function* listMembers(element: XmlElement, from = ""): Generator<string> {
  for (const [name, value] of Object.entries(element.attributes)) {
    if (value.trim() !== "" && !NAMESPACE.test(value)) yield `${from}@${name}`;
  }
  if (from !== "" && element.text.trim() !== "") yield from.slice(0, -1);
  for (const child of element.children) yield* listMembers(child, `${from}${child.name}/`);
}
