import { describe, expect, test } from "vitest";
import type { CivilDate } from "#domain/dates.ts";
import type { TaxRecordContent } from "#domain/tax-records/records.ts";
import { TaxRecordChains } from "#worker/usecases/issuing/chain-records.ts";

const SYSTEM = { version: "1.0", installation: "1", hasSeveralTaxpayers: false };
const id = (number: string) => ({ issuer: "89890001K", number, date: "2024-01-01" as CivilDate });
const registration = (number: string): TaxRecordContent => ({
  kind: "registration",
  id: id(number),
  issuerName: "X",
  type: "F1",
  description: "Rental",
  lines: [],
  taxTotal: "12.35",
  total: "123.45",
  system: SYSTEM,
});
const toMadridTime = (text: string) => ({ at: Date.parse(text), timezone: "Europe/Madrid" });

describe("a chain of tax records", () => {
  test("calculates the hashes of the tax agency's example of two registrations and an annulment", async () => {
    const chains = new TaxRecordChains([]);
    const records = [
      await chains.add("chain", registration("12345678/G33"), toMadridTime("2024-01-01T19:20:30+01:00")),
      await chains.add("chain", registration("12345679/G34"), toMadridTime("2024-01-01T19:20:35+01:00")),
      await chains.add(
        "chain",
        { kind: "annulment", id: id("12345679/G34"), system: SYSTEM },
        toMadridTime("2024-01-01T19:20:40+01:00"),
      ),
    ];
    expect(records.map(({ position, hash }) => [position, hash])).toEqual([
      [1, "3C464DAF61ACB827C65FDA19F352A4E3BDC2C640E9E9FC4CC058073F38F12F60"],
      [2, "F7B94CFD8924EDFF273501B01EE5153E4CE8F259766F88CF6ACB8935802A2B97"],
      [3, "177547C0D57AC74748561D054A9CEC14B4C4EA23D1BEFD6F2E69E3A388F90C68"],
    ]);
  });

  test.each([
    ["Atlantic/Canary", "2026-01-15T10:20:30.900Z", "2026-01-15T10:20:30+00:00"],
    ["Atlantic/Canary", "2026-07-15T10:20:30Z", "2026-07-15T11:20:30+01:00"],
    ["Europe/Madrid", "2026-01-15T10:20:30Z", "2026-01-15T11:20:30+01:00"],
    ["Africa/Ceuta", "2026-07-15T10:20:30Z", "2026-07-15T12:20:30+02:00"],
    ["Europe/Madrid", "2026-12-31T23:30:00Z", "2027-01-01T00:30:00+01:00"],
  ])("stamps a record in the branch's zone %s without fractions: %s", async (timezone, at, expected) => {
    const { hashed } = await new TaxRecordChains([]).add("chain", registration("A/1"), {
      at: Date.parse(at),
      timezone,
    });
    expect(hashed).toMatch(new RegExp(`&FechaHoraHusoGenRegistro=${expected.replace("+", "\\+")}$`));
  });

  test("separates the chains of taxpayers and environments", async () => {
    const chains = new TaxRecordChains([]);
    await chains.add("B07123458/1/test", registration("A/1"), toMadridTime("2026-01-15T10:00:00Z"));
    const other = await chains.add("B07123458/1/production", registration("A/1"), toMadridTime("2026-01-15T10:00:00Z"));
    expect([other.position, other.previousHash]).toEqual([1, ""]);
  });
});
