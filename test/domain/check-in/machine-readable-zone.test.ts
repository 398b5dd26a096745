import { describe, expect, test } from "vitest";
import { readMachineReadableZone } from "#domain/check-in/machine-readable-zone.ts";
import type { CivilDate } from "#domain/dates.ts";

const TODAY = "2026-11-22" as CivilDate;

// The specimens of ICAO 9303.
const PASSPORT = ["P<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<<<<<<<<<", "L898902C36UTO7408122F1204159ZE184226B<<<<<10"];
const CARD = ["I<UTOD231458907<<<<<<<<<<<<<<<", "7408122F1204159UTO<<<<<<<<<<<6", "ERIKSSON<<ANNA<MARIA<<<<<<<<<<"];
const LARGE_CARD = ["I<UTOERIKSSON<<ANNA<MARIA<<<<<<<<<<<", "D231458907UTO7408122F1204159<<<<<<<6"];
const SPANISH = ["IDESPBAA000589599999999R<<<<<<", "8001014F2506012ESP<<<<<<<<<<<7", "ESPANOLA<ESPANOLA<<CARMEN<<<<<"];

const ANNA = { surname: "ERIKSSON", name: "ANNA MARIA", dateOfBirth: "1974-08-12", expires: "2012-04-15" };

describe("the machine-readable zone", () => {
  test.each([
    ["a passport", PASSPORT, { kind: "passport", documentId: "L898902C3" }],
    ["a card of three lines", CARD, { kind: "card", documentId: "D23145890" }],
    ["a card of two lines", LARGE_CARD, { kind: "card", documentId: "D23145890" }],
  ])("reads the document holder's data from the machine-readable zone of %s", (_what, lines, expectedData) => {
    expect(readMachineReadableZone(lines.join("\n"), TODAY)).toEqual({ ok: true, value: { ...ANNA, ...expectedData } });
  });

  test("reads the person's number from the machine-readable zone of a Spanish card, not the card's number", () => {
    expect(readMachineReadableZone(SPANISH.join("\n"), TODAY)).toMatchObject({
      value: { documentId: "99999999R", surname: "ESPANOLA ESPANOLA", name: "CARMEN" },
    });
  });

  test("reads a machine-readable zone with lower case, spaces, one line, other brackets and letters for digits", () => {
    const [first = "", second = ""] = PASSPORT;
    const misread = `${first.toLowerCase().replaceAll("<<", "«")}  ${second.replace("7408122", "74O8I22")}`;
    expect(readMachineReadableZone(misread, TODAY)).toMatchObject({ ok: true, value: ANNA });
  });

  test.each([
    ["the document's check digit", PASSPORT, "L898902C36", "L898902C3G"],
    ["the last check digit", PASSPORT, "<<10", "<<1O"],
    ["the birth date's check digit", PASSPORT, "7408122", "740812Z"],
    ["the first digit of the birth date", SPANISH, "8001014", "B001014"],
    ["first and check digit of the expiry date", SPANISH, "2506012", "Z50601Z"],
  ])("corrects a letter that was read for a digit in the machine-readable zone: %s", (_, lines, digits, misread) => {
    const text = lines.join("\n");
    expect(text).toContain(digits);
    expect(readMachineReadableZone(text.replace(digits, misread), TODAY)).toEqual(readMachineReadableZone(text, TODAY));
  });

  test.each([
    ["document", PASSPORT.join("\n").replace("L898902C36", "L898902C46")],
    ["birth", PASSPORT.join("\n").replace("7408122", "7408132")],
    ["expiry", PASSPORT.join("\n").replace("1204159", "1204169")],
    ["whole", PASSPORT.join("\n").replace("ZE184226B", "ZE184236B")],
  ])("rejects a machine-readable zone with a wrong %s, naming the part", (part, text) => {
    expect(readMachineReadableZone(text, TODAY)).toEqual({ ok: false, error: { kind: "wrong", parts: [part] } });
  });

  test.each(["", "12345678Z", "P<UTO", CARD.slice(0, 2).join("\n"), "X".repeat(88)])(
    "finds no machine-readable zone in %j",
    (text) => {
      expect(readMachineReadableZone(text, TODAY)).toEqual({ ok: false, error: { kind: "none" } });
    },
  );

  test("reads the birth year from two digits in the correct century for people born after 2000", () => {
    const lines = [
      "I<UTOD231458907<<<<<<<<<<<<<<<",
      "0503040F3004157UTO<<<<<<<<<<<4",
      "ERIKSSON<<ANNA<<<<<<<<<<<<<<<<",
    ];
    const read = readMachineReadableZone(lines.join("\n"), TODAY);
    expect(read).toMatchObject({ ok: true, value: { dateOfBirth: "2005-03-04", expires: "2030-04-15" } });
  });
});
