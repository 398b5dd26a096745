import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { createBooking, createUnit, createVehicle } from "#support/check-in/day.ts";
import { type CheckInServer, startCheckInServer } from "#support/check-in/server.ts";
import { startCheckInSite } from "#support/check-in-site.ts";
import { getTodayAtCompany } from "#support/company-today.ts";
import { killBrowser, openBrowserWithProfile, signIn, waitUntilInstalled } from "./phone.ts";

/**
 * Device that can lose power: the real app with a browser profile that survives a kill. The in-memory server with six
 * cars can be killed, return errors and be inspected.
 */
export function useRestartableCheckInApp() {
  let server: CheckInServer;
  let site: Awaited<ReturnType<typeof startCheckInSite>>;
  let profile: string;
  let phone: Awaited<ReturnType<typeof openBrowserWithProfile>>;
  beforeEach(async () => {
    server = startCheckInServer();
    const today = getTodayAtCompany();
    for (let id = 1; id <= 6; id++) {
      const vehicle = createVehicle(id);
      server.vehicles.set(vehicle.reference, vehicle);
      server.bookings.set(id, createBooking(id, today, { resources: [createUnit(id, { vehicle })] }));
    }
    site = await startCheckInSite(server);
    profile = await mkdtemp(join(tmpdir(), "phone-"));
    phone = await openBrowserWithProfile(profile);
  });
  afterEach(async () => {
    await killBrowser(phone).catch(() => undefined);
    await site.stop();
    await rm(profile, { recursive: true, force: true, maxRetries: 5 });
  });
  return {
    get server() {
      return server;
    },
    get site() {
      return site;
    },
    get page() {
      return phone.page;
    },
    get context() {
      return phone.context;
    },
    /** Signs in and waits until the app and the day are stored. */
    async start(): Promise<void> {
      await phone.page.goto(site.address);
      await signIn(phone.page, "ana");
      await waitUntilInstalled(phone.page);
      // Fleet and extras load after the day.
      await expect.poll(() => server.requests.some(({ path }) => path.includes("extra-search"))).toBe(true);
    },
    open: (id: number) => phone.page.goto(`${site.address}#/booking/${id}`),
    kill: () => killBrowser(phone),
    /** Restarts the app on the same disk. */
    async restart(): Promise<void> {
      phone = await openBrowserWithProfile(profile);
    },
  };
}
