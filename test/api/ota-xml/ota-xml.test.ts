import { createExecutionContext } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test, vi } from "vitest";
import { findElementByPath, listChildren, PARTNER_XML_RULES, parseXml, type XmlElement } from "#domain/xml.ts";
import { createAvailabilityPath, getAsAgency, getBookableDay } from "#support/agency.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import { signBytes } from "#support/sign-bytes.ts";
import { requestWorker } from "#support/worker.ts";
import worker from "#worker/entry/office.ts";

const PATH = "/api/ota";
const NAMESPACE = 'xmlns="http://www.opentravel.org/OTA/2003/05" Version="1.0"';

beforeEach(async () => {
  const { db } = await setUpCompany();
  await db.prepare("UPDATE categories SET acriss_code = 'ECMR' WHERE code = 'A'").run();
  await (await openTestTenant(env, "acme")).freshSnapshot();
});

const utf8 = (text: string) => Uint8Array.from(new TextEncoder().encode(text));

interface Sent {
  readonly key?: string;
  readonly secret?: string;
  readonly type?: string;
}

async function send(
  body: string | Uint8Array<ArrayBuffer>,
  { key = "agency", secret = "agency-secret", type = "application/xml" }: Sent = {},
) {
  const bytes = typeof body === "string" ? utf8(body) : body;
  const answer = await requestWorker(`http://acme.localhost:8787${PATH}`, {
    method: "POST",
    headers: { "Content-Type": type, Authorization: `${key}:${await signBytes(secret, PATH, bytes)}` },
    body: bytes,
  });
  const text = await answer.text();
  const root = parseXml(text, PARTNER_XML_RULES);
  if (!root) throw new Error(`no XML: ${text}`);
  return { status: answer.status, type: answer.headers.get("Content-Type"), text, root };
}

const RENTAL = `<VehRentalCore PickUpDateTime="${getBookableDay(0)}T10:00:00" ReturnDateTime="${getBookableDay(3)}T10:00:00">
  <PickUpLocation LocationCode="1"/><ReturnLocation LocationCode="2"/></VehRentalCore>`;
const search = (core = RENTAL) => `<?xml version="1.0" encoding="UTF-8"?>
  <OTA_VehAvailRateRQ ${NAMESPACE} PrimaryLangID="en"><POS><Source><RequestorID Type="5" ID="x"/></Source></POS>
  <VehAvailRQCore Status="Available">${core}</VehAvailRQCore></OTA_VehAvailRateRQ>`;
const booking = (
  reference: string,
  more = "",
) => `<ota:OTA_VehResRQ xmlns:ota="http://www.opentravel.org/OTA/2003/05" Version="1.0">
  <ota:VehResRQCore><ota:UniqueID Type="14" ID="${reference}"/>${RENTAL}<Customer><Primary><PersonName><GivenName>Ana &amp; Co</GivenName>
  <Surname>Ruiz</Surname></PersonName><Telephone PhoneNumber="600111222"/><Email>ana@example.com</Email></Primary></Customer>
  <VehPref Code="A"/><SpecialEquipPrefs><SpecialEquipPref EquipType="SEAT" Quantity="2"/></SpecialEquipPrefs>${more}</ota:VehResRQCore></ota:OTA_VehResRQ>`;
const buildReferenceRequest = (message: string, reference: string) =>
  `<OTA_${message}RQ ${NAMESPACE}><${message}RQCore CancelType="Book"><UniqueID Type="14" ID="${reference}"/></${message}RQCore></OTA_${message}RQ>`;

/** Children and attributes of each response element, in OpenTravel's schema order. */
const STRUCTURE: Readonly<Record<string, readonly [children: string, attributes: string]>> = {
  OTA_VehAvailRateRS: [
    "Success Warnings VehAvailRSCore Errors",
    "xmlns Version TimeStamp EchoToken TransactionIdentifier SequenceNmbr CorrelationID",
  ],
  OTA_VehResRS: [
    "Success Warnings VehResRSCore Errors",
    "xmlns Version TimeStamp EchoToken TransactionIdentifier SequenceNmbr CorrelationID",
  ],
  OTA_VehRetResRS: [
    "Success Warnings VehRetResRSCore Errors",
    "xmlns Version TimeStamp EchoToken TransactionIdentifier SequenceNmbr CorrelationID",
  ],
  OTA_VehCancelRS: [
    "Success Warnings VehCancelRSCore Errors",
    "xmlns Version TimeStamp EchoToken TransactionIdentifier SequenceNmbr CorrelationID",
  ],
  OTA_VehModifyRS: [
    "Success Warnings VehModifyRSCore Errors",
    "xmlns Version TimeStamp EchoToken TransactionIdentifier SequenceNmbr CorrelationID",
  ],
  OTA_VehLocSearchRS: [
    "Success Warnings VehMatchedLocs Errors",
    "xmlns Version TimeStamp EchoToken TransactionIdentifier SequenceNmbr CorrelationID",
  ],
  OTA_VehRateRuleRS: [
    "Success Warnings VehRentalCore Vehicle RentalRate TotalCharge RateRules PricedEquips Fees PricedCoverages Errors",
    "xmlns Version TimeStamp EchoToken TransactionIdentifier SequenceNmbr CorrelationID",
  ],
  VehModifyRSCore: ["VehReservation", "ModifyStatus"],
  VehMatchedLocs: ["VehMatchedLoc", ""],
  VehMatchedLoc: ["LocationDetail", ""],
  LocationDetail: ["Address Telephone AdditionalInfo", "AtAirport Code CodeContext Name AssocAirportLocList"],
  Address: ["AddressLine CityName PostalCode StateProv CountryName", ""],
  AddressLine: ["", ""],
  CityName: ["", ""],
  PostalCode: ["", ""],
  StateProv: ["", ""],
  CountryName: ["", "Code"],
  AdditionalInfo: ["VehRentLocInfos OperationSchedules", ""],
  VehRentLocInfos: ["VehRentLocInfo", ""],
  VehRentLocInfo: ["SubSection", "Title"],
  SubSection: ["Paragraph", ""],
  Paragraph: ["Text", ""],
  Text: ["", ""],
  OperationSchedules: ["OperationSchedule", ""],
  OperationSchedule: ["OperationTimes", ""],
  OperationTimes: ["OperationTime", ""],
  OperationTime: ["", "Mon Tue Weds Thur Fri Sat Sun Start End"],
  RateRules: ["CancelPenaltyInfo", ""],
  CancelPenaltyInfo: ["Deadline PenaltyFee", "CancelPolicyInd NoShowInd"],
  Deadline: ["", "OffsetTimeUnit OffsetUnitMultiplier OffsetDropTime"],
  PenaltyFee: ["", "Percent Amount CurrencyCode Description"],
  Fees: ["Fee", ""],
  Fee: ["", "Purpose Amount CurrencyCode RequiredInd IncludedInEstTotalInd Description"],
  OTA_ErrorRS: ["Errors", "xmlns Version TimeStamp EchoToken TransactionIdentifier SequenceNmbr CorrelationID"],
  Success: ["", ""],
  Errors: ["Error", ""],
  Warnings: ["Warning", ""],
  Warning: ["", "Type ShortText Tag"],
  Error: ["", "Type Code ShortText Tag"],
  VehAvailRSCore: ["VehRentalCore VehVendorAvails", ""],
  VehVendorAvails: ["VehVendorAvail", ""],
  VehVendorAvail: ["Vendor VehAvails Info", ""],
  VehAvails: ["VehAvail", ""],
  VehAvail: ["VehAvailCore VehAvailInfo", ""],
  VehAvailCore: ["Vehicle RentalRate TotalCharge PricedEquips Fees Reference", "Status"],
  VehResRSCore: ["VehReservation", ""],
  VehRetResRSCore: ["VehReservation", ""],
  VehCancelRSCore: ["UniqueID", "CancelStatus"],
  UniqueID: ["", "Type ID"],
  VehReservation: ["Customer VehSegmentCore VehSegmentInfo", "ReservationStatus"],
  VehSegmentCore: ["ConfID Vendor VehRentalCore Vehicle RentalRate PricedEquips Fees TotalCharge", ""],
  ConfID: ["", "Type ID"],
  Vendor: ["", "Code"],
  VehRentalCore: ["PickUpLocation ReturnLocation", "PickUpDateTime ReturnDateTime"],
  PickUpLocation: ["", "LocationCode CodeContext"],
  ReturnLocation: ["", "LocationCode CodeContext"],
  Vehicle: [
    "VehType VehClass VehMakeModel PictureURL",
    "AirConditionInd TransmissionType FuelType DriveType PassengerQuantity BaggageQuantity Code CodeContext VendorCarType",
  ],
  VehType: ["", "VehicleCategory DoorCount"],
  VehClass: ["", "Size"],
  VehMakeModel: ["", "Name Code"],
  PictureURL: ["", ""],
  RentalRate: ["RateDistance VehicleCharges RateQualifier RateRestrictions", ""],
  RateDistance: ["", "Unlimited Quantity DistUnitName VehiclePeriodUnitName"],
  VehicleCharges: ["VehicleCharge", ""],
  VehicleCharge: [
    "TaxAmounts MinMax Calculation",
    "Purpose Amount CurrencyCode TaxInclusive IncludedInRate IncludedInEstTotalInd RequiredInd Description",
  ],
  RateQualifier: ["", "PromotionCode RateQualifier"],
  TotalCharge: ["", "RateTotalAmount EstimatedTotalAmount CurrencyCode"],
  PricedEquips: ["PricedEquip", ""],
  PricedEquip: ["Equipment Charge", ""],
  Equipment: ["Description", "EquipType Quantity"],
  Description: ["", ""],
  VehAvailInfo: ["PricedCoverages PaymentRules", ""],
  PricedCoverages: ["PricedCoverage", ""],
  PricedCoverage: ["Coverage Charge Deductible", "Required"],
  Coverage: ["Details", "CoverageType Code"],
  Details: ["", "CoverageTextType"],
  Deductible: ["", "Amount CurrencyCode"],
  Charge: ["TaxAmounts MinMax Calculation", "Purpose Amount CurrencyCode TaxInclusive"],
};

/** Lists deviations of a response from the schema. */
function strayIn({ name, children, attributes }: XmlElement, from = ""): readonly string[] {
  const [order = "", known = ""] = STRUCTURE[name] ?? [];
  const places = children.map((child) => order.split(" ").indexOf(child.name));
  const isStray = places.some((place, at) => place < 0 || place < (places[at - 1] ?? 0));
  const strange = Object.keys(attributes).filter((attribute) => !known.split(" ").includes(attribute));
  return [
    ...(STRUCTURE[name] && !isStray ? [] : [`${from}/${name}: ${children.map((child) => child.name)}`]),
    ...strange.map((text) => `${from}/${name}@${text}`),
    ...children.flatMap((child) => strayIn(child, `${from}/${name}`)),
  ];
}

/** Returns the hours between UTC and Madrid at ten in the morning of a day. */
function summerOffset(date: string): number {
  const noon = new Intl.DateTimeFormat("en", { timeZone: "Europe/Madrid", hour: "2-digit", hourCycle: "h23" });
  return Number(noon.format(Date.parse(`${date}T08:00:00Z`))) - 8;
}

const getAttribute = (element: XmlElement | undefined, name: string) => element?.attributes[name];

describe("an agency that speaks OpenTravel", () => {
  const locations = (criterion: string) =>
    `<OTA_VehLocSearchRQ ${NAMESPACE}><VehLocSearchCriterion>${criterion}</VehLocSearchCriterion></OTA_VehLocSearchRQ>`;
  const listPlaces = (root: XmlElement) =>
    listChildren(findElementByPath(root, "VehMatchedLocs"), "VehMatchedLoc").map((item) =>
      findElementByPath(item, "LocationDetail"),
    );

  // Proves "opentravel.md": OTA_VehLocSearchRQ
  test("searches places by code and address, with hours and position", async () => {
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare(`UPDATE pickup_places SET iata = 'PMI', place_type = 'airport', address_street_address = 'Ma-19',
        address_zip = '07611', address_city = 'Palma', address_country_code = 'ES', address_lat = 39.55, address_lng = 2.73 WHERE id = 1`),
      env.TENANT_ACME.prepare("DELETE FROM opening_hours WHERE branch_code = 'AIR'"),
      env.TENANT_ACME.prepare(
        "INSERT INTO opening_hours (branch_code, weekday, opens, closes) VALUES ('AIR', 1, '08:00', '20:00')",
      ),
    ]);
    await openTestTenant(env).freshSnapshot();
    const { status, root } = await send(locations('<CodeRef LocationCode="pmi"/>'));
    expect([status, strayIn(root)]).toEqual([200, []]);
    const [airport, ...others] = listPlaces(root);
    expect(others).toEqual([]);
    expect(airport?.attributes).toEqual({
      ...{ AtAirport: "true", Code: "1", CodeContext: "internal code", Name: "Aeropuerto", AssocAirportLocList: "PMI" },
    });
    expect(findElementByPath(airport, "Address", "CityName")?.text).toBe("Palma");
    const info = findElementByPath(airport, "AdditionalInfo");
    expect(findElementByPath(info, "VehRentLocInfos", "VehRentLocInfo", "SubSection", "Paragraph", "Text")?.text).toBe(
      "39.55,2.73",
    );
    const [time] = listChildren(
      findElementByPath(info, "OperationSchedules", "OperationSchedule", "OperationTimes"),
      "OperationTime",
    );
    expect(time?.attributes).toEqual({ Mon: "true", Start: "08:00", End: "20:00" });
    const count = async (criterion: string) => listPlaces((await send(locations(criterion))).root).length;
    expect(await count("<Address><CityName>palma</CityName><CountryName Code='ES'/></Address>")).toBe(1);
    expect(await count("")).toBe(4);
    expect((await send(locations('<CodeRef LocationCode="XXX"/>'))).status).toBe(404);
    expect((await send(locations('<Position Latitude="39" Longitude="2"/>'))).text).toContain(
      "VehLocSearchCriterion/Position",
    );
  });

  // Proves "opentravel.md": OTA_VehRateRuleRQ
  test("reads the rate rules of a category: total, cancellation terms, deposits and extras", async () => {
    await env.TENANT_ACME.batch([
      env.TENANT_ACME.prepare("DELETE FROM cancellation_terms"),
      env.TENANT_ACME.prepare(`INSERT INTO cancellation_terms (id, occasion, hours_before, fee_type, fee_value)
        VALUES (1, 'cancellation', 48, 'percentage', 2500), (2, 'no_show', NULL, 'days', 1)`),
    ]);
    const rules = (qualifier: string) => `<OTA_VehRateRuleRQ ${NAMESPACE} PrimaryLangID="en"><RentalInfo>${RENTAL}
      ${qualifier}</RentalInfo></OTA_VehRateRuleRQ>`;
    const { status, root } = await send(rules('<RateQualifier RateQualifier="A"/>'));
    expect([status, strayIn(root)]).toEqual([200, []]);
    const avails = findElementByPath(
      (await send(search())).root,
      "VehAvailRSCore",
      "VehVendorAvails",
      "VehVendorAvail",
      "VehAvails",
    );
    const offered = findElementByPath(listChildren(avails, "VehAvail")[0], "VehAvailCore");
    expect(findElementByPath(root, "TotalCharge")).toEqual(findElementByPath(offered, "TotalCharge"));
    expect(
      listChildren(findElementByPath(root, "RateRules"), "CancelPenaltyInfo").map(
        (item) => findElementByPath(item, "PenaltyFee")?.attributes,
      ),
    ).toEqual([{ Percent: "25.00" }, { Description: "1 days" }]);
    const [category] = await env.TENANT_ACME.prepare(
      "SELECT deposit_cents, guarantee_cents FROM categories WHERE code = 'A'",
    ).raw<[number, number]>();
    expect(
      listChildren(findElementByPath(root, "Fees"), "Fee").map((item) => [
        getAttribute(item, "Description"),
        Number(getAttribute(item, "Amount")) * 100,
      ]),
    ).toEqual([
      ["Excess", category?.[0]],
      ["Deposit", category?.[1]],
    ]);
    expect((await send(rules("<VehicleInfo><VehPref Code='A'/></VehicleInfo>"))).status).toBe(200);
    const unmet = '<VehPref Code="A" TransmissionType="Automatic"/><RateQualifier RateQualifier="A"/>';
    expect((await send(rules(unmet))).text).toContain("/OTA_VehRateRuleRQ/RentalInfo/VehPref[1]/@TransmissionType");
    expect((await send(rules(""))).text).toContain("/OTA_VehRateRuleRQ/RentalInfo/RateQualifier/@RateQualifier");
    expect((await send(rules('<RateQualifier RateQualifier="NOSUCH"/>'))).status).toBe(400);
  });

  describe("with codes of OpenTravel's lists for extras", () => {
    beforeEach(async () => {
      const db = env.TENANT_ACME;
      await db.batch([
        db.prepare("UPDATE extras SET opentravel_code = 13 WHERE code = 'GPS'"),
        db.prepare("UPDATE categories SET deposit_cents = 60000 WHERE code = 'A'"),
        db.prepare("UPDATE categories SET deposit_cents = 90000 WHERE code = 'B'"),
        db.prepare(`INSERT INTO extras (code, name, price_per, price_cents, vat_basis_points, position,
          deposit_reduction_type, deposit_reduction_value, guarantee_reduction_value) VALUES
          ('FULL', 'Sin franquicia', 'day', 1200, 2100, 3, 'percentage', 10000, NULL),
          ('LESS', 'Franquicia <baja>', 'rental', 900, 2100, 4, 'amount', 15000, NULL),
          ('NODEP', 'Menos fianza', 'rental', 500, 2100, 5, 'amount', NULL, 0)`),
      ]);
      await (await openTestTenant(env, "acme")).freshSnapshot();
    });
    type Answer = Awaited<ReturnType<typeof send>>;
    const findAvail = ({ root }: Answer, category: string) =>
      listChildren(
        findElementByPath(root, "VehAvailRSCore", "VehVendorAvails", "VehVendorAvail", "VehAvails"),
        "VehAvail",
      ).find(
        (avail) => getAttribute(findElementByPath(avail, "VehAvailCore", "Vehicle"), "VendorCarType") === category,
      );
    const listCoverages = (parent: XmlElement | undefined) =>
      listChildren(findElementByPath(parent, "PricedCoverages"), "PricedCoverage").map((priced) => [
        getAttribute(findElementByPath(priced, "Coverage"), "Code"),
        getAttribute(findElementByPath(priced, "Coverage"), "CoverageType"),
        findElementByPath(priced, "Coverage", "Details")?.text,
        getAttribute(findElementByPath(priced, "Charge"), "Amount"),
        getAttribute(findElementByPath(priced, "Deductible"), "Amount"),
      ]);
    const listEquipment = (parent: XmlElement | undefined) =>
      listChildren(findElementByPath(parent, "PricedEquips"), "PricedEquip").map((priced) =>
        getAttribute(findElementByPath(priced, "Equipment"), "EquipType"),
      );
    const book = (reference: string, equipment: string, coverages: string) =>
      send(
        booking(reference)
          .replace(/<SpecialEquipPrefs>.*<\/SpecialEquipPrefs>/, equipment)
          .replace(
            "</ota:VehResRQCore>",
            `</ota:VehResRQCore><ota:VehResRQInfo><CoveragePrefs>${coverages}</CoveragePrefs></ota:VehResRQInfo>`,
          ),
      );
    const listBooked = async (reference: string) =>
      (
        await env.TENANT_ACME.prepare(
          `SELECT extra_code FROM booking_extras WHERE booking_id = (SELECT id FROM bookings WHERE agency_reservation_id = ?)
            ORDER BY extra_code`,
        )
          .bind(reference)
          .raw<[string]>()
      ).map(([code]) => code);

    // Proves "opentravel.md": PricedCoverages
    test("lists coverages with the deductible of each category, and equipment by its standard code", async () => {
      const answer = await send(search());
      expect([answer.status, strayIn(answer.root)]).toEqual([200, []]);
      const [small, large] = [findAvail(answer, "A"), findAvail(answer, "B")];
      expect(listEquipment(findElementByPath(small, "VehAvailCore"))).toEqual(["SEAT", "13", "NODEP"]);
      expect(listCoverages(findElementByPath(small, "VehAvailInfo"))).toEqual([
        ["FULL", "60", "Sin franquicia", "36.00", "0.00"],
        ["LESS", "13", "Franquicia <baja>", "9.00", "150.00"],
      ]);
      expect(listCoverages(findElementByPath(large, "VehAvailInfo"))[1]?.[4]).toBe("150.00");
      const rules = await send(
        `<OTA_VehRateRuleRQ ${NAMESPACE}><RentalInfo>${RENTAL}<RateQualifier RateQualifier="A"/></RentalInfo></OTA_VehRateRuleRQ>`,
      );
      expect([rules.status, strayIn(rules.root)]).toEqual([200, []]);
      expect(listCoverages(rules.root)).toEqual(listCoverages(findElementByPath(small, "VehAvailInfo")));
    });

    test("books equipment and coverages by standard or own code, and refuses unknown codes with the element's path", async () => {
      const pick = (type: string) =>
        `<SpecialEquipPrefs><SpecialEquipPref EquipType="${type}" Quantity="1"/></SpecialEquipPrefs>`;
      const booked = await book("cover-1", pick("13"), '<CoveragePref CoverageType="60"/>');
      expect([booked.status, readWarnings(booked)]).toEqual([200, []]);
      expect(await listBooked("cover-1")).toEqual(["FULL", "GPS"]);
      expect((await book("cover-2", pick("GPS"), '<CoveragePref CoverageType="13" Code="LESS"/>')).status).toBe(200);
      expect(await listBooked("cover-2")).toEqual(["GPS", "LESS"]);
      const [path, core] = ["/OTA_VehResRQ/VehResRQInfo/CoveragePrefs/CoveragePref", "/OTA_VehResRQ/VehResRQCore"];
      for (const [equipment, coverages, tag] of [
        [pick("13"), '<CoveragePref CoverageType="7"/>', `${path}[1]/@CoverageType`],
        [
          pick("13"),
          '<CoveragePref CoverageType="60"/><CoveragePref CoverageType="60" Code="NO"/>',
          `${path}[2]/@Code`,
        ],
        [pick("13"), '<CoveragePref CoverageType="60" Code="SEAT"/>', `${path}[1]/@Code`],
        [pick("13"), '<CoveragePref CoverageType="60" Code="LESS"/>', `${path}[1]/@Code`],
        [pick("8"), "", `${core}/SpecialEquipPrefs/SpecialEquipPref/@EquipType`],
      ] as const) {
        const refused = await book("cover-3", equipment, coverages);
        expect([refused.status, readErrors(refused)]).toEqual([400, [["320", tag]]]);
      }
      expect(readErrors(await book("cover-3", pick("13"), "<CoveragePref/>"))).toEqual([
        ["321", `${path}[1]/@CoverageType`],
      ]);
      expect(await listBooked("cover-3")).toEqual([]);
      const twice = '<CoveragePref CoverageType="60"/><CoveragePref CoverageType="60" Code="FULL"/>';
      expect((await book("cover-5", pick("13"), twice)).status).toBe(200);
      expect(await listBooked("cover-5")).toEqual(["FULL", "GPS"]);
    });

    test("uses an extra's own code if several extras share the standard code or the own code equals a standard one", async () => {
      await env.TENANT_ACME.prepare("UPDATE extras SET opentravel_code = 13 WHERE code = 'SEAT'").run();
      await (await openTestTenant(env, "acme")).freshSnapshot();
      const shared = findElementByPath(findAvail(await send(search()), "A"), "VehAvailCore");
      expect(listEquipment(shared)).toEqual(["SEAT", "GPS", "NODEP"]);
    });

    test("changes a booking's coverage by OTA_VehModifyRQ", async () => {
      await book("cover-4", "", '<CoveragePref CoverageType="60"/>');
      const changed = await send(`<OTA_VehModifyRQ ${NAMESPACE}><VehModifyRQCore ModifyType="Modify">
        <UniqueID Type="14" ID="cover-4"/></VehModifyRQCore><VehModifyRQInfo><CoveragePrefs>
        <CoveragePref CoverageType="13" Code="LESS"/></CoveragePrefs></VehModifyRQInfo></OTA_VehModifyRQ>`);
      expect([changed.status, strayIn(changed.root), readWarnings(changed)]).toEqual([200, [], []]);
      expect(await listBooked("cover-4")).toEqual(["LESS"]);
    });
  });

  // Proves "opentravel.md": OTA_VehModifyRQ
  test("modifies a booking's return date and driver, and keeps its places, contact data, extras and category", async () => {
    await send(booking("modify-1"));
    const readOthers = () =>
      env.TENANT_ACME.prepare(
        `SELECT status, date_from, time_from, time_to, pickup_place_id, return_place_id, customer_surname, customer_email,
          customer_phone, comments, (SELECT json_group_array(extra_code || quantity) FROM booking_extras) AS extras,
          (SELECT json_group_array(category_code || quantity) FROM booking_lines) AS lines FROM bookings`,
      ).first();
    const others = await readOthers();
    const modify = (content: string, type = "Modify", reference = "modify-1") =>
      send(`<OTA_VehModifyRQ ${NAMESPACE}><VehModifyRQCore ModifyType="${type}"><UniqueID Type="14" ID="${reference}"/>
        ${content}</VehModifyRQCore></OTA_VehModifyRQ>`);
    const rental = `<VehRentalCore PickUpDateTime="${getBookableDay(0)}T10:00:00" ReturnDateTime="${getBookableDay(5)}T10:00:00"/>`;
    const person =
      '<Customer><Primary BirthDate="1990-01-02"><PersonName><GivenName>Eva</GivenName></PersonName></Primary></Customer>';
    const { status, root } = await modify(`${rental}${person}`);
    expect([status, strayIn(root), getAttribute(findElementByPath(root, "VehModifyRSCore"), "ModifyStatus")]).toEqual([
      200,
      [],
      "Modified",
    ]);
    const segment = findElementByPath(root, "VehModifyRSCore", "VehReservation", "VehSegmentCore");
    expect(getAttribute(findElementByPath(segment, "VehRentalCore"), "ReturnDateTime")).toBe(
      `${getBookableDay(5)}T10:00:00`,
    );
    expect(getAttribute(findElementByPath(segment, "VehRentalCore", "ReturnLocation"), "LocationCode")).toBe("2");
    const row = await env.TENANT_ACME.prepare(
      "SELECT customer_name, customer_surname, contract_data, extras_cents FROM bookings WHERE agency_reservation_id = 'modify-1'",
    ).first<Record<string, unknown>>();
    expect(row).toMatchObject({ customer_name: "Eva", customer_surname: "Ruiz" });
    expect(JSON.parse(String(row?.["contract_data"]))).toMatchObject({ customer_date_of_birth: "1990-01-02" });
    expect(row?.["extras_cents"]).toBeGreaterThan(0);
    expect(await readOthers()).toEqual(others);
    const unmet = await modify(`${rental}<VehPref Code="A" TransmissionType="Automatic" TransmissionPref="Only"/>`);
    expect([unmet.status, unmet.text]).toEqual([400, expect.stringContaining("VehPref[1]/@TransmissionType")]);
    const vague = await modify(`${rental}<VehPref TransmissionType="Automatic"/>`);
    expect([vague.status, vague.text]).toEqual([400, expect.stringContaining("VehPref[1]/@Code")]);
    expect((await modify(rental, "Cancel")).text).toContain("@ModifyType");
    expect((await modify(rental, "Modify", "unknown")).status).toBe(404);
  });

  // Proves "opentravel.md": Every vehicle with charges that add up, sold as the agency interface sells
  test("returns every vehicle with prices that add up to its total, equal to those of the agency interface", async () => {
    const { status, type, root } = await send(search());
    expect([status, type]).toEqual([200, "application/xml; charset=utf-8"]);
    expect([root.name, root.attributes["xmlns"], findElementByPath(root, "Success")?.name]).toEqual([
      "OTA_VehAvailRateRS",
      "http://www.opentravel.org/OTA/2003/05",
      "Success",
    ]);
    const vendor = findElementByPath(root, "VehAvailRSCore", "VehVendorAvails", "VehVendorAvail");
    expect(findElementByPath(vendor, "Vendor")?.text).toBe("Test Rentals");
    const avails = listChildren(findElementByPath(vendor, "VehAvails"), "VehAvail").map((xmlElement) =>
      findElementByPath(xmlElement, "VehAvailCore"),
    );
    const path = createAvailabilityPath({ "return-place": "2" });
    const { response } = await (await getAsAgency(path)).json<{
      response: { products: { code: string; price: string }[] };
    }>();
    expect(avails.map((core) => getAttribute(findElementByPath(core, "Vehicle"), "VendorCarType"))).toEqual(
      response.products.map(({ code }) => code),
    );
    for (const core of avails) {
      const charges = listChildren(findElementByPath(core, "RentalRate", "VehicleCharges"), "VehicleCharge").map(
        (xmlElement) => Number(getAttribute(xmlElement, "Amount")),
      );
      const total = Number(getAttribute(findElementByPath(core, "TotalCharge"), "EstimatedTotalAmount"));
      expect(charges.reduce((sum, value) => sum + value, 0)).toBe(total);
    }
    expect(findElementByPath(avails[0], "Vehicle")?.attributes).toMatchObject({
      Code: "ECMR",
      CodeContext: "ACRISS",
      TransmissionType: "Manual",
    });
  });

  test.each([
    [250, { Unlimited: "false", Quantity: "750" }],
    [null, { Unlimited: "true" }],
  ])("returns the kilometers included in the price to an OpenTravel agency, for %s a day", async (perDay, distance) => {
    await env.TENANT_ACME.prepare("UPDATE categories SET kilometres_per_day = ? WHERE code = 'A'").bind(perDay).run();
    const { root } = await send(search());
    const avails = findElementByPath(root, "VehAvailRSCore", "VehVendorAvails", "VehVendorAvail", "VehAvails");
    const core = listChildren(avails, "VehAvail")
      .map((xmlElement) => findElementByPath(xmlElement, "VehAvailCore"))
      .find((xmlElement) => getAttribute(findElementByPath(xmlElement, "Vehicle"), "VendorCarType") === "A");
    const distanceRate = findElementByPath(core, "RentalRate", "RateDistance")?.attributes;
    expect(distanceRate).toEqual({ ...distance, DistUnitName: "Km", VehiclePeriodUnitName: "RentalPeriod" });
    expect(strayIn(root)).toEqual([]);
  });

  test("lists the fee for a pickup or return outside opening hours with purpose 82 of OpenTravel's list VCP", async () => {
    await env.TENANT_ACME.prepare(
      "UPDATE settings SET out_of_hours_allowed = 1, out_of_hours_pickup_cents = 1500",
    ).run();
    const { root } = await send(search(RENTAL.replaceAll("T10:00:00", "T21:00:00")));
    const vendor = findElementByPath(root, "VehAvailRSCore", "VehVendorAvails", "VehVendorAvail", "VehAvails");
    const [avail] = listChildren(vendor, "VehAvail");
    const charges = findElementByPath(avail, "VehAvailCore", "RentalRate", "VehicleCharges");
    expect(
      listChildren(charges, "VehicleCharge").map((charge) => [
        getAttribute(charge, "Purpose"),
        getAttribute(charge, "Amount"),
      ]),
    ).toContainEqual(["82", "15.00"]);
  });

  test.each([
    [22, "13", "30.00"],
    [82, "15", "35.00"],
  ])(
    "lists the fee for a driver of %s years with purpose %s of list VCP, also in the reservation",
    async (age, purpose, fee) => {
      await env.TENANT_ACME.prepare(`INSERT INTO driver_age_rules
      (id, description, age_from, age_to, allowed, cost_per, cost_cents, deposit_cents)
      VALUES (3, 'Desde 80', 80, 120, 1, 'rental', 3500, 0)`).run();
      const driver = `${RENTAL}<DriverType Age="${age}"/>`;
      const offers = await send(search(driver));
      const vendor = findElementByPath(offers.root, "VehAvailRSCore", "VehVendorAvails", "VehVendorAvail", "VehAvails");
      const [avail] = listChildren(vendor, "VehAvail");
      await send(booking(`age-${age}`, `<DriverType Age="${age}"/>`));
      const { root } = await send(buildReferenceRequest("VehRetRes", `age-${age}`));
      const reservation = findElementByPath(root, "VehRetResRSCore", "VehReservation", "VehSegmentCore");
      for (const core of [findElementByPath(avail, "VehAvailCore"), reservation])
        expect(
          listChildren(findElementByPath(core, "RentalRate", "VehicleCharges"), "VehicleCharge").map((charge) => [
            getAttribute(charge, "Purpose"),
            getAttribute(charge, "Amount"),
          ]),
        ).toContainEqual([purpose, fee]);
    },
  );

  // Proves "opentravel.md": Kind, size and drive by OpenTravel's lists
  test.each([
    ["ECMR", { VehicleCategory: "1" }, { Size: "3" }, { DriveType: "Unspecified", TransmissionType: "Manual" }],
    ["FVAR", { VehicleCategory: "2" }, { Size: "8" }, { DriveType: "Unspecified", TransmissionType: "Automatic" }],
    ["SFBD", { VehicleCategory: "3" }, { Size: "7" }, { DriveType: "4WD", TransmissionType: "Automatic" }],
    ["LTCV", { VehicleCategory: "4" }, { Size: "9" }, { DriveType: "AWD", TransmissionType: "Manual" }],
    [null, { VehicleCategory: "1" }, undefined, { DriveType: "Unspecified", TransmissionType: "Manual" }],
  ])(
    "translates the category's ACRISS code %s to OpenTravel's codes of class, size and drive",
    async (letters, kind, size, drive) => {
      await env.TENANT_ACME.prepare("UPDATE categories SET acriss_code = ?, transmission = NULL WHERE code = 'A'")
        .bind(letters)
        .run();
      const { root } = await send(search());
      const avails = findElementByPath(root, "VehAvailRSCore", "VehVendorAvails", "VehVendorAvail", "VehAvails");
      const vehicle = findElementByPath(listChildren(avails, "VehAvail")[0], "VehAvailCore", "Vehicle");
      expect(findElementByPath(vehicle, "VehType")?.attributes).toMatchObject(kind);
      expect(findElementByPath(vehicle, "VehClass")?.attributes).toEqual(size);
      expect(vehicle?.attributes).toMatchObject(drive);
      expect(strayIn(root)).toEqual([]);
    },
  );

  // Proves "opentravel.md": Booking, reading, booking again, cancelling twice
  test("books by OpenTravel at the quoted total, reads it, repeats it without a duplicate and cancels it twice", async () => {
    const booked = await send(booking("X-1"));
    expect([booked.status, booked.root.name]).toEqual([200, "OTA_VehResRS"]);
    const reservation = findElementByPath(booked.root, "VehResRSCore", "VehReservation");
    expect(reservation?.attributes["ReservationStatus"]).toBe("Reserved");
    const segment = findElementByPath(reservation, "VehSegmentCore");
    const charges = listChildren(findElementByPath(segment, "RentalRate", "VehicleCharges"), "VehicleCharge").map(
      (xmlElement) => Number(getAttribute(xmlElement, "Amount")),
    );
    expect(charges.reduce((sum, value) => sum + value, 0)).toBe(
      Number(getAttribute(findElementByPath(segment, "TotalCharge"), "RateTotalAmount")),
    );
    expect((await send(booking("X-1"))).text.replace(/TimeStamp="[^"]*"/, "")).toBe(
      booked.text.replace(/TimeStamp="[^"]*"/, ""),
    );
    expect((await send(buildReferenceRequest("VehRetRes", "X-1"))).root.name).toBe("OTA_VehRetResRS");
    const { results } = await env.TENANT_ACME.prepare("SELECT customer_name AS name FROM bookings").all();
    expect(results).toEqual([{ name: "Ana & Co" }]);
    for (let time = 0; time < 2; time++) {
      const cancelled = await send(buildReferenceRequest("VehCancel", "X-1"));
      expect(findElementByPath(cancelled.root, "VehCancelRSCore")?.attributes["CancelStatus"]).toBe("Cancelled");
    }
    const after = await send(buildReferenceRequest("VehRetRes", "X-1"));
    expect(findElementByPath(after.root, "VehRetResRSCore", "VehReservation")?.attributes["ReservationStatus"]).toBe(
      "Cancelled",
    );
    expect(
      (await send(buildReferenceRequest("VehRetRes", "X-1"), { key: "second", secret: "second-secret" })).status,
    ).toBe(404);
  });

  // Proves "opentravel.md": Each answer has the elements and attributes of the schema, in its order
  test("orders and names elements of search, booking, reading, cancellation and error responses by OpenTravel's schema", async () => {
    const answers = [
      await send(search()),
      await send(booking("X-3")),
      await send(buildReferenceRequest("VehRetRes", "X-3")),
      await send(buildReferenceRequest("VehCancel", "X-3")),
      await send(buildReferenceRequest("VehRetRes", "X-3")),
      await send(buildReferenceRequest("VehCancel", "NONE")),
      await send(search(RENTAL.replace(getBookableDay(0), "2020-01-01"))),
      await send("nonsense"),
    ];
    expect(answers.map(({ root }) => strayIn(root))).toEqual(answers.map(() => []));
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 404, 400, 400]);
  });

  const wide = (text: string) => Uint8Array.from([...text].flatMap((text) => [text.charCodeAt(0), 0]));
  const narrow = (text: string) => Uint8Array.from([...text].map((text) => (text === "€" ? 0x80 : text.charCodeAt(0))));
  const declared = (encoding: string) =>
    `<?xml version="1.0" encoding="${encoding}"?>${booking("E-1").replace("Ana &amp; Co", "Íñigo")}`;

  // Proves "opentravel.md": Encodings are read as they are meant
  test.each([
    ["Windows-1252", narrow(declared("windows-1252")), undefined],
    ["ISO-8859-1", narrow(declared("ISO-8859-1")), undefined],
    ["the charset of its Content-Type", narrow(declared("UTF-8")), 'text/xml; charset="ISO-8859-15"'],
    ["UTF-16 with a byte order mark", Uint8Array.from([0xff, 0xfe, ...wide(declared("UTF-16"))]), undefined],
    ["UTF-16 without a byte order mark", wide(declared("UTF-16")), undefined],
    ["UTF-8 declared as UTF-16", utf8(declared("utf-16")), undefined],
    ["UTF-8 with a byte order mark", utf8(`\uFEFF${declared("utf-8")}`), undefined],
    ["numeric character references", utf8(declared("utf-8").replace("Íñigo", "&#xCD;&#241;igo&#13;&#10;")), ""],
  ])("reads a name in an OpenTravel message encoded in %s", async (_, body, type) => {
    expect((await send(body, type ? { type } : {})).status).toBe(200);
    const { results } = await env.TENANT_ACME.prepare("SELECT customer_name AS name FROM bookings").all();
    expect(results).toEqual([{ name: "Íñigo" }]);
  });

  // Proves "opentravel.md": Bytes that are not of their encoding are refused
  test.each([
    ["bytes that don't match the declared encoding", narrow(declared("UTF-8"))],
    ["an unknown encoding", narrow(declared("EBCDIC-CP-ES"))],
    ["half of a UTF-16 character", wide(declared("UTF-16")).slice(0, -1)],
  ])("rejects an OpenTravel message with %s, and creates no booking", async (_, body) => {
    const refused = await send(body);
    expect([refused.status, findElementByPath(refused.root, "Errors", "Error")?.text]).toEqual([
      400,
      "malformed_request",
    ]);
    expect((await env.TENANT_ACME.prepare("SELECT id FROM bookings").all()).results).toEqual([]);
  });

  // Proves "opentravel.md": Parts that attacks need are refused
  test.each([
    ["a document type", `<!DOCTYPE r [<!ENTITY x "y">]>${search()}`],
    ["an entity of a file", `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]><r>&x;</r>`],
    ["an undefined entity", search().replace("Available", "&constructor;")],
    ["CDATA", "<OTA_VehAvailRateRQ><![CDATA[x]]></OTA_VehAvailRateRQ>"],
    ["endless nesting", `${"<a>".repeat(40)}${"</a>".repeat(40)}`],
    ["endless elements", `<r>${"<a/>".repeat(20_000)}</r>`],
    ["unclosed tags", "<OTA_VehAvailRateRQ><VehAvailRQCore></OTA_VehAvailRateRQ>"],
    ["two roots", "<a/><b/>"],
    ["a body that isn't XML", '{"a":1}'],
    ["an empty body", ""],
  ])("rejects an OpenTravel message with %s, with OpenTravel's error codes", async (_, body) => {
    const refused = await send(body);
    expect([refused.status, refused.root.name]).toEqual([400, "OTA_ErrorRS"]);
    expect(findElementByPath(refused.root, "Errors", "Error")?.attributes["Type"]).toBe("7");
  });

  // Proves "opentravel.md": Empty attributes and elements are absent ones
  test("treats empty attributes and elements as absent", async () => {
    const core = RENTAL.replace('<ReturnLocation LocationCode="2"/>', '<ReturnLocation LocationCode=""/>');
    const searchResponse = await send(
      search(`${core}<DriverType Age=""/>`).replace('PrimaryLangID="en"', 'PrimaryLangID=""'),
    );
    expect([searchResponse.status, searchResponse.text]).toEqual([
      200,
      expect.stringContaining('<ReturnLocation LocationCode="1"'),
    ]);
    const empty = booking("empty-1", '<DriverType Age=""/>')
      .replace(RENTAL, core)
      .replace('PhoneNumber="600111222"', 'PhoneNumber=""')
      .replace("<Email>ana@example.com</Email>", '<Email>\n  </Email><Document DocID=" "/>')
      .replace('Quantity="2"', 'Quantity=""');
    const emptyResponse = await send(empty);
    expect([emptyResponse.status, emptyResponse.text]).toEqual([200, expect.stringContaining("<Success")]);
    const storedBooking = await env.TENANT_ACME.prepare(
      "SELECT return_place_id, customer_email, customer_phone, customer_document_id, driver_age FROM bookings",
    ).first();
    expect(storedBooking).toEqual({
      ...{ return_place_id: 1, driver_age: null },
      ...{ customer_email: null, customer_phone: null, customer_document_id: null },
    });
  });

  test.each([
    ['CountryAccessCode="34" AreaCityCode="971" PhoneNumber="260101"', "+34971260101"],
    ['CountryAccessCode="+49" AreaCityCode="030" PhoneNumber="260101"', "+4930260101"],
    ['CountryAccessCode="0039" AreaCityCode="06" PhoneNumber="260101"', "+3906260101"],
    ['CountryCode="57" PhoneNumber="3001234567"', "+573001234567"],
    ['AreaCityCode="971" PhoneNumber="260101"', "971260101"],
    ['CountryAccessCode="34" PhoneNumber="+34600111222"', "+34600111222"],
    ['PhoneTechType="3" PhoneNumber="971000000"/><Telephone PhoneNumber="600111222"', "600111222"],
  ])("books with the telephone number %s and stores it as %s", async (telephone, expected) => {
    const body = booking("phone-1").replace('PhoneNumber="600111222"', telephone);
    expect((await send(body)).text).toContain("<Success");
    const stored = await env.TENANT_ACME.prepare("SELECT customer_phone FROM bookings").first();
    expect(stored).toEqual({ customer_phone: expected });
  });

  test("books for a person with only a surname, and with all personal data of the schema", async () => {
    const name = /<PersonName>.*<\/PersonName>/s;
    const withoutName = booking("alone-1").replace(name, "<PersonName><Surname>Ana Ruiz Gil</Surname></PersonName>");
    expect((await send(withoutName)).text).toContain("<Success");
    const fullBooking = booking("whole-1")
      .replace("<Primary>", '<Primary BirthDate="1990-02-03">')
      .replace(
        name,
        `<PersonName><GivenName>Anna</GivenName><MiddleName>Maria</MiddleName><SurnamePrefix>van der</SurnamePrefix>
         <Surname>Berg</Surname></PersonName><Telephone PhoneNumber="600000001"/>`,
      )
      .replace(
        "</Primary>",
        `<Address><AddressLine>Kade 1</AddressLine><CityName>Delft</CityName><PostalCode>2611</PostalCode>
         <CountryName Code="NL">Netherlands</CountryName></Address><CitizenCountryName Code="NL"/>
         <Document DocType="4" DocID="L-77"/><Document DocType="2" DocID="NL-1" DocIssueCountry="NL"/></Primary>`,
      );
    expect((await send(fullBooking)).text).toContain("<Success");
    const { results } = await env.TENANT_ACME.prepare(
      "SELECT customer_name, customer_surname, customer_phone, customer_document_id, contract_data FROM bookings ORDER BY id",
    ).all();
    expect(results[0]).toMatchObject({ customer_name: "Ana Ruiz Gil", customer_surname: "" });
    expect(results[1]).toMatchObject({
      ...{ customer_name: "Anna Maria", customer_surname: "van der Berg" },
      ...{ customer_phone: "600000001", customer_document_id: "NL-1" },
    });
    expect(JSON.parse(String(results[1]?.["contract_data"]))).toEqual({
      customer_mobile_phone: "600111222",
      ...{ customer_date_of_birth: "1990-02-03", customer_nacionality: "NL", customer_origin_country: "NL" },
      ...{ customer_driving_license_number: "L-77", customer_address_street: "Kade 1", customer_address_city: "Delft" },
      ...{ customer_address_zip: "2611", customer_address_country: "NL" },
    });
  });

  const INFO = `<VehResRQInfo><SpecialReqPref>Late\u202e arrival</SpecialReqPref><SpecialReqPref>Two keys</SpecialReqPref>
    <ArrivalDetails TransportationCode="14" Number="3900" ArrivalDateTime="${getBookableDay(0)}T09:30:00">
    <OperatingCompany Code="VY" CompanyShortName="Vueling"/></ArrivalDetails></VehResRQInfo></ota:OTA_VehResRQ>`;
  const withInfo = (body: string, info = INFO) => body.replace("</ota:OTA_VehResRQ>", info);

  test("stores the e-mail address that the client marks as the usual one", async () => {
    const other = '<Email DefaultInd="false">old@example.com</Email><Email DefaultInd="true">ana@example.com</Email>';
    const { text } = await send(booking("mail-1").replace("<Email>ana@example.com</Email>", other));
    expect(text).toContain("<Success");
    expect(text).not.toContain("DefaultInd");
    expect(await env.TENANT_ACME.prepare("SELECT customer_email FROM bookings").first("customer_email")).toBe(
      "ana@example.com",
    );
  });

  // Proves "opentravel.md": Flights, requests, drivers, dates of documents and addresses are stored
  test("books with flight, special requests, additional driver, dates of documents and the whole address", async () => {
    const body = withInfo(booking("info-1"))
      .replace('<ota:UniqueID Type="14"', '<ota:UniqueID Type="5" ID="broker"/><ota:UniqueID Type="16"')
      .replace("<Telephone ", '<Telephone PhoneTechType="5" PhoneNumber="612000000"/><Telephone ')
      .replace("<Email>", "<Email></Email><Email>")
      .replace(
        "</Primary>",
        `<Address><StreetNmbr>12</StreetNmbr><BldgRoom>2B</BldgRoom><AddressLine>Kade</AddressLine>
         <AddressLine>Gate 3</AddressLine><StateProv StateCode="ZH"/></Address>
         <Document DocType="4" DocID="L-77" EffectiveDate="2010-01-02"/><Document DocID="N-1" EffectiveDate="2011-01-02"/>
         </Primary><Additional BirthDate="1985-05-06"><PersonName><GivenName>Luis</GivenName><Surname>Gil</Surname>
         </PersonName><Telephone PhoneNumber="600222333"/><Document DocType="4" DocID="L-88"/></Additional>`,
      );
    expect((await send(body)).text).toContain("<Success");
    const stored = await env.TENANT_ACME.prepare(
      "SELECT agency_reservation_id, customer_phone, customer_email, comments, contract_data FROM bookings",
    ).first();
    expect(stored).toMatchObject({
      ...{ agency_reservation_id: "info-1", customer_phone: "600111222", customer_email: "ana@example.com" },
      comments: "Late arrival\nTwo keys",
    });
    expect(JSON.parse(String(stored?.["contract_data"]))).toEqual({
      ...{ flight_number: "VY3900", flight_company: "Vueling", flight_time: "09:30" },
      ...{ customer_mobile_phone: "612000000", customer_address_street: "Kade, Gate 3" },
      ...{ customer_address_number: "12", customer_address_complement: "2B", customer_address_state_code: "ZH" },
      ...{ customer_document_id_date: "2011-01-02", customer_driving_license_number: "L-77" },
      ...{ customer_driving_license_date: "2010-01-02", additional_driver_1_name: "Luis" },
      ...{ additional_driver_1_surname: "Gil", additional_driver_1_date_of_birth: "1985-05-06" },
      ...{ additional_driver_1_phone: "600222333", additional_driver_1_driving_license_number: "L-88" },
    });
  });

  test.each([
    ['Number="3900"', 'Number="ABCDEFGHIJK"', "/OTA_VehResRQ/VehResRQInfo/ArrivalDetails/@Number"],
    ["</Primary>", '</Primary><Additional BirthDate="1985-13-06"/>', "/Customer/Additional[1]/@BirthDate"],
    [
      "</Primary>",
      `</Primary>${'<Additional BirthDate="1985-05-06"/>'.repeat(3)}`,
      "/Customer/Additional[3]/@BirthDate",
    ],
  ])(
    "rejects an OpenTravel booking with %s replaced by %s, naming the element, and stores nothing",
    async (from, to, tag) => {
      const { status, text } = await send(withInfo(booking("info-2")).replace(from, to));
      expect([status, text]).toEqual([400, expect.stringContaining(`${tag}"`)]);
      expect(await env.TENANT_ACME.prepare("SELECT id FROM bookings").first()).toBeNull();
    },
  );

  test("changes flight and special requests of a booking", async () => {
    expect((await send(booking("info-3"))).text).toContain("<Success");
    const change = `<OTA_VehModifyRQ ${NAMESPACE}><VehModifyRQCore ModifyType="Modify"><UniqueID Type="14" ID="info-3"/>
      </VehModifyRQCore>${INFO.replaceAll("VehResRQInfo", "VehModifyRQInfo").replace("</ota:OTA_VehResRQ>", "")}</OTA_VehModifyRQ>`;
    expect((await send(change)).text).toContain("<Success");
    const stored = await env.TENANT_ACME.prepare("SELECT comments, contract_data FROM bookings").first();
    expect(stored).toMatchObject({ comments: "Late arrival\nTwo keys" });
    expect(JSON.parse(String(stored?.["contract_data"]))).toMatchObject({ flight_number: "VY3900" });
  });

  test("returns an OpenTravel error in XML for an unknown path below the path of the messages", async () => {
    const answer = await requestWorker(`http://acme.localhost:8787${PATH}/other`, { method: "POST", body: "<a/>" });
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([404, "application/xml; charset=utf-8"]);
    expect(await answer.text()).toContain("<OTA_ErrorRS");
  });

  test("returns the correlation values of an OpenTravel request, also with an error", async () => {
    const correlation = { EchoToken: "e-1", TransactionIdentifier: "t & 2", SequenceNmbr: "3", CorrelationID: "c-4" };
    const correlationAttributes =
      'EchoToken="e-1" TransactionIdentifier="t &amp; 2" SequenceNmbr="3" CorrelationID="c-4"';
    const searchResponse = await send(search().replace("PrimaryLangID", `${correlationAttributes} PrimaryLangID`));
    const refused = await send(search("").replace("PrimaryLangID", `${correlationAttributes} PrimaryLangID`));
    expect([searchResponse.status, refused.status]).toEqual([200, 400]);
    for (const { root } of [searchResponse, refused]) expect(root.attributes).toMatchObject(correlation);
  });

  const readVehicles = ({ root }: Awaited<ReturnType<typeof send>>) =>
    listChildren(
      findElementByPath(root, "VehAvailRSCore", "VehVendorAvails", "VehVendorAvail", "VehAvails"),
      "VehAvail",
    ).map((avail) => getAttribute(findElementByPath(avail, "VehAvailCore", "Vehicle"), "VendorCarType"));
  const prefer = (...preferences: readonly string[]) =>
    search(`${RENTAL}<VehPrefs>${preferences.map((text) => `<VehPref ${text}</VehPref>`).join("")}</VehPrefs>`);
  const readErrors = ({ root }: Awaited<ReturnType<typeof send>>) =>
    listChildren(findElementByPath(root, "Errors"), "Error").map(({ attributes }) => [
      attributes["Code"],
      attributes["Tag"],
    ]);

  // Proves "opentravel.md": Vehicle preferences and MaxResponses are honored or refused
  test("honors vehicle preferences and the number of responses, or refuses them by element", async () => {
    const everything = readVehicles(await send(search()));
    expect(everything.length).toBeGreaterThan(1);
    const others = everything.filter((code) => code !== "A");
    expect(readVehicles(await send(prefer('Code="ECMR" CodeContext="ACRISS">')))).toEqual(["A"]);
    expect(readVehicles(await send(prefer(`VendorCarType="${others[0]}">`, 'Code="A">')))).toEqual(
      everything.filter((code) => code === "A" || code === others[0]),
    );
    expect(readVehicles(await send(prefer('ClassPref="Unacceptable"><VehClass Size="3"/>')))).toEqual(others);
    expect(readVehicles(await send(prefer('ClassPref="Preferred"><VehClass Size="3"/>')))).toEqual(["A", ...others]);
    const limited = await send(search().replace("PrimaryLangID", 'MaxResponses="1" PrimaryLangID'));
    expect(readVehicles(limited)).toHaveLength(1);
    const none = await send(prefer('Code="XXXX">'));
    expect([none.status, readErrors(none)]).toEqual([404, [["322", undefined]]]);
    const path = "/OTA_VehAvailRateRQ/VehAvailRQCore/VehPrefs/VehPref[1]";
    const unknown = await send(prefer('ClassPref="Perhaps" Color="red"><VehIdentity/>'));
    expect([unknown.status, readErrors(unknown)]).toEqual([
      400,
      [
        ["320", `${path}/@Color`],
        ["320", `${path}/VehIdentity`],
        ["320", `${path}/@ClassPref`],
      ],
    ]);
    const noNumber = await send(search().replace("PrimaryLangID", 'MaxResponses="few" PrimaryLangID'));
    expect(readErrors(noNumber)).toEqual([["320", "/OTA_VehAvailRateRQ/@MaxResponses"]]);
  });

  // Proves "opentravel.md": A booking's description of the vehicle must be true
  test("books the vehicle that an OpenTravel message describes, and rejects a description that contradicts its category", async () => {
    const described = (text: string) => booking("P-1").replace('<VehPref Code="A"/>', text);
    const refusal = await send(described('<VehPref Code="A"><VehClass Size="9"/></VehPref>'));
    expect([refusal.status, readErrors(refusal)]).toEqual([
      400,
      [["320", "/OTA_VehResRQ/VehResRQCore/VehPref[1]/VehClass/@Size"]],
    ]);
    const right = await send(
      described('<VehPref Code="ECMR" CodeContext="ACRISS" VendorCarType="A"><VehClass Size="3"/></VehPref>'),
    );
    expect(right.status).toBe(200);
  });

  const readWarnings = ({ root }: Awaited<ReturnType<typeof send>>) =>
    listChildren(findElementByPath(root, "Warnings"), "Warning").map(({ attributes }) => attributes["Tag"]);

  // Proves "opentravel.md": Members without effect, such as CustLoyalty, cause warnings
  test("warns about elements of an OpenTravel message that have no effect, such as loyalty programs, and about no others", async () => {
    const warned = await send(
      booking("loyal-1")
        .replace("</Primary>", '<CustLoyalty ProgramID="MILES" MembershipID="77"/></Primary>')
        .replace("<VehPref ", '<RateRange MaxRate="99"/><VehPref ')
        .replace("</ota:VehResRQCore>", '<Empty/></ota:VehResRQCore><TPA_Extensions><Note Text="a"/></TPA_Extensions>'),
    );
    expect([warned.status, strayIn(warned.root)]).toEqual([200, []]);
    expect(readWarnings(warned)).toEqual([
      "/OTA_VehResRQ/VehResRQCore/Customer/Primary/CustLoyalty/@ProgramID",
      "/OTA_VehResRQ/VehResRQCore/Customer/Primary/CustLoyalty/@MembershipID",
      "/OTA_VehResRQ/VehResRQCore/RateRange/@MaxRate",
      "/OTA_VehResRQ/TPA_Extensions/Note/@Text",
    ]);
    const silent = [
      await send(withInfo(booking("loyal-2"))),
      await send(search()),
      await send(buildReferenceRequest("VehRetRes", "loyal-2").replace(' CancelType="Book"', "")),
      await send(buildReferenceRequest("VehCancel", "loyal-2")),
      await send(locations('<CodeRef LocationCode="1" CodeContext="internal code"/>')),
    ];
    expect(silent.map((answer) => [answer.status, readWarnings(answer)])).toEqual(silent.map(() => [200, []]));
    const searched = await send(
      search().replace("</OTA_VehAvail", "<VehAvailRQInfo SmokingAllowed='1'/></OTA_VehAvail"),
    );
    expect(readWarnings(searched)).toEqual(["/OTA_VehAvailRateRQ/VehAvailRQInfo/@SmokingAllowed"]);
  });

  // Proves "opentravel.md": RateQualifier names the category; other rates are refused
  test("offers and books the category that OpenTravel's rate qualifier names, and rejects other rates", async () => {
    const qualified = (attributes: string) => `<RateQualifier ${attributes}/>`;
    const path = "/OTA_VehAvailRateRQ/VehAvailRQCore/RateQualifier";
    for (const code of ["A", "ECMR"])
      expect(readVehicles(await send(search(RENTAL + qualified(`RateQualifier="${code}"`))))).toEqual(["A"]);
    const two = search(RENTAL + qualified('RateQualifier="A"') + qualified('RateQualifier="BEST" TravelPurpose="2"'));
    expect(readErrors(await send(two))).toEqual([["320", `${path}[2]/@RateQualifier`]]);
    const purpose = await send(search(RENTAL + qualified('RateQualifier="A" TravelPurpose="2"')));
    expect([purpose.status, readWarnings(purpose)]).toEqual([200, [`${path}/@TravelPurpose`]]);
    for (const name of ["CorpDiscountNmbr", "VendorRateID", "RateAuthorizationCode"]) {
      const refused = await send(search(RENTAL + qualified(`${name}="X1"`)));
      expect([refused.status, readErrors(refused)]).toEqual([400, [["320", `${path}[1]/@${name}`]]]);
    }
    const book = (attributes: string) => send(booking("rate-1", qualified(attributes)));
    const reserved = "/OTA_VehResRQ/VehResRQCore/RateQualifier[1]";
    expect(readErrors(await book('RateQualifier="B"'))).toEqual([["320", `${reserved}/@RateQualifier`]]);
    expect(readErrors(await book('RateQualifier="A" CorpDiscountNmbr="X1"'))).toEqual([
      ["320", `${reserved}/@CorpDiscountNmbr`],
    ]);
    expect(await env.TENANT_ACME.prepare("SELECT id FROM bookings").first()).toBeNull();
    expect((await book('RateQualifier="ECMR"')).text).toContain("<Success");
  });

  describe("with a promotion code", () => {
    const promoted = (code: string) => `<RateQualifier PromotionCode="${code}"/>`;
    const CODE_PATH = "RateQualifier/@PromotionCode";
    const rules = (code: string) => `<OTA_VehRateRuleRQ ${NAMESPACE}><RentalInfo>${RENTAL}
      <RateQualifier RateQualifier="A" PromotionCode="${code}"/></RentalInfo></OTA_VehRateRuleRQ>`;
    const modify = (content: string) =>
      send(`<OTA_VehModifyRQ ${NAMESPACE}><VehModifyRQCore ModifyType="Modify"><UniqueID Type="14" ID="promo-1"/>
        ${content}</VehModifyRQCore></OTA_VehModifyRQ>`);
    const findCategory = ({ root }: Awaited<ReturnType<typeof send>>, code = "A") =>
      listChildren(
        findElementByPath(root, "VehAvailRSCore", "VehVendorAvails", "VehVendorAvail", "VehAvails"),
        "VehAvail",
      )
        .map((avail) => findElementByPath(avail, "VehAvailCore"))
        .find((core) => getAttribute(findElementByPath(core, "Vehicle"), "VendorCarType") === code);
    const readTotal = (element: XmlElement | undefined) =>
      getAttribute(findElementByPath(element, "TotalCharge"), "EstimatedTotalAmount");
    const readSegment = ({ root }: Awaited<ReturnType<typeof send>>, core = "VehResRSCore") =>
      findElementByPath(root, core, "VehReservation", "VehSegmentCore");
    // Without extras, so that the totals of a search and of its booking are the same.
    const bookCode = (code: string) =>
      send(booking("promo-1", promoted(code)).replace(/<SpecialEquipPrefs>.*<\/SpecialEquipPrefs>/, ""));

    test("searches and books with a promotion code at the same lower total, in OpenTravel and JSON", async () => {
      const regular = readTotal(findCategory(await send(search())));
      const searched = await send(search(RENTAL + promoted(" welcome10 ")));
      expect([searched.status, strayIn(searched.root), readWarnings(searched)]).toEqual([200, [], []]);
      const offered = findCategory(searched);
      expect(findElementByPath(offered, "RentalRate", "RateQualifier")?.attributes).toEqual({
        PromotionCode: "WELCOME10",
        RateQualifier: "A",
      });
      expect(Number(readTotal(offered))).toBeLessThan(Number(regular));
      const ruled = await send(rules("WELCOME10"));
      expect([readTotal(ruled.root), strayIn(ruled.root)]).toEqual([readTotal(offered), []]);
      const booked = await bookCode("WELCOME10");
      expect([booked.status, strayIn(booked.root), readWarnings(booked)]).toEqual([200, [], []]);
      expect(readTotal(readSegment(booked))).toBe(readTotal(offered));
      const json = await getAsAgency(createAvailabilityPath({ "return-place": "2", "promotion-code": "WELCOME10" }));
      const { response } = await json.json<{ response: { products: { code: string; promotion_code: string }[] } }>();
      expect(response.products.map(({ promotion_code: code }) => code)).toEqual(
        response.products.map(() => "WELCOME10"),
      );
      expect(await env.TENANT_ACME.prepare("SELECT promotion_code FROM bookings").first("promotion_code")).toBe(
        "WELCOME10",
      );
      // The code ends. The repeated booking is the stored one, at its price.
      await env.TENANT_ACME.prepare("UPDATE promotion_codes SET booking_to = '2020-01-01'").run();
      await (await openTestTenant(env, "acme")).freshSnapshot();
      expect(readTotal(readSegment(await bookCode("WELCOME10")))).toBe(readTotal(offered));
      expect((await send(search(RENTAL + promoted("WELCOME10")))).status).toBe(400);
    });

    test("rejects a promotion code that doesn't apply in each OpenTravel message, and a second code", async () => {
      await env.TENANT_ACME.prepare(
        "INSERT INTO promotion_codes (code, discount_type, value, category_code) VALUES ('ONLYB', 'percentage', 1000, 'B')",
      ).run();
      await (await openTestTenant(env, "acme")).freshSnapshot();
      const read = async (pendingAnswer: Promise<Awaited<ReturnType<typeof send>>>) => {
        const answer = await pendingAnswer;
        return [answer.status, readErrors(answer)];
      };
      const refused = (path: string) => [400, [["320", `${path}/${CODE_PATH}`]]];
      const [found, reserved] = ["/OTA_VehAvailRateRQ/VehAvailRQCore", "/OTA_VehResRQ/VehResRQCore"];
      expect(await read(send(search(RENTAL + promoted("NOSUCH"))))).toEqual(refused(found));
      expect(await read(bookCode("NOSUCH"))).toEqual(refused(reserved));
      expect(await read(bookCode("ONLYB"))).toEqual(refused(reserved));
      expect(await read(send(rules("ONLYB")))).toEqual(refused("/OTA_VehRateRuleRQ/RentalInfo"));
      expect(await read(send(search(RENTAL + promoted("WELCOME10") + promoted("ONLYB"))))).toEqual([
        400,
        [["320", `${found}/RateQualifier[2]/@PromotionCode`]],
      ]);
      expect(await env.TENANT_ACME.prepare("SELECT id FROM bookings").first()).toBeNull();
      const mixed = await send(search(RENTAL + promoted("ONLYB")));
      const codes = ["A", "B"].map((code) =>
        getAttribute(findElementByPath(findCategory(mixed, code), "RentalRate", "RateQualifier"), "PromotionCode"),
      );
      expect(codes).toEqual([undefined, "ONLYB"]);
    });

    test("adds and removes a booking's promotion code by OpenTravel, and rejects other rates", async () => {
      await bookCode("");
      const regular = readTotal(
        readSegment(await send(buildReferenceRequest("VehRetRes", "promo-1")), "VehRetResRSCore"),
      );
      const added = await modify(promoted("WELCOME10"));
      expect([added.status, strayIn(added.root), readWarnings(added)]).toEqual([200, [], []]);
      const segment = readSegment(added, "VehModifyRSCore");
      expect(Number(readTotal(segment))).toBeLessThan(Number(regular));
      expect(findElementByPath(segment, "RentalRate", "RateQualifier")?.attributes).toEqual({
        PromotionCode: "WELCOME10",
      });
      const unchanged = await modify(RENTAL);
      expect(readTotal(readSegment(unchanged, "VehModifyRSCore"))).toBe(readTotal(segment));
      expect(readErrors(await modify(promoted("NOSUCH")))).toEqual([
        ["320", `/OTA_VehModifyRQ/VehModifyRQCore/${CODE_PATH}`],
      ]);
      expect((await modify('<RateQualifier CorpDiscountNmbr="X1"/>')).status).toBe(400);
      const removed = await modify(promoted(""));
      expect(readTotal(readSegment(removed, "VehModifyRSCore"))).toBe(regular);
    });
  });

  // Proves "opentravel.md": Times with an offset are converted
  test("converts times with an offset to the company's time zone", async () => {
    const instant = (date: string) => {
      return `${date}T${String(10 - summerOffset(date)).padStart(2, "0")}:00:00Z`;
    };
    const rental = RENTAL.replace(`${getBookableDay(0)}T10:00:00`, instant(getBookableDay(0))).replace(
      `${getBookableDay(3)}T10:00:00`,
      instant(getBookableDay(3)),
    );
    const { status, root } = await send(search(rental));
    expect(status).toBe(200);
    expect(findElementByPath(root, "VehAvailRSCore", "VehRentalCore")?.attributes).toEqual({
      PickUpDateTime: `${getBookableDay(0)}T10:00:00`,
      ReturnDateTime: `${getBookableDay(3)}T10:00:00`,
    });
  });

  // Proves "opentravel.md": Locations may be IATA codes
  test("finds places by the IATA code of their airport", async () => {
    await env.TENANT_ACME.prepare("UPDATE pickup_places SET iata = 'PMI' WHERE id = 2").run();
    await (await openTestTenant(env, "acme")).freshSnapshot();
    const rental = RENTAL.replace(
      '<ReturnLocation LocationCode="2"/>',
      '<ReturnLocation LocationCode="PMI" CodeContext="IATA"/>',
    );
    const { status, root } = await send(search(rental));
    expect([
      status,
      getAttribute(findElementByPath(root, "VehAvailRSCore", "VehRentalCore", "ReturnLocation"), "LocationCode"),
    ]).toEqual([200, "2"]);
    const unknown = await send(search(rental.replace("PMI", "XXX")));
    expect(readErrors(unknown)).toEqual([
      ["320", "/OTA_VehAvailRateRQ/VehAvailRQCore/VehRentalCore/ReturnLocation/@LocationCode"],
    ]);
  });

  // Proves "opentravel.md": Errors have OpenTravel's codes and the XPath of the element
  test("returns OpenTravel's error codes for missing elements and for rejected bookings", async () => {
    const missing = await send(search(RENTAL.replace('LocationCode="1"', "")));
    expect(readErrors(missing)).toContainEqual([
      "321",
      "/OTA_VehAvailRateRQ/VehAvailRQCore/VehRentalCore/PickUpLocation/@LocationCode",
    ]);
    expect(readErrors(await send(buildReferenceRequest("VehRetRes", "NONE")))).toEqual([["97", undefined]]);
    await send(booking("P-2"));
    expect(readErrors(await send(booking("P-2").replace("Ruiz", "Vidal")))).toEqual([["127", undefined]]);
    expect(readErrors(await send(search(), { secret: "wrong" }))).toEqual([["497", undefined]]);
  });

  // Proves "opentravel.md": Errors in the message's own answer
  test("returns errors in the response type of the request message, and stores nothing", async () => {
    const past = await send(search(RENTAL.replace(getBookableDay(0), "2020-01-01")));
    expect([past.status, past.root.name]).toEqual([400, "OTA_VehAvailRateRS"]);
    expect(findElementByPath(past.root, "Errors", "Error")?.attributes).toEqual({
      Type: "3",
      Code: "15",
      ShortText: expect.stringMatching(/^@PickUpDateTime: /),
      Tag: "/OTA_VehAvailRateRQ/VehAvailRQCore/VehRentalCore/@PickUpDateTime",
    });
    const unknown = await send(booking("X-2").replace('Code="A"', 'Code="NONE"'));
    expect([unknown.status, findElementByPath(unknown.root, "Errors", "Error")]).toEqual([
      400,
      expect.objectContaining({ text: "invalid_input", attributes: expect.objectContaining({ Code: "320" }) }),
    ]);
    expect((await send(booking(""))).status).toBe(400);
    expect((await send(`<OTA_HotelAvailRQ ${NAMESPACE}/>`)).status).toBe(400);
    expect((await send(search(), { type: "application/json" })).status).toBe(415);
    const stranger = await send(search(), { secret: "wrong" });
    expect([stranger.status, findElementByPath(stranger.root, "Errors", "Error")?.attributes["Type"]]).toEqual([
      401,
      "4",
    ]);
    expect((await env.TENANT_ACME.prepare("SELECT id FROM bookings").all()).results).toEqual([]);
  });
});

describe("errors of the platform", () => {
  const post = async (path: string, init: RequestInit = {}, vars: object = {}, host = "acme"): Promise<Response> =>
    worker.fetch(
      new Request(`http://${host ? `${host}.` : ""}localhost:8787${path}`, { method: "POST", ...init }),
      { ...env, ...vars },
      createExecutionContext(),
    );
  const sign = async (body: string, type = "application/xml") => ({
    body,
    headers: {
      "Content-Type": type,
      Authorization: `agency:${await signBytes("agency-secret", PATH, utf8(body))}`,
    },
  });

  // Proves "opentravel.md": All errors are XML
  test.each<readonly [number, string, () => Promise<Response>]>([
    [404, "below the path", () => post(`${PATH}/other`)],
    [404, "with a slash at the end of a path below", () => post(`${PATH}/other/`)],
    [404, "of a misspelled path", () => post("//API/OTA", { body: "<a/>" })],
    [404, "to no company", () => post(PATH, { body: "<a/>" }, {}, "")],
    [404, "of an unknown company", () => post(PATH, {}, {}, "nobody")],
    [405, "by another method", () => post(PATH, { method: "PUT", body: "<a/>" })],
    [405, "by GET", () => post(PATH, { method: "GET" })],
    [413, "with a large body", async () => post(PATH, await sign(`<a>${"x".repeat(1_100_000)}</a>`))],
    [415, "in JSON", async () => post(PATH, await sign("{}", "application/json"))],
    [429, "beyond the quota", async () => post(PATH, await sign(search()), { PARTNER_REQUESTS_PER_MINUTE: "0.5" })],
    [401, "without a signature", () => post(PATH, { body: search() })],
    [400, "that can't be read", async () => post(PATH, await sign("<a>"))],
  ])("answers %i as OpenTravel XML to a request %s", async (status, _, send) => {
    await expectXml(await send(), status);
  });

  async function expectXml(answer: Response, status: number): Promise<void> {
    const text = await answer.text();
    expect([answer.status, answer.headers.get("Content-Type")]).toEqual([status, "application/xml; charset=utf-8"]);
    const root = parseXml(text, PARTNER_XML_RULES);
    expect([root?.name.endsWith("RS"), findElementByPath(root, "Errors", "Error")?.attributes["ShortText"]]).toEqual([
      true,
      expect.stringMatching(/\w/),
    ]);
  }

  const sendWithFailing = async (message: string) => {
    const failing = {
      prepare: (query: string) => env.TENANT_ACME.prepare(query),
      batch: () => Promise.reject(new Error(message)),
    } as unknown as D1Database;
    const bytes = utf8(search());
    const failingRequest = new Request(`http://acme.localhost:8787${PATH}`, {
      method: "POST",
      headers: {
        "Content-Type": "application/xml",
        Authorization: `agency:${await signBytes("agency-secret", PATH, bytes)}`,
      },
      body: bytes,
    });
    return worker.fetch(failingRequest, { ...env, TENANT_ACME: failing }, createExecutionContext());
  };

  test.each([
    ["a defect", "D1_ERROR: near SELECT: SQLITE_ERROR", 500],
    ["an overloaded database", "D1 DB is overloaded. Too many requests queued.", 503],
  ])("returns an error caused by %s as OpenTravel XML", async (_, message, status) => {
    expect((await send(search())).status).toBe(200);
    vi.spyOn(console, "log").mockImplementation(() => undefined);
    const answer = await sendWithFailing(message);
    expect(answer.status).toBe(status);
    expect(answer.headers.get("Content-Type")).toContain("application/xml");
    const text = await answer.text();
    expect(parseXml(text, PARTNER_XML_RULES)?.name).toMatch(/RS$/);
    expect(text).toContain("<Errors>");
    expect(text).not.toContain("SQLITE_ERROR");
    vi.restoreAllMocks();
  });
});
