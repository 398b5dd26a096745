import { describe, expect, test } from "vitest";
import { type ConfiguredProducer, createResponsibleDeclaration } from "#domain/tax-records/declaration.ts";

const SYSTEM = { name: "Rental platform", id: "RP", version: "1.0" };
const PRODUCER: ConfiguredProducer = {
  name: "Casa de Software, S.L.",
  taxId: "B12345674",
  address: "Calle del Ejemplo, 1, 07001 Palma, España",
  place: "Palma, España",
  date: "2026-11-22",
  contact: "hola@example.com",
  website: "https://example.com",
};
const EMPTY_PRODUCER: ConfiguredProducer = {
  name: undefined,
  taxId: undefined,
  address: undefined,
  place: undefined,
  date: undefined,
  contact: undefined,
  website: undefined,
};

describe("the producer's responsible declaration", () => {
  // Proves "security, privacy and operation": The declaration has fifteen points and names unconfigured ones
  test("contains the fifteen points of the software producer's declaration in order, with the deployment's data", () => {
    const { title, points, annex, missing } = createResponsibleDeclaration(PRODUCER, SYSTEM);
    expect(title).toBe("DECLARACIÓN RESPONSABLE DEL SISTEMA INFORMÁTICO DE FACTURACIÓN");
    expect([...points, ...annex].map(({ letter }) => letter).join("")).toBe("abcdefghijklmnñ");
    expect([...points, ...annex].every(({ label, text }) => label !== "" && text !== undefined)).toBe(true);
    const textsByPoint = Object.fromEntries(points.map(({ letter, text }) => [letter, text]));
    expect(textsByPoint).toMatchObject({ a: "Rental platform", b: "RP", c: "1.0", h: PRODUCER.name, i: "B12345674" });
    expect(textsByPoint["l"]).toBe("22/11/2026, Palma, España");
    expect(textsByPoint["k"]).toContain("artículo 29.2.j) de la Ley 58/2003");
    expect(missing).toEqual([]);
  });

  test("leaves points without deployment data empty in the producer's declaration, and lists them as missing", () => {
    const { points, annex, missing } = createResponsibleDeclaration(EMPTY_PRODUCER, SYSTEM);
    const open = [...points, ...annex].filter(({ text }) => text === undefined).map(({ letter }) => letter);
    expect(open).toEqual(["h", "i", "j", "l", "m", "n"]);
    expect(missing).toEqual(["name", "taxId", "address", "place", "date"]);
  });

  test("requires no second contact and no website in the declaration", () => {
    const { missing } = createResponsibleDeclaration({ ...PRODUCER, contact: undefined, website: undefined }, SYSTEM);
    expect(missing).toEqual([]);
  });
});
