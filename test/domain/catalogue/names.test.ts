import { expect, test } from "vitest";
import { extraNameIn, nameIn } from "#domain/catalogue/names.ts";

const SEAT = { es: "Silla", en: "Child seat" };

test("keeps the agreed name if the company has no translation", () => {
  expect(nameIn({ en: "Airport" }, "en", "Aeropuerto")).toBe("Airport");
  expect(nameIn({ en: "Airport" }, "nl", "Aeropuerto")).toBe("Aeropuerto");
  expect(nameIn(undefined, "en", "Hotel Sol")).toBe("Hotel Sol");
});

test("translates an extra's name and keeps the text that staff added to the name", () => {
  expect(extraNameIn(SEAT, "en", "Silla")).toBe("Child seat");
  expect(extraNameIn(SEAT, "en", "Silla: rota")).toBe("Child seat: rota");
  expect(extraNameIn(SEAT, "en", "Child seat")).toBe("Child seat");
  expect(extraNameIn(SEAT, "en", "Limpieza")).toBe("Limpieza");
  expect(extraNameIn(SEAT, "nl", "Silla")).toBe("Silla");
});

test("recognises an extra by its longest name, and never by an empty one", () => {
  const names = { es: "Silla bebé", en: "Silla", de: "Babysitz", fr: "" };
  expect(extraNameIn(names, "de", "Silla bebé: rota")).toBe("Babysitz: rota");
  expect(extraNameIn({ en: "Silla", es: "Silla bebé", de: "Babysitz" }, "de", "Silla bebé: rota")).toBe(
    "Babysitz: rota",
  );
  expect(extraNameIn(names, "de", "Limpieza")).toBe("Limpieza");
  expect(extraNameIn(undefined, "de", "Limpieza")).toBe("Limpieza");
});
