import { expect, test } from "vitest";
import { isKnownAcrissCode } from "#domain/catalogue/acriss.ts";

test.each(["ECMR", "MBMN", "XKEX", "OYDF"])("recognizes every letter of the ACRISS code %s", (code) => {
  expect(isKnownAcrissCode(code)).toBe(true);
});

test.each(["QCMR", "EAMR", "ECXR", "ECMG", "ECM", "ECMRX"])(
  "reports an unknown letter in the ACRISS code %s",
  (code) => {
    expect(isKnownAcrissCode(code)).toBe(false);
  },
);
