import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PLATFORM_LANGUAGES } from "#domain/catalogue/languages.ts";
import type { CivilDate } from "#domain/dates.ts";
import { hasContractTextFormat, parseContractBlocks } from "#domain/printing/contract-blocks.ts";
import { writeContractText, writeReturnRecord } from "#domain/printing/contract-text.ts";
import { getContractTexts } from "#domain/printing/contract-texts/index.ts";
import { type ContractTextSignature, createContractPrintout } from "#domain/printing/contracts.ts";
import { createContractTextData } from "#support/contract-facts.ts";
import { createPrintContext } from "#support/printouts.ts";

const texts = getContractTexts("de");
const RETURNED_CONTRACT = {
  ...createContractTextData(),
  agreed: createContractTextData().period,
  returned: { date: "2026-07-04" as CivilDate, time: "18:05", place: "Hafen Alcúdia" },
};
const createDent = (note: string) =>
  ({ part: "roof", kind: "dent", severity: "light", x: 1, y: 2, note, isNew: true }) as const;
const readBlocks = (text: string) => parseContractBlocks(text, texts);

describe("the text of a contract", () => {
  test("formats English dates as the company's country does", () => {
    const inEnglish = (country: string) => writeContractText(createContractTextData({ language: "en", country }));
    expect(inEnglish("US")).toContain("Jun 30, 2026");
    expect(inEnglish("US")).toContain("Feb 3, 1980");
    expect(inEnglish("ES")).toContain("30 Jun 2026");
    expect(inEnglish("US").replace(/([A-Z][a-z]{2}) (\d+), (\d{4})/g, "$2 $1 $3")).toBe(inEnglish("ES"));
  });

  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": Parties, vehicle, times and prices in the
  //   customer's language
  test("contains people, vehicle, dates and price in the customer's language", () => {
    const text = writeContractText(createContractTextData());
    for (const line of [
      "# Mietvertrag 1042",
      "Łukasz Żółkiewski",
      "Übergabe\t30.06.2026 10:00, Flughafen Palma",
      "Kindersitz\t2\t30,00\u00a0€",
      "=\tGesamtbetrag\t205,00\u00a0€",
      "=\tNoch zu zahlen\t105,00\u00a0€",
      "=\tKaution\t300,00\u00a0€",
      "Kilometerstand\t41.200",
      "Kraftstoff\t8/8",
      "(1)\tKratzer, Motorhaube, Leicht, 2 cm\t480,150",
      "[2]\tDelle, Tür hinten links, Mittel (neu)\t150,550",
      "## 1. Gebrauch",
    ])
      expect(text.split("\n")).toContain(line);
  });

  test("writes the battery level of an electric vehicle in percent, and names no fuel in its contract and return", () => {
    const vehicle = { name: "Fiat 500e", plate: "1234 KLM", isElectric: true };
    const contract = writeContractText(createContractTextData({ vehicle }));
    expect(contract.split("\n")).toContain("Ladestand\t100 %");
    expect(contract).toContain("Jedes fehlende Achtel Ladung\t");
    const back = { kilometres: 42_100, fuelEighths: 6 };
    const closing = { extraDaysCents: 0, fuelCents: 2400, kilometresCents: 0 };
    const earlier = { kilometres: 0, missingEighths: 0 };
    const record = writeReturnRecord({ ...RETURNED_CONTRACT, vehicle, back, earlier, closing });
    expect(record.split("\n")).toContain("Ladestand\t75 %");
    expect(record).toContain("Fehlende Ladung (Achtel)\t2\t24,00\u00a0€");
    expect(`${contract}${record}`).not.toContain("Kraftstoff");
  });

  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": Changes after the signature make another
  //   text
  test("writes a different contract text if a price, reading, damage, condition or language differs", () => {
    const { prices } = createContractTextData();
    const changed = [
      createContractTextData({ prices: { ...prices, depositCents: 30_001 } }),
      createContractTextData({ out: { kilometres: 41_201, fuelEighths: 8 } }),
      createContractTextData({ damages: [] }),
      createContractTextData({ terms: "Andere." }),
      createContractTextData({ language: "ca" }),
    ].map(writeContractText);
    expect(new Set([writeContractText(createContractTextData()), ...changed]).size).toBe(changed.length + 1);
  });

  test("prints driven kilometres and charges of a return, and omits empty parts", () => {
    const back = { kilometres: 42_100, fuelEighths: 6 };
    const closing = { extraDaysCents: 0, fuelCents: 2400, kilometresCents: 1000 };
    const earlier = { kilometres: 0, missingEighths: 0 };
    const text = writeReturnRecord({ ...RETURNED_CONTRACT, back, earlier, closing });
    expect(text).toContain("Gefahrene Kilometer\t900");
    expect(text).toContain("Kraftstoff\t2\t24,00\u00a0€");
    // Two tax rates.
    expect(text).toContain("Mehrkilometer\t1\t10,00\u00a0€");
    expect(text).toContain("=\tGesamtbetrag\t34,00\u00a0€");
    const nothing = { extraDaysCents: 0, fuelCents: 0, kilometresCents: 0 };
    const free = writeReturnRecord({ ...RETURNED_CONTRACT, back, earlier, closing: nothing });
    expect(free).not.toContain("Gesamtbetrag");
    expect(free).not.toContain("getauscht");
  });

  test("prints the agreed and the actual return time and the return place", () => {
    const nothing = { extraDaysCents: 0, fuelCents: 0, kilometresCents: 0 };
    const back = { kilometres: 41_300, fuelEighths: 8 };
    const lines = writeReturnRecord({
      ...RETURNED_CONTRACT,
      back,
      earlier: { kilometres: 0, missingEighths: 0 },
      closing: nothing,
    });
    const heading = lines.split("\n").indexOf("## Rückgabe");
    expect(lines.split("\n").slice(heading + 1, heading + 3)).toEqual([
      "Vereinbarte Rückgabe\t03.07.2026 10:00",
      "Zurückgegeben am\t04.07.2026 18:05, Hafen Alcúdia",
    ]);
  });

  test("lists kilometres and missing fuel or charge of previously exchanged vehicles in a return", () => {
    const back = { kilometres: 41_300, fuelEighths: 8 };
    const closing = { extraDaysCents: 0, fuelCents: 1900, kilometresCents: 40_000 };
    const text = writeReturnRecord({
      ...RETURNED_CONTRACT,
      back,
      earlier: { kilometres: 2500, missingEighths: 2 },
      closing,
    });
    expect(text).toContain("Gefahrene Kilometer\t100");
    expect(text).toContain("Kilometer der vorher getauschten Fahrzeuge\t2.500");
    expect(text).toContain("Fehlender Kraftstoff oder fehlende Ladung vorher getauschter Fahrzeuge\t2/8");
  });

  test("lists the missing charge of an exchanged electric vehicle in eighths, as its cost is counted", () => {
    const text = writeReturnRecord({
      ...RETURNED_CONTRACT,
      vehicle: { name: "Fiat 500e", plate: "1234 KLM", isElectric: true },
      back: { kilometres: 41_300, fuelEighths: 5 },
      earlier: { kilometres: 0, missingEighths: 1 },
      closing: { extraDaysCents: 0, fuelCents: 4800, kilometresCents: 0 },
    });
    expect(text.split("\n")).toEqual(
      expect.arrayContaining([
        "Ladestand\t63 %",
        "Fehlender Kraftstoff oder fehlende Ladung vorher getauschter Fahrzeuge\t1/8",
        "Fehlende Ladung (Achtel)\t4\t48,00\u00a0€",
      ]),
    );
  });

  test("escapes names and notes in a contract text, so that they add no line, cell or heading", () => {
    const tricky = fc.string({ unit: fc.constantFrom("#", " ", "\t", "\n", "=", "(1)", "a", "\u2028"), maxLength: 12 });
    fc.assert(
      fc.property(tricky, tricky, fc.constantFrom(...PLATFORM_LANGUAGES), (customerName, note, language) => {
        const createText = (name: string, texts: string) =>
          writeContractText(createContractTextData({ language, customerName: name, damages: [createDent(texts)] }));
        const [plain, text] = [createText("a", "a"), createText(customerName, note)];
        expect(hasContractTextFormat(text)).toBe(true);
        const kinds = (text: string) => parseContractBlocks(text, getContractTexts(language)).map(({ kind }) => kind);
        const isBlank = customerName.replace(/[#\s]/gu, "") === "";
        expect(kinds(text).filter((kind) => !isBlank || kind !== "paragraph")).toEqual(
          kinds(plain).filter((kind) => !isBlank || kind !== "paragraph"),
        );
      }),
    );
  });

  test("recognizes a complete contract text, and rejects a page, an image or a partial text", () => {
    const text = writeContractText(createContractTextData());
    expect(hasContractTextFormat(text)).toBe(true);
    for (const other of ["", "<html>\n", text.slice(0, -1), text.slice(2), `${text}\u0000\n`, `${text}a\tb\tc\td\n`])
      expect(hasContractTextFormat(other)).toBe(false);
  });
});

describe("a contract that is shown", () => {
  test("shows the discount on a separate line of the contract", () => {
    const { prices } = createContractTextData();
    const lines = writeContractText(
      createContractTextData({ prices: { ...prices, itemCents: 16_500, discountCents: 1500 } }),
    );
    expect(lines).toContain(texts.discount);
    expect(lines).toMatch(/-15,00/);
    expect(writeContractText(createContractTextData())).not.toContain(texts.discount);
  });

  test("shows the contract's data, prices, sums, damage with positions, and conditions in small print", () => {
    const blocks = readBlocks(writeContractText(createContractTextData()));
    expect(blocks[0]).toEqual({ kind: "title", text: "Mietvertrag 1042", facts: [] });
    const vehicle = blocks.find(({ kind }) => kind === "vehicle");
    expect(vehicle).toMatchObject({
      marks: [
        { x: 480, y: 150, label: "1", isNew: false },
        { x: 150, y: 550, label: "2", isNew: true },
      ],
      legend: ["1 Kratzer, Motorhaube, Leicht, 2 cm", "2 Delle, Tür hinten links, Mittel (neu)"],
    });
    expect(blocks.slice(-3)).toEqual([
      { kind: "heading", text: texts.conditions, isSmall: false },
      { kind: "heading", text: "1. Gebrauch", isSmall: true },
      { kind: "paragraph", text: "Das Fahrzeug wird sorgsam gebraucht.", isSmall: true },
    ]);
  });

  test("states that a vehicle has no damage, and marks none in its drawing", () => {
    const blocks = readBlocks(writeContractText(createContractTextData({ damages: [] })));
    expect(blocks.find(({ kind }) => kind === "vehicle")).toEqual({
      kind: "vehicle",
      marks: [],
      legend: [texts.noDamage],
    });
  });
});

describe("a contract that is printed", () => {
  const text = writeContractText(createContractTextData());
  const signature: ContractTextSignature = {
    method: "drawn",
    name: "Łukasz Żółkiewski",
    signedAt: "30.06.2026 10:12",
    image: { type: "png", base64: "AA==" },
    hash: "c0ffee",
    isOfText: true,
    reason: undefined,
    author: "Marta Oliver",
  };
  const printed = (changes: Partial<ContractTextSignature> | undefined) => {
    const part = { text, language: "de" as const, signature: changes && { ...signature, ...changes } };
    return createContractPrintout([part], createPrintContext({ language: "es" }), {
      bookingId: 1042,
      at: 0,
      stamp: undefined,
    }).blocks;
  };
  const signaturesIn = (blocks: ReturnType<typeof printed>) =>
    blocks.flatMap((block) => (block.kind === "signatures" ? block.signatures : []));

  test("prints the contract in the language in which it was signed, with the hash of the signed text", () => {
    const blocks = printed({});
    expect(signaturesIn(blocks)[0]).toMatchObject({
      role: texts.signedBy,
      detail: "Unterschrieben am 30.06.2026 10:12",
    });
    expect(blocks.at(-1)).toMatchObject({ kind: "paragraph", text: `${texts.hash}: c0ffee` });
  });

  test("shows whether a signature was drawn, typed or missing because the customer was absent, with the reason", () => {
    expect(signaturesIn(printed({ method: "typed" }))[0]?.detail).toContain(texts.typedName);
    const absent = signaturesIn(printed({ method: "absent", name: "Marta", reason: "Schlüssel im Kasten" }))[0]?.detail;
    expect(absent).toBe(`${texts.absent.replace("{name}", "Marta")}: Schlüssel im Kasten`);
    const dollars = signaturesIn(printed({ method: "absent", name: "Mar$&ta $1" }))[0]?.detail;
    expect(dollars).toContain("Mar$&ta $1");
    expect(signaturesIn(printed(undefined))[0]).toMatchObject({ name: "", detail: "", image: undefined });
  });

  // Proves "Printing: office.md, customer-access.md, check-in.md, rules.md": A part for each vehicle and each return
  test("prints each vehicle and each return on separate pages", () => {
    const part = { text, language: "de" as const, signature: undefined };
    const { blocks } = createContractPrintout([part, part, part], createPrintContext(), {
      bookingId: 1,
      at: 0,
      stamp: "draft",
    });
    expect(blocks.filter(({ kind }) => kind === "newPage")).toHaveLength(2);
  });
});
