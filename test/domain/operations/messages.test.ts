import { describe, expect, test } from "vitest";
import { PLATFORM_LANGUAGES } from "#domain/catalogue/languages.ts";
import { MESSAGE_TEMPLATES } from "#domain/operations/message-text.ts";
import {
  fillPlaceholders,
  getDefaultMessageTemplate,
  getMessageStatus,
  isMailValidForStatus,
} from "#domain/operations/messages.ts";

const FACTS = {
  ...{ name: "Ana", number: "41", company: "Acme", vehicle: "Small" },
  ...{ pickup: "10/06/2030 10:00, Airport", return: "13/06/2030 10:00, Airport" },
};

describe("placeholders of a message", () => {
  test("fills the placeholders of a message once, and leaves unknown ones unchanged", () => {
    expect(fillPlaceholders("Hello {name}, {number} {unknown}", { ...FACTS, name: "{number}" })).toBe(
      "Hello {number}, 41 {unknown}",
    );
  });

  test("leaves no double space in a message for an empty value", () => {
    expect(fillPlaceholders("Hola, {name}:", { ...FACTS, name: "" })).toBe("Hola:");
    expect(fillPlaceholders("Hello {name},", { ...FACTS, name: "" })).toBe("Hello,");
  });

  test.each(PLATFORM_LANGUAGES)("fills all placeholders of the message templates in %s", (language) => {
    for (const [id, isTransfer] of MESSAGE_TEMPLATES.flatMap((id) => [[id, false] as const, [id, true] as const])) {
      const { subject, text } = getDefaultMessageTemplate(id, language, { isTransfer });
      expect(fillPlaceholders(`${subject}\n${text}`, FACTS)).not.toMatch(/[{}]/);
    }
  });

  test.each(PLATFORM_LANGUAGES)("asks transfer customers for no driving licence or return in %s", (language) => {
    const RENTAL_WORDS =
      /\{return\}|licence|permiso|permís|führerschein|permis |patente|condução|rijbewijs|rent|alquil|llog|miet|lou[ée]|noleggi|alug|huren|gehuurd/i;
    for (const id of MESSAGE_TEMPLATES) {
      const { subject, text } = getDefaultMessageTemplate(id, language, { isTransfer: true });
      expect(`${subject}\n${text}`).not.toMatch(RENTAL_WORDS);
    }
  });
});

test("reports a customer's mail as queued, sent or failed", () => {
  expect(getMessageStatus({ sentAt: null, uselessAt: 10 }, 5)).toBe("queued");
  expect(getMessageStatus({ sentAt: 4, uselessAt: 10 }, 5)).toBe("sent");
  expect(getMessageStatus({ sentAt: null, uselessAt: 4 }, 5)).toBe("failed");
});

test.each([
  ["confirmed", "cancelled", false],
  ["confirmed", "done", true],
  ["reminder", "in_progress", false],
  ["cancelled", "confirmed", false],
  ["invoiced", "done", true],
  ["message", "cancelled", true],
] as const)("decides whether the mail %s of a reservation that is %s may be resent: %j", (kind, status, isCurrent) => {
  expect(isMailValidForStatus(kind, status)).toBe(isCurrent);
});
