import { describe, expect, test } from "vitest";
import type { CivilDate } from "#domain/dates.ts";
import {
  draftCreditNote,
  draftFullInvoiceExchange,
  draftReplacingInvoice,
  draftTaxCreditNote,
} from "#domain/documents/credit-notes.ts";
import type { DocumentDraft } from "#domain/documents/draft.ts";
import { draftMissingContractDocuments } from "#domain/documents/invoicing.ts";
import {
  createRegistrationRecord,
  listFieldsPreventingRecord,
  type ReferencedInvoice,
  type TaxRecordSource,
} from "#domain/tax-records/recording.ts";
import {
  getAnnulmentFlags,
  getNextRegistrationFlags,
  type InvoiceTaxRecordStates,
} from "#domain/tax-records/states.ts";
import { createContractToInvoice, toIssuedEarlierDocument } from "#support/contract-to-invoice.ts";

const SYSTEM = { version: "1.0", installation: "1", hasSeveralTaxpayers: false };
const COMPANY = { name: "Acme, S.L.", documentId: "B07123458", territory: "iva" } as const;
const ID = { number: "A-PMI-26/1", date: "2026-11-21" as CivilDate };

function draftInvoice(changes: Parameters<typeof createContractToInvoice>[0] = {}): DocumentDraft {
  const [draft] = draftMissingContractDocuments(createContractToInvoice(changes));
  if (!draft) throw new Error("nothing to invoice");
  return draft;
}

function toRecord(draft: DocumentDraft, changes: Partial<TaxRecordSource> = {}): TaxRecordSource {
  return {
    draft,
    taxpayer: COMPANY,
    rateCodes: {},
    id: ID,
    corrected: undefined,
    replaced: [],
    system: SYSTEM,
    ...changes,
  };
}

function createInvoiceReference(form: ReferencedInvoice["form"], number = "A-PMI-26/1"): ReferencedInvoice {
  return { issuer: "B07123458", number, date: "2026-11-20" as CivilDate, form };
}

const customer = (changes: Partial<DocumentDraft["customer"]>) => ({
  ...createContractToInvoice().customer,
  ...changes,
});

describe("texts that are longer than the tax agency's schema allows", () => {
  const findMissing = (changes: Partial<DocumentDraft["customer"]>, source: Partial<TaxRecordSource> = {}) =>
    listFieldsPreventingRecord(toRecord(draftInvoice({ customer: customer(changes) }), source));
  const passport = { originCountry: "DE" } as const;

  test.each([
    [{ fullName: "Ñ".repeat(120) }, []],
    [{ fullName: "Ñ".repeat(121) }, ["name"]],
    [{ fullName: `${"Ñ".repeat(60)}   =   ${"Ñ".repeat(59)}` }, []],
    [{ ...passport, documentId: "1".repeat(20) }, []],
    [{ ...passport, documentId: "1".repeat(21) }, ["document_id"]],
    [{ type: "legal_entity", documentId: "C".repeat(21) }, ["document_id"]],
  ] as const)("reports a customer's texts that a tax record would truncate: %j: %j", (changes, missing) => {
    expect(findMissing(changes)).toEqual(missing);
  });

  test("refuses a company's name that the record would truncate", () => {
    expect(findMissing({}, { taxpayer: { ...COMPANY, name: "A".repeat(121) } })).toEqual(["company_name"]);
  });

  test("issues a simplified invoice for a customer with a long name, because its record names none", () => {
    const changes = { fullName: "Ñ".repeat(121), documentId: undefined };
    const [draft] = draftMissingContractDocuments({
      ...createContractToInvoice({ customer: customer(changes) }),
      simplifiedLimitCents: 300_000,
    });
    expect(draft?.form).toBe("simplified");
    expect(draft && listFieldsPreventingRecord(toRecord(draft))).toEqual([]);
  });
});

describe("the tax record of a document", () => {
  test("creates a tax record of type F1 for a full invoice, with customer, lines by rate and totals", () => {
    const record = createRegistrationRecord(
      toRecord(draftInvoice({ customer: customer({ documentId: "00000000-T" }) })),
    );
    expect(record).toMatchObject({
      type: "F1",
      id: { issuer: "B07123458", number: "A-PMI-26/1" },
      recipient: { name: "Ana Ruiz", taxId: "00000000T" },
      lines: [{ tax: "01", regime: "01", operation: "S1", rate: "21.00", base: "74.38", amount: "15.62" }],
      taxTotal: "15.62",
      total: "90.00",
    });
  });

  test("creates a tax record of type F2 for a simplified invoice, without a customer", () => {
    const record = createRegistrationRecord(toRecord(draftInvoice({ customer: customer({ documentId: undefined }) })));
    expect(record).toMatchObject({ type: "F2", recipient: undefined, total: "90.00" });
  });

  test("creates a record by differences for a credit note, R1 for a full invoice and R5 for a simplified one", () => {
    const full = draftCreditNote(toIssuedEarlierDocument(draftInvoice(), 1), "es");
    expect(createRegistrationRecord(toRecord(full, { corrected: createInvoiceReference("full") }))).toMatchObject({
      type: "R1",
      corrected: [{ issuer: "B07123458", number: "A-PMI-26/1", date: "2026-11-20" }],
      recipient: { name: "Ana Ruiz" },
      taxTotal: "-15.62",
      total: "-90.00",
    });
    const simplified = draftCreditNote(
      toIssuedEarlierDocument(draftInvoice({ customer: customer({ documentId: undefined }) }), 1),
      "es",
    );
    expect(
      createRegistrationRecord(toRecord(simplified, { corrected: createInvoiceReference("simplified") })),
    ).toMatchObject({
      type: "R5",
      recipient: undefined,
    });
  });

  test("creates F3 for a full invoice that replaces simplified ones, and F1 if a credit note reversed that invoice", () => {
    const firm = toIssuedEarlierDocument(draftInvoice({ customer: customer({ documentId: undefined }) }), 1);
    const replacement = draftReplacingInvoice([firm, { ...firm, id: 2 }], customer({ documentId: "00000000T" }));
    const both = [createInvoiceReference("simplified"), createInvoiceReference("simplified", "A-PMI-26/2")];
    const replacing = createRegistrationRecord(toRecord(replacement, { replaced: both }));
    expect(replacing).toMatchObject({ type: "F3", replaced: [{ number: "A-PMI-26/1" }, { number: "A-PMI-26/2" }] });
    expect([replacing.total, replacing.recipient?.name]).toEqual(["180.00", "Ana Ruiz"]);
    const [, invoice] = draftFullInvoiceExchange(firm, customer({ documentId: "00000000T" }), "es");
    const repeatedRegistration = createRegistrationRecord(toRecord(invoice));
    expect(repeatedRegistration).toMatchObject({ type: "F1", replaced: undefined });
  });

  test.each([
    ["C01X00T47", "individual", { home: "DE" }, { country: "DE", idType: "03", id: "C01X00T47" }],
    ["C01X00T47", "individual", { home: "ES", origin: "DE" }, { country: "DE", idType: "03" }],
    ["925076473", "individual", { home: "FR", origin: "GB" }, { country: "GB", idType: "03" }],
    ["PAA123456", "individual", { home: "ES", origin: "ES" }, { country: "ES", idType: "03" }],
    ["\u202a C01X00T47\u200b", "individual", { home: "DE" }, { id: "C01X00T47" }],
    ["DE811569869", "legal_entity", { home: "de" }, { country: "DE", idType: "02" }],
    ["de 811.569.869", "legal_entity", { home: "ES" }, { country: "DE", idType: "02", id: "DE811569869" }],
    ["811569869", "legal_entity", { home: "DE" }, { country: "DE", idType: "04" }],
    ["EL094259216", "legal_entity", { home: "GR" }, { country: "GR", idType: "02", id: "EL094259216" }],
    ["XI110305878", "legal_entity", { home: "GB" }, { country: "GB", idType: "02" }],
    ["GB110305878", "legal_entity", { home: "GB" }, { country: "GB", idType: "04" }],
    ["CHE-123.456.788", "legal_entity", { home: "CH" }, { country: "CH", idType: "04" }],
    ["ES-B57204463", "legal_entity", { home: "ES" }, { taxId: "B57204463" }],
    ["es 12345678z", "individual", { home: "ES" }, { taxId: "12345678Z" }],
  ] as const)(
    "names a customer by number and country: %s, %s, %j",
    (documentId, type, { home, ...other }, expected) => {
      const originCountry = "origin" in other ? other.origin : undefined;
      const address = { ...createContractToInvoice().customer.address, country: home };
      const recipient = customer({ documentId, type, originCountry, address });
      expect(createRegistrationRecord(toRecord(draftInvoice({ customer: recipient }))).recipient).toMatchObject(
        expected,
      );
    },
  );

  test.each([
    ["12345678A", "individual", "ES", undefined],
    ["12345678A", "individual", "ES", "ES"],
    ["C01X00T47", "individual", "ES", undefined],
    ["B12345670", "legal_entity", "ES", undefined],
    ["DE12345", "legal_entity", "DE", undefined],
    ["B07123458", "legal_entity", "ES", undefined],
  ] as const)(
    "reports a customer's number as missing if the agency would refuse it: %s, %s, home %s, passport %s",
    (documentId, type, country, originCountry) => {
      const address = { ...createContractToInvoice().customer.address, country };
      const recipient = customer({ documentId, type, originCountry, address });
      expect(listFieldsPreventingRecord(toRecord(draftInvoice({ customer: recipient })))).toEqual(["document_id"]);
    },
  );

  test("writes names and descriptions without the characters that the agency refuses", () => {
    const recipient = customer({
      documentId: "C01X00T47",
      originCountry: "DE",
      fullName: `Sean O'Brien "Es Port" <A=B>`,
    });
    const draft = { ...draftInvoice({ customer: recipient }), concept: `Renting "Lloguer d'Autos" 1<2` };
    const record = createRegistrationRecord(
      toRecord(draft, { taxpayer: { ...COMPANY, name: "Lloguer d'Autos, S.L." } }),
    );
    expect(record).toMatchObject({
      issuerName: "Lloguer d’Autos, S.L.",
      recipient: { name: "Sean O’Brien «Es Port» A B" },
      description: "Renting «Lloguer d’Autos» 1 2",
    });
    expect(draft.customer.fullName).toBe(`Sean O'Brien "Es Port" <A=B>`);
  });

  test("reports a missing tax number for an unpaid debt of a debtor with a passport only", () => {
    const firm = toIssuedEarlierDocument(
      draftInvoice({ customer: customer({ documentId: "C01X00T47", originCountry: "DE" }) }),
      1,
    );
    const vatNumber = customer({
      documentId: "DE811569869",
      type: "legal_entity",
      address: { ...createContractToInvoice().customer.address, country: "DE" },
    });
    const companyInvoice = toIssuedEarlierDocument(draftInvoice({ customer: vatNumber }), 1);
    const lackingFor = (document: typeof firm, reason: "insolvency" | "bad_debt") => {
      const note = draftTaxCreditNote(document, "es", { cents: -100, reason });
      return listFieldsPreventingRecord(toRecord(note, { corrected: createInvoiceReference("full") }));
    };
    expect(lackingFor(firm, "bad_debt")).toEqual(["document_id"]);
    expect(lackingFor(firm, "insolvency")).toEqual(["document_id"]);
    expect(lackingFor(companyInvoice, "bad_debt")).toEqual(["document_id"]);
    expect(lackingFor(companyInvoice, "insolvency")).toEqual([]);
  });

  test("records IGIC on the Canary Islands and IPSI in Ceuta, with a tax regime for both", () => {
    const at = (vat: number, territory: "igic" | "ipsi") => {
      const lines = createContractToInvoice().lines.map((line) => ({ ...line, vat }));
      return createRegistrationRecord(toRecord(draftInvoice({ lines }), { taxpayer: { ...COMPANY, territory } })).lines;
    };
    expect(at(700, "igic")).toMatchObject([{ tax: "03", regime: "01", operation: "S1", rate: "7.00" }]);
    expect(at(400, "ipsi")).toMatchObject([{ tax: "02", regime: "01", operation: "S1", rate: "4.00" }]);
  });

  test("records no rate and no tax for items that are exempt by the account's setting for their rate", () => {
    const lines = createContractToInvoice().lines.map((line) => ({ ...line, vat: 0 }));
    const record = createRegistrationRecord(toRecord(draftInvoice({ lines }), { rateCodes: { "0.00": "02:E2" } }));
    expect(record.lines).toEqual([
      { tax: "01", regime: "02", operation: "E2", rate: undefined, base: "90.00", amount: undefined },
    ]);
  });
});

// Examples of the agency's public FAQ with VAT of 21 %. All corrections are by differences.
describe("the tax agency's worked examples of corrections", () => {
  const [line] = createContractToInvoice().lines;
  if (!line) throw new Error("no line");
  const debtor = customer({ documentId: "00000000T" });
  const issue = (unitCents: number) =>
    toIssuedEarlierDocument(draftInvoice({ customer: debtor, lines: [{ ...line, unitCents }] }), 1);
  const correct = (draft: DocumentDraft) => {
    const source = toRecord(draft, { corrected: createInvoiceReference("full") });
    expect(listFieldsPreventingRecord(source)).toEqual([]);
    return createRegistrationRecord(source);
  };
  const sums = (base: string, tax: string, total: string) => ({
    lines: [{ base, amount: tax, rate: "21.00" }],
    taxTotal: tax,
    total,
  });

  test("corrects an invoice of 1,000 by a credit note of 200 plus 42 tax, as in the tax agency's example", () => {
    const record = correct(draftCreditNote(issue(121_000), "es", 24_200));
    expect(record).toMatchObject({ type: "R1", ...sums("-200.00", "-42.00", "-242.00") });
    expect(record.corrected).toHaveLength(1);
  });

  test.each([
    ["R2", "insolvency"],
    ["R3", "bad_debt"],
  ] as const)("credits only an invoice's tax of 210, without its base, as type %s for %s", (type, reason) => {
    const record = correct(draftTaxCreditNote(issue(121_000), "es", { cents: 21_000, reason }));
    expect(record).toMatchObject({ type, ...sums("0.00", "-210.00", "-210.00") });
  });
});

describe("documents that lack data for a tax record", () => {
  const listMissing = (draft: DocumentDraft, changes: Partial<TaxRecordSource> = {}) =>
    listFieldsPreventingRecord(toRecord(draft, changes));

  test("lists what a document lacks for its tax record, and nothing if it's complete", () => {
    expect(listMissing(draftInvoice())).toEqual([]);
    expect(listMissing(draftInvoice(), { taxpayer: { ...COMPANY, name: " ", documentId: "B07123457" } })).toEqual([
      "company_name",
      "company_document_id",
    ]);
    expect(listMissing(draftInvoice(), { id: { ...ID, number: 'A"1/1' } })).toEqual(["serie"]);
    expect(listMissing({ ...draftInvoice(), currency: "USD" })).toEqual(["currency"]);
  });

  test("lists the code of a tax rate as missing if neither law nor account has a valid one", () => {
    const draftAt19 = draftInvoice({ lines: createContractToInvoice().lines.map((line) => ({ ...line, vat: 1900 })) });
    expect(listMissing(draftAt19)).toEqual(["tax_rate_code"]);
    expect(listMissing(draftAt19, { rateCodes: { "19.00": "E1" } })).toEqual(["tax_rate_code"]);
    expect(listMissing(draftAt19, { rateCodes: { "19.00": "S1" } })).toEqual(["tax_rate_code"]);
    const draftAt5 = draftInvoice({ lines: createContractToInvoice().lines.map((line) => ({ ...line, vat: 500 })) });
    expect(listMissing(draftAt5)).toEqual(["tax_rate_code"]);
    expect(
      listMissing(draftInvoice({ lines: createContractToInvoice().lines.map((line) => ({ ...line, vat: 0 })) })),
    ).toEqual(["tax_rate_code"]);
  });

  test.each(["12:S1", "13:S1", "16:S1", "21:S1", "99:S1", "01:E7", "01:E8", "01:E9"])(
    "refuses the code %s for VAT, which isn't in the tax agency's lists",
    (code) => {
      const vat = code.includes(":S") ? 2100 : 0;
      const draft = draftInvoice({ lines: createContractToInvoice().lines.map((line) => ({ ...line, vat })) });
      const rateCodes = { "0.00": code, "21.00": code };
      expect(listMissing(draft, { rateCodes })).toEqual(["tax_rate_code"]);
    },
  );

  test("accepts the exemptions that only IGIC has on the Canary Islands", () => {
    const draft = draftInvoice({ lines: createContractToInvoice().lines.map((line) => ({ ...line, vat: 0 })) });
    const listMissingAt = (territory: "igic" | "ipsi") =>
      listMissing(draft, { rateCodes: { "0.00": "E7" }, taxpayer: { ...COMPANY, territory } });
    expect([listMissingAt("igic"), listMissingAt("ipsi")]).toEqual([[], ["tax_rate_code"]]);
  });

  test("refuses a document with more tax lines than the tax agency's schema allows", () => {
    const draft = draftInvoice();
    const listMissingData = (length: number) =>
      listMissing({ ...draft, taxes: Array.from({ length }, () => draft.taxes[0]).filter((tax) => tax !== undefined) });
    expect([listMissingData(12), listMissingData(13)]).toEqual([[], ["tax_rate_code"]]);
  });

  test("lists the missing customer document of a simplified invoice above 3,000 euros", () => {
    const lines = createContractToInvoice().lines.map((line) => ({ ...line, unitCents: 300_001 }));
    const draft = draftInvoice({
      lines,
      simplifiedLimitCents: 1_000_000,
      customer: customer({ documentId: undefined }),
    });
    expect(listMissing(draft)).toEqual(["document_id"]);
  });
});

describe("later tax records of an invoice", () => {
  const record = (changes: Partial<InvoiceTaxRecordStates[number]> = {}) =>
    ({ kind: "registration", state: "accepted", code: undefined, amends: false, ...changes }) as const;

  test.each<[string, InvoiceTaxRecordStates, ReturnType<typeof getNextRegistrationFlags>]>([
    ["nothing was recorded", [], {}],
    ["a record isn't sent yet", [record({ state: "waiting" })], undefined],
    ["it is registered", [record()], { amends: true }],
    ["it is registered with errors", [record({ state: "accepted_with_errors" })], { amends: true }],
    ["all was refused", [record({ state: "refused" })], { amends: true, priorRefusal: "X" }],
    [
      "it isn't registered at the agency",
      [record(), record({ state: "refused", code: "3002", amends: true })],
      { amends: true, priorRefusal: "X" },
    ],
    [
      "its amendment was refused",
      [record(), record({ state: "refused", amends: true })],
      { amends: true, priorRefusal: "S" },
    ],
    ["it is annulled", [record(), record({ kind: "annulment" })], { amends: true }],
    [
      "it isn't registered at the agency, which then refused other data",
      [record(), record({ state: "refused", code: "3002", amends: true }), record({ state: "refused", amends: true })],
      { amends: true, priorRefusal: "X" },
    ],
    [
      "it was registered after the agency hadn't known it",
      [record(), record({ state: "refused", code: "3002", amends: true }), record({ amends: true })],
      { amends: true },
    ],
  ])("decides how an invoice is registered at the tax agency next if %s", (_, records, expected) => {
    expect(getNextRegistrationFlags(records)).toEqual(expected);
  });

  test.each<[string, InvoiceTaxRecordStates, ReturnType<typeof getAnnulmentFlags>]>([
    ["it is registered", [record()], {}],
    ["all was refused", [record({ state: "refused" })], { hasNoPrior: true }],
    ["it waits", [record({ state: "waiting" })], undefined],
    ["it is annulled already", [record(), record({ kind: "annulment" })], undefined],
    ["its annulment was refused", [record(), record({ kind: "annulment", state: "refused" })], { priorRefusal: "S" }],
    [
      "its annulment was refused because the agency doesn't have the invoice",
      [record(), record({ kind: "annulment", state: "refused", code: "3002" })],
      { hasNoPrior: true, priorRefusal: "S" },
    ],
    ["it is registered again", [record(), record({ kind: "annulment" }), record({ amends: true })], {}],
    [
      "it is annulled already and its registration again was refused",
      [record(), record({ kind: "annulment" }), record({ state: "refused", amends: true })],
      undefined,
    ],
  ])("decides whether an invoice's tax record is annulled or waits if %s", (_, records, expected) => {
    expect(getAnnulmentFlags(records)).toEqual(expected);
  });
});
