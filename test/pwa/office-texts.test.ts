import "./page.ts";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { CONSENT_SOURCES } from "#domain/access/consent.ts";
import { SECURITY_EVENTS } from "#domain/access/security-events.ts";
import type { ResourceField } from "#domain/catalogue/resources/fields.ts";
import { RESOURCES } from "#domain/catalogue/resources/resources.ts";
import { SETUP_STEPS } from "#domain/catalogue/setup.ts";
import { PHOTO_VIEWS } from "#domain/check-in/codes.ts";
import { DAMAGE_KINDS, DAMAGE_SEVERITIES, VEHICLE_PARTS } from "#domain/contracts/damage.ts";
import { CHARGE_KINDS, PAYMENT_METHODS } from "#domain/payments/charges.ts";
import { GATEWAY_TEST_CODES } from "#domain/payments/gateway-test.ts";
import { CHAIN_FAULT_KINDS } from "#domain/tax-records/audit.ts";
import type { WebhookUrlProblem } from "#domain/webhooks/address.ts";
import { LANGUAGES } from "#shared/i18n.ts";
import { RETENTION_TASKS } from "#worker/store/operations/retention.ts";
import { bookingHistory } from "#worker/store/schema/bookings.ts";
import { customerHistory } from "#worker/store/schema/people.ts";
import { quoteHistory } from "#worker/store/schema/quotes.ts";
import { vehicleHistory } from "#worker/store/schema/vehicles.ts";
import { getKeyValueFieldLabel, translateOption } from "../../pwa/office/src/desk/names.ts";
import law from "../../pwa/office/src/i18n/authorities/en.ts";
import desk from "../../pwa/office/src/i18n/desk/en.ts";
import office from "../../pwa/office/src/i18n/en.ts";
import help from "../../pwa/office/src/i18n/help/en.ts";
import back from "../../pwa/office/src/i18n/records/en.ts";
import selling from "../../pwa/office/src/i18n/selling/en.ts";
import tax from "../../pwa/office/src/i18n/tax/en.ts";
import { loadTexts, tOr } from "../../pwa/office/src/texts.ts";

const isTranslated = (key: string) => tOr(key, "") !== "";

/** All fields of lists and forms, including nested ones. */
const fields = RESOURCES.flatMap(({ name, fields: own }) =>
  own.flatMap((field): readonly (readonly [string, ResourceField])[] => [
    [name, field],
    ...(field.kind === "rows" ? field.fields.map((inner) => [name, inner] as const) : []),
  ]),
);

const WEBHOOK_URL_PROBLEMS: Readonly<Record<WebhookUrlProblem, true>> = {
  ...{ not_an_address: true, not_https: true, has_credentials: true, private_address: true, port: true },
};
/** Problems of a webhook delivery without a response. */
const DELIVERY_PROBLEMS = ["timeout", "unreachable", "unknown_name"];
/** Problems of refunds and card holds that the platform stores itself. */
const GATEWAY_PROBLEMS = ["no_answer", "gateway_closed"];

// API terms and date formats are the same in every language.
const SELF_EXPLANATORY = /^(?:[a-z_]+\.[a-z_*]+|[DMY./-]+)$/;

describe.each(LANGUAGES)("translations in %s", (language) => {
  // Proves "office.md: lists and forms": Every field has its name, its choices and its sentence in four languages
  test("has a label for every form field and choice, and a text for every list and step", async () => {
    await loadTexts(language);
    const choices = fields.flatMap(([, field]) => ("options" in field && field.options ? field.options : []));
    const expectedKeys = [
      ...fields.map(([, { name }]) => `field.${name}`),
      ...choices.filter((choice) => !SELF_EXPLANATORY.test(choice)).map((choice) => `option.${choice}`),
      ...RESOURCES.flatMap(({ name }) => [`list.${name}`, `about.${name}`]),
      ...RESOURCES.filter((resource) => !("isSingle" in resource)).map(({ name }) => `new.${name}`),
      ...SETUP_STEPS.flatMap((name) => [`step.${name}`, `stepAbout.${name}`]),
    ];
    expect([...new Set(expectedKeys)].filter((key) => !isTranslated(key))).toEqual([]);
  });

  test("has names for all hand-over checks, their modes and all accounting accounts", async () => {
    await loadTexts(language);
    document.documentElement.lang = language;
    const limited = fields.flatMap(([, field]) => (field.kind === "record" && field.names ? [field] : []));
    expect(limited.map(({ name }) => name)).toEqual(["handover_checks", "accounts"]);
    const raw = limited.flatMap(({ name, names = [], options = [] }) => [
      ...names.filter((entry) => getKeyValueFieldLabel(entry) === entry),
      ...options.filter((option) => translateOption(name, option) === option),
    ]);
    expect(raw).toEqual([]);
  });

  test("has a text for every kind of history event, payment method, fault and other enumeration on the pages", async () => {
    await loadTexts(language);
    const histories = [bookingHistory, customerHistory, vehicleHistory, quoteHistory];
    const expectedKeys = [
      ...histories.flatMap(({ event }) => event.enumValues.map((name) => `event.${name}`)),
      ...SECURITY_EVENTS.map((name) => `event.${name}`),
      ...CONSENT_SOURCES.map((name) => `door.${name}`),
      ...PAYMENT_METHODS.map((name) => `method.${name}`),
      ...CHARGE_KINDS.map((name) => `moneyKind.${name}`),
      ...CHAIN_FAULT_KINDS.map((name) => `taxFault.${name}`),
      ...VEHICLE_PARTS.map((name) => `vehiclePart.${name}`),
      ...DAMAGE_KINDS.map((name) => `damage.${name}`),
      ...DAMAGE_SEVERITIES.map((name) => `severity.${name}`),
      ...PHOTO_VIEWS.map((name) => `view.${name}`),
      ...RETENTION_TASKS.map(({ kind }) => `kept.${kind}`),
      ...[...Object.keys(WEBHOOK_URL_PROBLEMS), ...DELIVERY_PROBLEMS].map((code) => `webhookProblem.${code}`),
      ...GATEWAY_TEST_CODES.map((code) => `gateway.${code}`),
      ...GATEWAY_PROBLEMS.flatMap((code) => [`refundWhy.${code}`, `cardHoldWhy.${code}`]),
    ];
    expect(expectedKeys.filter((key) => !isTranslated(key))).toEqual([]);
  });

  test("has an explanation of every form field that the API describes as needing one", async () => {
    await loadTexts(language);
    const explained = RESOURCES.flatMap(({ name, fields: own }) =>
      own.filter(({ about }) => about).map((field) => [`hint.${name}.${field.name}`, `hint.${field.name}`] as const),
    );
    expect(explained.filter(([own, common]) => !isTranslated(own) && !isTranslated(common))).toEqual([]);
  });
});

test("defines each text in one table only, because a later one would replace the other", () => {
  const keys = [office, desk, back, help, tax, law, selling].flatMap((table) => Object.keys(table));
  expect(keys.filter((key, index) => keys.indexOf(key) !== index)).toEqual([]);
});

const SOURCES = "pwa/office/src";

/** Returns the names of the parameters that a text contains, for example `limit` of `later than {limit}`. */
const listPlaceholders = (text: string) => [...text.matchAll(/\{(\w+)/g)].map(([, name]) => name);

test("passes to a text of the office only parameters that the text contains as placeholders", async () => {
  await loadTexts("en");
  const sources = readdirSync(SOURCES, { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path));
  const calls = sources.flatMap((path) => [
    ...readFileSync(join(SOURCES, path), "utf8").matchAll(/\bt\(\s*"([\w.]+)",\s*\{([^{}]*)\}/g),
  ]);
  const unknown = calls.flatMap(([, key = "", parameters = ""]) => {
    const names = [...parameters.matchAll(/(?:^|,)\s*(\w+)\s*(?=[:,]|$)/g)].map(([, name]) => name);
    const placeholders = listPlaceholders(tOr(key, ""));
    return names.filter((name) => !placeholders.includes(name)).map((name) => `${key}: ${name}`);
  });
  expect(calls.length).toBeGreaterThan(50);
  expect(unknown).toEqual([]);
});
