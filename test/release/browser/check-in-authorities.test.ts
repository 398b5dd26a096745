import { expect, inject, test } from "vitest";
import { createBooking, createUnit, createVehicle } from "#support/check-in/day.ts";
import type { CheckInServer } from "#support/check-in/server.ts";
import { getTodayAtCompany } from "#support/company-today.ts";
import { expectAccessible, goToNextStep, saveCheckInScreenshot } from "../../browser/phone.ts";
import { useCheckInDevices } from "../../browser/phones.ts";

const authorities = {
  missing: [
    ...["representative_name", "representative_surname", "representative_document_id", "customer_address[zip]"],
    ...["additional_driver_2_surname", "additional_driver_2_driving_license_expiration_date"],
  ],
  wished: ["driver_origin_country"],
};

function withCompany(server: CheckInServer): void {
  const vehicle = createVehicle(1, { category_code: "ECON" });
  server.vehicles.set(vehicle.reference, vehicle);
  server.bookings.set(
    1,
    createBooking(1, getTodayAtCompany(), { authorities, resources: [createUnit(1, { vehicle })] }),
  );
}

const phones = useCheckInDevices(withCompany);

const TRANSLATED_TEXTS = [
  [
    "de",
    "dark",
    "Für die Behörden",
    "Wer für die Firma des Kunden unterschreibt: Nachname",
    "Dritter Fahrer: Nachname",
  ],
  [
    "es",
    "light",
    "Para las autoridades",
    "Quien firma por la empresa del cliente: primer apellido",
    "Tercer conductor: primer apellido",
  ],
] as const;

// In step order: documents come before the signature. One language in the gate, all in a release.
// Proves "security, privacy and operation": The app asks for it at the vehicle
test.each(inject("isThorough") ? TRANSLATED_TEXTS : TRANSLATED_TEXTS.slice(0, 1))(
  "asks for missing authorities' data at the vehicle in %s",
  async (language, colorScheme, title, acting, third) => {
    const prepare = (page: { addInitScript: (script: { content: string }) => Promise<unknown> }) =>
      page.addInitScript({ content: `localStorage.setItem("checkin.language", "${language}")` });
    const page = await phones.start({ colorScheme, prepare });
    await phones.open(page, "booking/1", ".legs");
    await goToNextStep(page);
    await page.click(".steps a >> nth=6");
    const card = page.locator("details.documents", { hasText: title });
    await card.waitFor();
    await card.scrollIntoViewIfNeeded();
    await card.getByLabel(third, { exact: true }).waitFor();
    await expectAccessible(page, `authorities-${language}`);
    await saveCheckInScreenshot(page, `authorities-${language}-${colorScheme}`);
    await card.getByLabel(acting, { exact: true }).fill("Puig Mas");
    await card.locator("[name=driver_origin_country]").selectOption("GB");
    await card.locator("summary", { hasText: /5/ }).waitFor();
    expect(await card.locator("input, select").count()).toBe(authorities.missing.length + authorities.wished.length);
  },
);
