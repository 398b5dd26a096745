import { env } from "cloudflare:workers";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { type CivilDate, type TimeText, toCivilMinute } from "#domain/dates.ts";
import { auditBooks } from "#scripts/books/audit.ts";
import { extractLocalMoneyData } from "#scripts/books/extract-local.ts";
import { setUpCompany } from "#support/company.ts";
import { openTestTenant } from "#support/databases.ts";
import {
  applyBookingAction,
  callOffice,
  type ReservationAnswer,
  readReservationAnswer,
  sellRentalAtDesk,
} from "#support/office.ts";
import { enableTaxRecords } from "#support/tax-agency.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";
import { checkOrRepairLedger } from "#worker/imports/check-ledger.ts";
import { createUsageMeter, openDatabase } from "#worker/store/database.ts";
import { toEpochInstant } from "#worker/tenancy/clock.ts";
import { findTaxRecordFaults } from "#worker/usecases/tax-records/audit-records.ts";

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"] });
});
afterEach(() => {
  vi.useRealTimers();
});

const db = env.TENANT_ACME;
const documents = async () =>
  (await db.prepare("SELECT serie, number, date FROM documents ORDER BY id").all()).results.map((result) =>
    Object.values(result),
  );

describe.each(["Europe/Madrid", "Atlantic/Canary", "America/Mexico_City", "Asia/Kolkata", "Pacific/Kiritimati"])(
  "documents issued around midnight in the time zone of %s",
  (zone) => {
    const goTo = (text: string, milliseconds = 0) => {
      const [date, time] = text.split(" ") as [CivilDate, TimeText];
      vi.setSystemTime(toEpochInstant(zone, toCivilMinute(date, time)) + milliseconds);
    };

    // Proves "rules.md and documents.md: the life of documents": A paper is of its day and year on the account's clock,
    //   to the last moment of it
    test.each([
      ["2026-12-28", "2026-12-31", "2027-01-01", ["T-AIR-26", 1], ["T-AIR-27", 1]],
      ["2026-11-27", "2026-11-30", "2026-12-01", ["T-AIR-26", 1], ["T-AIR-26", 2]],
      ["2027-03-25", "2027-03-28", "2027-03-29", ["T-AIR-27", 1], ["T-AIR-27", 2]],
      ["2026-10-22", "2026-10-25", "2026-10-26", ["T-AIR-26", 1], ["T-AIR-26", 2]],
    ])(
      "dates documents from %s over %s to %s by local day and year, with gapless numbers and tax record chain",
      async (...turn) => {
        const [start, before, after, last, first] = turn;
        goTo(`${start} 10:00`);
        await setUpCompany();
        await addTestUsers();
        await enableTaxRecords();
        await db.prepare("UPDATE settings SET timezone = ?").bind(zone).run();
        await openTestTenant(env).freshSnapshot();
        const out = async (reference: string) => {
          const token = await createToken("boss");
          const soldReservation = await sellRentalAtDesk(token, { date_from: start, date_to: after });
          expect(soldReservation.reservation["days"]).toBe(4);
          return readReservationAnswer(
            applyBookingAction(soldReservation, "deliver", { reference, kilometres: 1000, fuel_eighths: 8 }, { token }),
          );
        };
        const back = async (rental: ReservationAnswer) =>
          readReservationAnswer(
            applyBookingAction(
              rental,
              "collect",
              { kilometres: 1100, fuel_eighths: 8 },
              { token: await createToken("boss") },
            ),
          );
        const [reservationAnswer, other] = [await out("A-1"), await out("A-2")];
        goTo(`${before} 23:59`, 59_900);
        await back(reservationAnswer);
        goTo(`${after} 00:00`);
        await back(other);
        expect(await documents()).toEqual([
          [...last, before],
          [...first, after],
        ]);
        const token = await createToken("boss");
        const listDocuments = (day: string) =>
          callOffice("GET", `/documents?date_from=${day}&date_to=${day}`, { token });
        for (const day of [before, after]) expect(await (await listDocuments(day)).json()).toMatchObject({ total: 1 });
        expect(await findTaxRecordFaults(openDatabase(db, createUsageMeter()))).toMatchObject({
          records: 2,
          faults: [],
        });
        const { differences, remarks } = auditBooks(await extractLocalMoneyData(db, { decimals: 2, timezone: zone }));
        expect([...differences, ...remarks]).toEqual([]);
        expect(await checkOrRepairLedger(db, false)).toMatchObject({ different: [], wrongSums: 0 });
      },
    );
  },
);
