import { describe, expect, test } from "vitest";
import { PLATFORM_LANGUAGES } from "#domain/catalogue/languages.ts";
import {
  createMessageLinks,
  findUnknownPlaceholder,
  getCustomOrDefaultTemplate,
  listMessageTemplates,
} from "#domain/operations/message-templates.ts";
import { MESSAGE_TEMPLATES } from "#domain/operations/message-text.ts";
import { getDefaultMessageTemplate } from "#domain/operations/messages.ts";

const OWN = { template: "thank_you", language: "de", subject: "Danke", text: "Bis bald" };

describe("texts of message templates", () => {
  test("uses the company's template texts in its languages, and otherwise the platform's", () => {
    expect(getCustomOrDefaultTemplate("thank_you", "de", [OWN])).toEqual({
      ...{ id: "thank_you", language: "de", subject: "Danke", text: "Bis bald", isOwn: true },
    });
    const platformTemplate = getDefaultMessageTemplate("thank_you", "en");
    expect(getCustomOrDefaultTemplate("thank_you", "en", [OWN])).toEqual({
      id: "thank_you",
      language: "en",
      ...platformTemplate,
      isOwn: false,
    });
    const all = listMessageTemplates([OWN]);
    expect(all).toHaveLength(MESSAGE_TEMPLATES.length * PLATFORM_LANGUAGES.length);
    expect(all.filter(({ isOwn }) => isOwn)).toHaveLength(1);
  });

  test("rejects template texts with unknown placeholders", () => {
    expect(findUnknownPlaceholder({ subject: "{name}", text: "{number} {company}" })).toBeUndefined();
    expect(findUnknownPlaceholder({ subject: "{Name}", text: "" })).toMatchObject({
      ...{ field: "subject", code: "placeholder", params: { name: "{Name}" } },
    });
    expect(findUnknownPlaceholder({ subject: "", text: "{}" })).toMatchObject({ field: "text" });
    for (const { subject, text } of listMessageTemplates([]))
      expect(findUnknownPlaceholder({ subject, text })).toBeUndefined();
  });
});

describe("links that send a message by phone", () => {
  test.each([
    ["34", "600 11 22 33", "34600112233"],
    ["+49", "0171 1234567", "491711234567"],
    [null, "+44 (0)20 7946 0958", "442079460958"],
    ["34", "0033 6 12 34 56 78", "33612345678"],
    ["34", "971 00 00 00 ext. 12", "34971000000"],
  ])("writes the phone number with its country code in a message link: %s %s", (prefix, phone, number) => {
    const links = createMessageLinks(prefix, phone, "Hola & adéu\n#1");
    expect(links).toEqual({
      whatsapp: `https://wa.me/${number}?text=Hola%20%26%20ad%C3%A9u%0A%231`,
      sms: `sms:+${number}?&body=Hola%20%26%20ad%C3%A9u%0A%231`,
    });
  });

  test("returns only an SMS link if the country code is unknown, and no link without a phone number", () => {
    expect(createMessageLinks(null, "600 11 22 33", "Hi")).toEqual({
      ...{ whatsapp: undefined, sms: "sms:600112233?&body=Hi" },
    });
    expect(createMessageLinks("34", null, "Hi")).toEqual({ whatsapp: undefined, sms: undefined });
    expect(createMessageLinks("34", "see my mail", "Hi")).toEqual({ whatsapp: undefined, sms: undefined });
  });
});
