import { describe, expect, test } from "vitest";
import { COUNTRY_CODES } from "#domain/countries.ts";
import type { CivilDate } from "#domain/dates.ts";
import { draftMissingContractDocuments } from "#domain/documents/invoicing.ts";
import { toTaxAgencyCountry } from "#domain/tax-records/agency-countries.ts";
import { toTaxRecordRecipient } from "#domain/tax-records/recipient.ts";
import { createRegistrationRecord } from "#domain/tax-records/recording.ts";
import { findDescendant, getChildText } from "#domain/xml.ts";
import { createContractToInvoice } from "#support/contract-to-invoice.ts";
import { writeSubmissionXml } from "#worker/authorities/tax-agency/registration-xml.ts";
import { parseAuthorityXml } from "#worker/authorities/xml.ts";

// `CountryType2` of the agency's SuministroInformacion.xsd. Any other code rejects the whole submission.
const LISTED = new Set(
  "AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AZ BA BB BD BE BF BG BH BI BJ BM BN BO BQ BR BS BT BV BW BY BZ CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG ER ES ET FI FJ FK FM FO FR GA GB GD GE GG GH GI GL GM GN GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MG MH MK ML MM MN MO MP MR MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA QU RE RO RS RU RW SA SB SC SD SE SG SH SI SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XB XG XN XU YE YT ZA ZM ZW".split(
    " ",
  ),
);

describe("country codes of the tax agency", () => {
  // Proves "security, privacy and operation": A customer's country is sent as in the agency's list
  test("maps every country of a customer, also an imported one, to the tax agency's list", () => {
    const mappedCountries = [...COUNTRY_CODES, "XK", "UK", "ZZ"].map(toTaxAgencyCountry);
    expect(mappedCountries.filter((code) => !LISTED.has(code))).toEqual([]);
  });

  test("keeps a country code that the tax agency lists", () => {
    const unchangedCountries = COUNTRY_CODES.filter((code) => LISTED.has(code));
    expect(unchangedCountries.map(toTaxAgencyCountry)).toEqual(unchangedCountries);
  });

  test.each([
    ["MQ", "FR"],
    ["AX", "FI"],
    ["SJ", "NO"],
    ["XK", "QU"],
  ])("replaces the country code %s by %s, which the tax agency lists", (code, expected) => {
    expect(toTaxAgencyCountry(code)).toBe(expected);
  });

  test("maps usual spellings of a passport's country code, such as UK, and omits an unknown country", () => {
    const { customer } = createContractToInvoice();
    const identify = (country: string, originCountry?: string) => {
      const address = { ...customer.address, country };
      const person = { ...customer, type: "individual", documentId: "C01X00T47", originCountry, address } as const;
      const recipient = toTaxRecordRecipient(person);
      return recipient && "country" in recipient ? recipient.country : undefined;
    };
    expect(["UK", "el", "de", "XX", "ES", "Narnia"].map((country) => identify(country))).toEqual([
      ...["GB", "GR", "DE"],
      ...[undefined, undefined, undefined],
    ]);
    expect([identify("ES", "UK"), identify("DE", "XX"), identify("XX", "FR")]).toEqual(["GB", "DE", "FR"]);
  });

  test("replaces a country code that the tax agency doesn't list in submissions, also of older records", () => {
    const { customer } = createContractToInvoice();
    const from = { ...customer, documentId: "X1", address: { ...customer.address, country: "MQ" } };
    const [draft] = draftMissingContractDocuments(createContractToInvoice({ customer: from }));
    if (!draft) throw new Error("nothing to invoice");
    const content = createRegistrationRecord({
      draft,
      taxpayer: { name: "Acme, S.L.", documentId: "B07123458", territory: "iva" },
      rateCodes: {},
      id: { number: "A-PMI-26/1", date: "2026-11-21" as CivilDate },
      corrected: undefined,
      replaced: [],
      system: { version: "1.0", installation: "1", hasSeveralTaxpayers: false },
    });
    const record = { content, hashed: "", hash: "", previous: undefined };
    const producer = { name: "P", taxId: "B07123458", systemName: "P", systemId: "P1" };
    const xml = writeSubmissionXml(
      { issuer: { name: "Acme", taxId: "B07123458" }, isIncident: false },
      [record],
      producer,
    );
    expect(getChildText(findDescendant(parseAuthorityXml(xml), "IDOtro"), "CodigoPais")).toBe("FR");
  });
});
