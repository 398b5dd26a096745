import { describe, expect, test } from "vitest";
import type { CivilDate } from "#domain/dates.ts";
import { draftMissingContractDocuments } from "#domain/documents/invoicing.ts";
import { createRegistrationRecord, listFieldsPreventingRecord } from "#domain/tax-records/recording.ts";
import { createTextToHash, type RegistrationRecord } from "#domain/tax-records/records.ts";
import { AUTHORITY_XML_RULES, findDescendant, parseXml } from "#domain/xml.ts";
import { createContractToInvoice } from "#support/contract-to-invoice.ts";
import { writeSubmissionXml } from "#worker/authorities/tax-agency/registration-xml.ts";
import { findBrokenTaxRecordRule } from "#worker/development/tax-agency/business-rules.ts";

const ISSUER = "B07123458";
const PRODUCER = { name: `Rental "Software" d'Autos`, taxId: "B57204463", systemName: "Rental", systemId: "RP" };

const TO = {
  taxpayer: { name: "Lloguer d'Autos", documentId: ISSUER, territory: "iva" },
  rateCodes: {},
  id: { number: "A/1", date: "2026-11-21" as CivilDate },
  corrected: undefined,
  replaced: [],
} as const;
const SYSTEM = { version: "1.0", installation: "1", hasSeveralTaxpayers: false };

function submit(change: (xml: string) => string = (xml) => xml) {
  const [draft] = draftMissingContractDocuments(createContractToInvoice());
  if (!draft) throw new Error("nothing to invoice");
  return findBroken(createRegistrationRecord({ ...TO, draft, system: SYSTEM }), change);
}

function findBroken(content: RegistrationRecord, change: (xml: string) => string = (xml) => xml) {
  const hashed = createTextToHash({ content, previous: undefined, generatedAt: "2026-11-21T10:00:00+01:00" });
  const record = { content, hashed, hash: "A".repeat(64), previous: undefined };
  const submission = { issuer: { name: content.issuerName, taxId: ISSUER }, isIncident: false };
  const xml = change(writeSubmissionXml(submission, [record], PRODUCER));
  const element = findDescendant(parseXml(xml, AUTHORITY_XML_RULES), "RegistroAlta");
  if (!element) throw new Error("no record");
  return findBrokenTaxRecordRule(element, ISSUER)?.[0];
}

const RECIPIENT = /<si:IDOtro>.*<\/si:IDOtro>/s;
const createOtherIdXml = (country: string, kind: string, id: string) =>
  `<si:IDOtro>${country && `<si:CodigoPais>${country}</si:CodigoPais>`}<si:IDType>${kind}</si:IDType><si:ID>${id}</si:ID></si:IDOtro>`;

const RATE = /<si:TipoImpositivo>[^<]*</;
const asRegime = (xml: string, regime: string) => xml.replace("<si:ClaveRegimen>01", `<si:ClaveRegimen>${regime}`);
const asSimplified = (xml: string) =>
  xml.replace("<si:TipoFactura>F1", "<si:TipoFactura>F2").replace(/<si:Destinatarios>.*<\/si:Destinatarios>/s, "");

describe("the simulated tax agency", () => {
  test("accepts in the tax agency's simulator a contract's tax record with apostrophes in names", () => {
    expect(submit()).toBeUndefined();
  });

  test.each([
    [
      "1287",
      (xml: string) => xml.replace("Lloguer d’Autos</si:NombreRazonEmisor>", "Lloguer d'Autos</si:NombreRazonEmisor>"),
    ],
    ["1123", (xml: string) => xml.replace(RECIPIENT, "<si:NIF>12345678A</si:NIF>")],
    ["1193", (xml: string) => xml.replace(RECIPIENT, `<si:NIF>${ISSUER}</si:NIF>`)],
    ["1111", (xml: string) => xml.replace(RECIPIENT, createOtherIdXml("", "03", "C01X00T47"))],
    ["1126", (xml: string) => xml.replace(RECIPIENT, createOtherIdXml("ES", "04", "C01X00T47"))],
    ["1131", (xml: string) => xml.replace(RECIPIENT, createOtherIdXml("ES", "07", "ESB57204463"))],
    ["1103", (xml: string) => xml.replace(RECIPIENT, createOtherIdXml("", "02", "DE123"))],
    ["1122", (xml: string) => xml.replace(RECIPIENT, createOtherIdXml("GR", "02", "EL094259216"))],
    ["1191", (xml: string) => xml.replace("<si:TipoFactura>F1", "<si:TipoFactura>R3")],
    ["1192", (xml: string) => xml.replace("<si:TipoFactura>F1", "<si:TipoFactura>R2")],
    ["1245", (xml: string) => xml.replace("<si:ClaveRegimen>01</si:ClaveRegimen>", "")],
    ["1195", (xml: string) => xml.replace(/<si:CalificacionOperacion>S1<.si:CalificacionOperacion>/, "")],
    ["1196", (xml: string) => xml.replace("<si:TipoImpositivo>", "<si:OperacionExenta>E1</si:OperacionExenta>$&")],
    ["1197", (xml: string) => asSimplified(xml).replace(">S1<", ">S2<")],
    ["1198", (xml: string) => xml.replace(">S1<", ">S2<")],
    ["1208", (xml: string) => xml.replace(/<si:CuotaRepercutida>[^<]*<.si:CuotaRepercutida>/, "")],
    ["1237", (xml: string) => xml.replace(">S1<", ">N2<")],
    ["1124", (xml: string) => xml.replace(RATE, "<si:TipoImpositivo>19.00<")],
    ["1194", (xml: string) => xml.replace(RATE, "<si:TipoImpositivo>5.00<")],
    ["1235", (xml: string) => xml.replace(RATE, "<si:TipoImpositivo>2.00<")],
    ["1236", (xml: string) => xml.replace(RATE, "<si:TipoImpositivo>7.50<")],
    ["1206", (xml: string) => asRegime(xml, "11").replace(RATE, "<si:TipoImpositivo>10.00<")],
    ["1202", (xml: string) => asRegime(xml, "06")],
    ["1147", (xml: string) => asRegime(xml, "14")],
    ["1286", (xml: string) => asRegime(xml, "02")],
    ["1201", (xml: string) => asRegime(xml, "04")],
    ["1205", (xml: string) => asRegime(xml, "10")],
    ["1252", (xml: string) => asRegime(xml, "08")],
    ["1293", (xml: string) => asRegime(xml, "20")],
    ["1143", (xml: string) => xml.replace("<si:CuotaRepercutida>", "$&-")],
    ["1142", (xml: string) => xml.replace(/(<si:CuotaRepercutida>)[^<]*/, "$1999.00")],
    ["1112", (xml: string) => xml.replaceAll("21-11-2026", "22-11-2026")],
    ["1152", (xml: string) => xml.replaceAll("21-11-2026", "27-10-2024")],
    ["1150", (xml: string) => asSimplified(xml).replace(/(<si:ImporteTotal>)[^<]*/, "$13010.01")],
    ["1199", (xml: string) => xml.replaceAll("CalificacionOperacion", "OperacionExenta").replace(">S1<", ">E2<")],
    ["1238", (xml: string) => xml.replaceAll("CalificacionOperacion", "OperacionExenta").replace(">S1<", ">E5<")],
  ] as const)("rejects an invalid tax record in the tax agency's simulator with the error code %s", (code, change) => {
    expect(submit(change)).toBe(code);
  });
});

describe("tax records for every rate and code", () => {
  const OPERATIONS = ["S1", "S2", "N1", "N2", "E1", "E2", "E3", "E4", "E5", "E6"];
  const REGIMES = [
    "01",
    "02",
    "03",
    "04",
    "05",
    "06",
    "07",
    "08",
    "09",
    "10",
    "11",
    "14",
    "15",
    "17",
    "18",
    "19",
    "20",
  ];
  const RATES = [0, 200, 400, 500, 750, 1000, 1900, 2100];

  test("creates a tax record that the agency's simulator accepts for each permitted rate and code", () => {
    const accepted = RATES.flatMap((vat) =>
      REGIMES.flatMap((regime) =>
        OPERATIONS.flatMap((operation) => {
          const [draft] = draftMissingContractDocuments(
            createContractToInvoice({ lines: createContractToInvoice().lines.map((line) => ({ ...line, vat })) }),
          );
          if (!draft) throw new Error("nothing to invoice");
          const code = `${regime}:${operation}`;
          const to = { ...TO, draft, rateCodes: { [`${(vat / 100).toFixed(2)}`]: code } };
          if (listFieldsPreventingRecord(to).length > 0) return [];
          expect([vat, code, findBroken(createRegistrationRecord({ ...to, system: SYSTEM }))]).toEqual([
            vat,
            code,
            undefined,
          ]);
          return [`${vat} ${code}`];
        }),
      ),
    );
    expect(accepted).toContain("2100 01:S1");
    expect(accepted).toContain("0 02:E2");
    expect(accepted.length).toBeLessThan(RATES.length * REGIMES.length * OPERATIONS.length);
  });
});
