import { describe, expect, test } from "vitest";
import type { CivilDate } from "#domain/dates.ts";
import { draftContractDocuments } from "#domain/documents/invoicing.ts";
import { createRegistration } from "#domain/tax-records/recording.ts";
import { hashedText } from "#domain/tax-records/records.ts";
import { AUTHORITY_XML, find, parseXml } from "#domain/xml.ts";
import { aContract } from "#support/contract-to-invoice.ts";
import { submissionXml } from "#worker/authorities/tax-agency/registration-xml.ts";
import { findBrokenRule } from "#worker/development/tax-agency/business-rules.ts";

const ISSUER = "B07123458";
const PRODUCER = { name: `Rental "Software" d'Autos`, taxId: "B57204463", systemName: "Rental", systemId: "RP" };

function submit(change: (xml: string) => string = (xml) => xml) {
  const [draft] = draftContractDocuments(aContract());
  if (!draft) throw new Error("nothing to invoice");
  const content = createRegistration({
    draft,
    taxpayer: { name: "Lloguer d'Autos", documentId: ISSUER, territory: "iva" },
    rateCodes: {},
    id: { number: "A/1", date: "2026-11-21" as CivilDate },
    corrected: undefined,
    replaced: [],
    system: { version: "1.0", installation: "1", hasSeveralTaxpayers: false },
  });
  const hashed = hashedText({ content, previous: undefined, generatedAt: "2026-11-21T10:00:00+01:00" });
  const record = { content, hashed, hash: "A".repeat(64), previous: undefined };
  const submission = { issuer: { name: content.issuerName, taxId: ISSUER }, isIncident: false };
  const xml = change(submissionXml(submission, [record], PRODUCER));
  const element = find(parseXml(xml, AUTHORITY_XML), "RegistroAlta");
  if (!element) throw new Error("no record");
  return findBrokenRule(element, ISSUER)?.[0];
}

const RECIPIENT = /<si:IDOtro>.*<\/si:IDOtro>/s;
const other = (country: string, kind: string, id: string) =>
  `<si:IDOtro>${country && `<si:CodigoPais>${country}</si:CodigoPais>`}<si:IDType>${kind}</si:IDType><si:ID>${id}</si:ID></si:IDOtro>`;

describe("the rules of the tax agency's simulator", () => {
  test("accepts the record of a contract, with the names of its people as they are", () => {
    expect(submit()).toBeUndefined();
  });

  test.each([
    [
      "1287",
      (xml: string) => xml.replace("Lloguer d’Autos</si:NombreRazonEmisor>", "Lloguer d'Autos</si:NombreRazonEmisor>"),
    ],
    ["1123", (xml: string) => xml.replace(RECIPIENT, "<si:NIF>12345678A</si:NIF>")],
    ["1193", (xml: string) => xml.replace(RECIPIENT, `<si:NIF>${ISSUER}</si:NIF>`)],
    ["1111", (xml: string) => xml.replace(RECIPIENT, other("", "03", "C01X00T47"))],
    ["1126", (xml: string) => xml.replace(RECIPIENT, other("ES", "04", "C01X00T47"))],
    ["1131", (xml: string) => xml.replace(RECIPIENT, other("ES", "07", "ESB57204463"))],
    ["1103", (xml: string) => xml.replace(RECIPIENT, other("", "02", "DE123"))],
    ["1122", (xml: string) => xml.replace(RECIPIENT, other("GR", "02", "EL094259216"))],
    ["1191", (xml: string) => xml.replace("<si:TipoFactura>F1", "<si:TipoFactura>R3")],
    ["1192", (xml: string) => xml.replace("<si:TipoFactura>F1", "<si:TipoFactura>R2")],
    ["1245", (xml: string) => xml.replace("<si:ClaveRegimen>01</si:ClaveRegimen>", "")],
    ["1195", (xml: string) => xml.replace(/<si:CalificacionOperacion>S1<.si:CalificacionOperacion>/, "")],
    ["1199", (xml: string) => xml.replaceAll("CalificacionOperacion", "OperacionExenta").replace(">S1<", ">E2<")],
    ["1238", (xml: string) => xml.replaceAll("CalificacionOperacion", "OperacionExenta").replace(">S1<", ">E5<")],
  ] as const)("refuses with %s", (code, change) => {
    expect(submit(change)).toBe(code);
  });
});
