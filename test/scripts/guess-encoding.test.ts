import { execFileSync } from "node:child_process";
import { describe, expect, test } from "vitest";
import { decodeImportFile } from "#worker/imports/decode.ts";
import { describeFileFormat } from "#worker/imports/file-format.ts";

// Encoded by independent tables, not those of the decoder.
const ICONV = { "windows-1252": "CP1252", ibm850: "CP850", ibm437: "CP437", macintosh: "MACINTOSH" } as const;
const encode = (text: string, encoding: keyof typeof ICONV) =>
  Uint8Array.from(execFileSync("iconv", ["-f", "UTF-8", "-t", ICONV[encoding]], { input: text }));

const texts = {
  Spanish: "nombre;calle\r\nJosé Muñoz Ibáñez;Avenida de la Constitución, 3\r\nBegoña Güell;Plaça d'Espanya\r\n",
  Catalan: "nom;carrer\r\nNúria Sòria i Vallès;Carrer de l'Església\r\nLluïsa Camí;Passeig Marítim, Sant Lluís\r\n",
  German: "Name;Straße\r\nJörg Müller;Königstraße 5\r\nÖzlem Günther;Große Gärten\r\n",
  capitals: "NOMBRE\r\nJOSÉ MUÑOZ\r\nBEGOÑA GÜELL\r\n",
};

describe.each(Object.keys(ICONV) as (keyof typeof ICONV)[])("a file in %s", (encoding) => {
  test.each(Object.entries(texts))("decodes a file with %s without being told the encoding", (_, text) => {
    // Code page 437 has no capitals with an acute accent except É.
    expect(decodeImportFile(encode(text, encoding)).text).toBe(text);
  });

  test("decodes a file by the encoding that the user specifies", () => {
    expect(decodeImportFile(encode("Ñ", encoding), encoding)).toMatchObject({ text: "Ñ", encoding, doubts: [] });
  });
});

test("returns the detected encoding, and the alternatives if several are equally likely", () => {
  // A single byte: é in Windows between spaces is a capital Ú in DOS.
  const { encoding, doubts } = decodeImportFile(Uint8Array.of(0x20, 0xe9, 0x20));
  const readings = [
    { encoding: "windows-1252", example: "é" },
    { encoding: "ibm850", example: "Ú" },
    { encoding: "macintosh", example: "È" },
  ];
  expect([encoding, doubts]).toEqual(["windows-1252", readings]);
  const style = { encoding, doubts, separator: ";", decimal: ",", dates: "day" } as const;
  expect(describeFileFormat(style)).toContain(
    'windows-1252 ("é") or ibm850 ("Ú") or macintosh ("È") (--encoding says which), ',
  );
  expect(decodeImportFile(encode(texts.Spanish, "windows-1252")).doubts).toEqual([]);
});

test("treats DOS code pages that encode a text identically as one, without listing alternatives", () => {
  const { text, doubts } = decodeImportFile(encode(texts.Spanish, "ibm437"));
  expect([text, doubts]).toEqual([texts.Spanish, []]);
});

test("shows an excerpt of the text that differs between possible encodings, wherever it is in the file", () => {
  const name = [...Array.from({ length: 30 }, () => 0x61), 0x20, 0xe9, 0x20, ...Array.from({ length: 30 }, () => 0x62)];
  const head = [...new TextEncoder().encode("name;note\r\n")];
  const many = Array.from({ length: 200 }, () => [...new TextEncoder().encode("Ana;nothing\r\n")]).flat();
  const { doubts } = decodeImportFile(Uint8Array.from([...head, ...many, ...name, 0x3b, 0x78]));
  expect(doubts.map(({ example }) => example)).toEqual(
    ["é", "Ú", "È"].map((letter) => `${"a".repeat(19)} ${letter} ${"b".repeat(18)}`),
  );
});
