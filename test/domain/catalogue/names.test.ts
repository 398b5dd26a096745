import { expect, test } from "vitest";
import { addEnglishToMissingLanguages } from "#domain/catalogue/languages.ts";
import { translateExtraName, translateName } from "#domain/catalogue/names.ts";

const SEAT = { es: "Silla", en: "Child seat" };

test("keeps the agreed name if the company has no translation", () => {
  expect(translateName({ en: "Airport" }, "en", "Aeropuerto")).toBe("Airport");
  expect(translateName({ en: "Airport" }, "nl", "Aeropuerto")).toBe("Aeropuerto");
  expect(translateName(undefined, "en", "Hotel Sol")).toBe("Hotel Sol");
});

test("translates an extra's name and keeps the text that staff added to the name", () => {
  expect(translateExtraName(SEAT, "en", "Silla")).toBe("Child seat");
  expect(translateExtraName(SEAT, "en", "Silla: rota")).toBe("Child seat: rota");
  expect(translateExtraName(SEAT, "en", "Child seat")).toBe("Child seat");
  expect(translateExtraName(SEAT, "en", "Limpieza")).toBe("Limpieza");
  expect(translateExtraName(SEAT, "nl", "Silla")).toBe("Silla");
});

test("returns the same object, without a copy, if a name has a translation in every platform language", () => {
  const complete = {
    en: "Airport",
    de: "Flughafen",
    fr: "Aéroport",
    it: "Aeroporto",
    pt: "Aeroporto",
    nl: "Luchthaven",
  };
  expect(addEnglishToMissingLanguages(complete, "es")).toBe(complete);
});

test("fills a missing translation with the English name, but never in the company's own language", () => {
  const names = addEnglishToMissingLanguages({ en: "Airport", de: "Flughafen" }, "es");
  expect(translateName(names, "de", "Aeropuerto")).toBe("Flughafen");
  expect(translateName(names, "fr", "Aeropuerto")).toBe("Airport");
  expect(translateName(names, "es", "Aeropuerto")).toBe("Aeropuerto");
  expect(translateName(names, "ca", "Aeropuerto")).toBe("Aeropuerto");
  expect(translateName(addEnglishToMissingLanguages({ en: "Airport" }, "de"), "ca", "Flughafen")).toBe("Airport");
  expect(translateName(names, "pl", "Aeropuerto")).toBe("Aeropuerto");
  expect(translateName(addEnglishToMissingLanguages({ de: "Flughafen" }, "es"), "fr", "Aeropuerto")).toBe("Aeropuerto");
  expect(translateName(addEnglishToMissingLanguages({ de: "Flughafen" }, "en"), "fr", "Airport")).toBe("Airport");
});

test("recognises an extra by its longest name, and never by an empty one", () => {
  const names = { es: "Silla bebé", en: "Silla", de: "Babysitz", fr: "" };
  expect(translateExtraName(names, "de", "Silla bebé: rota")).toBe("Babysitz: rota");
  expect(translateExtraName({ en: "Silla", es: "Silla bebé", de: "Babysitz" }, "de", "Silla bebé: rota")).toBe(
    "Babysitz: rota",
  );
  expect(translateExtraName(names, "de", "Limpieza")).toBe("Limpieza");
  expect(translateExtraName(undefined, "de", "Limpieza")).toBe("Limpieza");
});
