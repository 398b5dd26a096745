import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect } from "vitest";
import { aBooking, aUnit, aVehicle } from "#support/check-in/day.ts";
import { type CheckInServer, checkInServer } from "#support/check-in/server.ts";
import { checkInSite } from "#support/check-in-site.ts";
import { todayThere } from "#support/today.ts";
import { killBrowser, openOnProfile, signIn, waitUntilInstalled } from "./phone.ts";

/**
 * A phone whose battery may go: the real app in a browser on a profile of its own, which keeps what it wrote when it is
 * killed. The server is in memory, so that it can be killed, be wrong and be asked what it has; six cars wait there.
 */
export function useShift() {
  let server: CheckInServer;
  let site: Awaited<ReturnType<typeof checkInSite>>;
  let profile: string;
  let phone: Awaited<ReturnType<typeof openOnProfile>>;
  beforeEach(async () => {
    server = checkInServer();
    const today = todayThere();
    for (let id = 1; id <= 6; id++) {
      const vehicle = aVehicle(id);
      server.vehicles.set(vehicle.reference, vehicle);
      server.bookings.set(id, aBooking(id, today, { resources: [aUnit(id, { vehicle })] }));
    }
    site = await checkInSite(server);
    profile = await mkdtemp(join(tmpdir(), "phone-"));
    phone = await openOnProfile(profile);
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
    /** Signs in, and waits until the app is on the phone and the day with it. */
    async start(): Promise<void> {
      await phone.page.goto(site.address);
      await signIn(phone.page, "ana");
      await waitUntilInstalled(phone.page);
      // The fleet and the extras come after the day.
      await expect.poll(() => server.requests.some(({ path }) => path.includes("extra-search"))).toBe(true);
    },
    open: (id: number) => phone.page.goto(`${site.address}#/booking/${id}`),
    kill: () => killBrowser(phone),
    /** The app is started again on the same disk. */
    async restart(): Promise<void> {
      phone = await openOnProfile(profile);
    },
  };
}
