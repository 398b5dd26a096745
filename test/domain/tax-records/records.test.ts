import { createHash } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { CivilDate } from "#domain/dates.ts";
import {
  type AnnulmentRecord,
  createTextToHash,
  type InvoiceType,
  parseHashedText,
  type RegistrationRecord,
  type TaxRecordContent,
} from "#domain/tax-records/records.ts";

const SYSTEM = { version: "1.0", installation: "1", hasSeveralTaxpayers: false };
const A64 = "A".repeat(64);
const V1 = "3C464DAF61ACB827C65FDA19F352A4E3BDC2C640E9E9FC4CC058073F38F12F60";
const V2 = "F7B94CFD8924EDFF273501B01EE5153E4CE8F259766F88CF6ACB8935802A2B97";

function registration(issuer: string, number: string, date: string, type: InvoiceType, sums: [string, string]) {
  return {
    kind: "registration",
    id: { issuer, number, date: date as CivilDate },
    issuerName: "X",
    type,
    description: "Rental",
    lines: [],
    taxTotal: sums[0],
    total: sums[1],
    system: SYSTEM,
  } as const satisfies RegistrationRecord;
}

function annulment(issuer: string, number: string, date: string): AnnulmentRecord {
  return { kind: "annulment", id: { issuer, number, date: date as CivilDate }, system: SYSTEM };
}

function toRecordText(content: TaxRecordContent, hash: string, generatedAt: string): string {
  const previous = hash === "" ? undefined : { ...content.id, hash };
  return createTextToHash({ content, previous, generatedAt });
}

const sha256 = (text: string) => createHash("sha256").update(text, "utf8").digest("hex").toUpperCase();

// Examples of the agency and three libraries.
const VECTORS: readonly (readonly [string, TaxRecordContent, string, string, string])[] = [
  [
    "the agency's first registration",
    registration("89890001K", "12345678/G33", "2024-01-01", "F1", ["12.35", "123.45"]),
    "",
    "2024-01-01T19:20:30+01:00",
    V1,
  ],
  [
    "the agency's second, chained to it",
    registration("89890001K", "12345679/G34", "2024-01-01", "F1", ["12.35", "123.45"]),
    V1,
    "2024-01-01T19:20:35+01:00",
    V2,
  ],
  [
    "the agency's annulment",
    annulment("89890001K", "12345679/G34", "2024-01-01"),
    V2,
    "2024-01-01T19:20:40+01:00",
    "177547C0D57AC74748561D054A9CEC14B4C4EA23D1BEFD6F2E69E3A388F90C68",
  ],
  [
    "a registration whose amounts have one decimal",
    registration("B72877814", "GITHUB-EJ-003", "2024-11-04", "F1", ["21.4", "131.4"]),
    "8C8DCEFB120522E0C71BC19902F44D5334FF6C98E74F0E3AC1D1E5A30C2EA836",
    "2024-11-04T12:36:39+01:00",
    "4EECCE4DD48C0539665385D61D451BA921B7160CA6FEF46CD3C2E2BC5C778E14",
  ],
  [
    "a simplified invoice, first of its chain",
    registration("A00000000", "PRUEBA-0001", "2025-06-01", "F2", ["2.10", "12.10"]),
    "",
    "2025-06-01T10:20:30+02:00",
    "F223F0A84F7D0C701C13C97CF10A1628FF9E46A003DDAEF3A804FBD799D82070",
  ],
  [
    "a simplified invoice in a chain",
    registration("A00000000", "PRUEBA-0002", "2025-06-02", "F2", ["21.00", "121.00"]),
    A64,
    "2025-06-02T20:30:40+02:00",
    "4566062C5A5D7DA4E0E876C0994071CD807962629F8D3C1F33B91EDAA65B2BA1",
  ],
  [
    "a full invoice of several rates",
    registration("00000000B", "PRUEBA-0002", "2025-06-02", "F1", ["26.00", "176.00"]),
    A64,
    "2025-06-02T11:22:33+02:00",
    "8B042C064EE8260DE86766B4C4878DD1347377D00C7D7C97043E126B1215F2A6",
  ],
  [
    "an annulment of another taxpayer",
    annulment("A00000000", "12345679/G34", "2024-01-01"),
    V2,
    "2024-01-01T19:20:40+01:00",
    "5DCAFD630E24AA03BCE2D3E6F595BAE802555F4604AF830F0340F3338B4935F6",
  ],
  [
    "a registration with an amount without decimals",
    registration("A39200019", "VF280225/00088", "2025-04-02", "F1", ["1.51", "15"]),
    "9299FE546502C9ED70E895DF9D039FE7BC3F200B64ECF7AA2402734D02EC6EBA",
    "2025-04-02T09:59:12+02:00",
    "E160BD5C70481FBDE51474EB59552AA45F48E092982AD16D11F11D3E24740861",
  ],
];

describe("the hash of a tax record", () => {
  test.each(VECTORS)(
    "calculates the hash that the tax agency published for %s",
    (_, content, previous, generatedAt, expected) => {
      expect(sha256(toRecordText(content, previous, generatedAt))).toBe(expected);
    },
  );

  // Proves "security, privacy and operation": The hash of a record is the agency's published one
  test("calculates the hash of a tax record from the agency's exact text, without a line break", () => {
    const [, content, , generatedAt] = VECTORS[0] ?? [];
    if (!content || !generatedAt) throw new Error("no vector");
    const text = toRecordText(content, "", generatedAt);
    expect(text).toBe(
      "IDEmisorFactura=89890001K&NumSerieFactura=12345678/G33&FechaExpedicionFactura=01-01-2024&TipoFactura=F1&CuotaTotal=12.35&ImporteTotal=123.45&Huella=&FechaHoraHusoGenRegistro=2024-01-01T19:20:30+01:00",
    );
    expect(sha256(`${text}\n`)).toBe("31AED1A12718F6A86C9C4BB24AF6B6E138D880DE843FB4EA818C03EBB17638AA");
  });

  test("trims the ends of a value in the hashed text, keeps its inner spaces and escapes nothing", () => {
    const text = toRecordText(
      registration("89890001K", "  A&B  1 ", "2024-01-01", "F1", ["1.00", "2.00"]),
      "",
      "2024-01-01T00:00:00+01:00",
    );
    expect(text).toContain("&NumSerieFactura=A&B  1&FechaExpedicionFactura=");
    expect(parseHashedText(text)).toMatchObject({ NumSerieFactura: "A&B  1", TipoFactura: "F1", Huella: "" });
  });
});
