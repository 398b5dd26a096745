import { expect, test } from "vitest";
import { createBooking, createUnit, createVehicle } from "#support/check-in/day.ts";
import { getTodayAtCompany } from "#support/company-today.ts";
import {
  expectAccessible,
  finishHandOver,
  goToNextStep,
  readStatus,
  saveCheckInScreenshot,
  takePhotos,
  waitUntilAllSynced,
} from "../../browser/phone.ts";
import { useRestartableCheckInApp } from "../../browser/use-shift.ts";

const shift = useRestartableCheckInApp();

// Proves "check-in.md": T18
test("exchanges a damaged vehicle offline once, although the app is killed twice", async () => {
  const { server } = shift;
  const today = getTodayAtCompany();
  const delivery = { at: `${today}T00:00:00.000Z`, by: "Ana", kilometres: 10_000, fuel_eighths: 8 };
  const vehicle = createVehicle(2, { state: "out" });
  server.vehicles.set("V0002", vehicle);
  server.vehicles.set("V0008", createVehicle(8));
  const resources = [createUnit(2, { state: "out", vehicle, delivery })];
  server.bookings.set(2, createBooking(2, today, { status: "in_progress", date_to: "2099-01-01", resources }));
  await shift.start();
  await shift.context.setOffline(true);
  await shift.open(2);
  await shift.page.click("button:has-text('Exchange the vehicle')");
  await shift.page.fill("[name=kilometres]", "10200");
  await shift.page.click(".fuel .options label >> nth=4");
  await shift.page.click(".steps a >> nth=1");
  await shift.page.waitForSelector(".shots");
  await takePhotos(shift.page, 1);
  await shift.page.click(".steps a >> nth=2");
  await shift.page.click(".diagram [role=button] >> nth=8");
  await shift.page.waitForSelector("[name=damage-kind]", { state: "attached" });
  await goToNextStep(shift.page);
  await shift.page.waitForSelector("ol.plain .entry");
  await shift.kill();

  await shift.restart();
  await shift.context.setOffline(true);
  await shift.open(2);
  await shift.page.click("button:has-text('Continue the exchange')");
  await shift.page.waitForSelector("ol.plain .entry:has-text('Scratch')");
  await goToNextStep(shift.page);
  await shift.page.click(".exchange .entry:has-text('1008')");
  await shift.page.fill("[name=kilometres-out]", "10010");
  await shift.page.selectOption("[name=fuel-out]", "8");
  await expectAccessible(shift.page, "exchange-offline");
  await saveCheckInScreenshot(shift.page, "exchange-offline-en");
  await goToNextStep(shift.page);
  await shift.page.waitForSelector("h1:has-text('Photos, new vehicle')");
  await shift.page.click(".action .other");
  await shift.page.waitForSelector("h1:has-text('Damage, new vehicle')");
  await goToNextStep(shift.page);
  await shift.page.waitForSelector("h1:has-text('Payment')");
  await goToNextStep(shift.page);
  await shift.page.waitForSelector("h1:has-text('Signature')");
  await shift.page.click(".action .other");
  await shift.page.waitForSelector(".review .entry:has-text('1008 KLM')");
  await saveCheckInScreenshot(shift.page, "exchange-review-en");
  await finishHandOver(shift.page);
  await shift.page.waitForSelector(".item");
  expect(await readStatus(shift.page)).toContain("Offline · 1 to sync");
  await shift.page.waitForSelector(".card:has-text('1008 KLM')");
  await saveCheckInScreenshot(shift.page, "exchange-waits-en");
  expect(server.operations.size).toBe(0);
  await shift.kill();

  await shift.restart();
  await shift.open(2);
  await waitUntilAllSynced(shift.page);
  await shift.page.waitForSelector(".card:has-text('1008 KLM')");
  await saveCheckInScreenshot(shift.page, "exchange-received-en");
  const storedOperations = [...server.operations.values()].map(({ operation }) => operation);
  expect(storedOperations).toMatchObject([
    {
      ...{ kind: "exchange", vehicle_reference: "V0002", kilometres: 10_200, fuel_eighths: 4 },
      damages: [{ kind: "scratch" }],
      exchange: { vehicle_reference: "V0008", kilometres: 10_010, fuel_eighths: 8 },
    },
  ]);
  expect([...server.applications.values()]).toEqual([1]);
  expect(server.files.size).toBe(1);
  expect(server.bookings.get(2)?.resources[0]?.vehicle?.reference).toBe("V0008");
}, 120_000);
