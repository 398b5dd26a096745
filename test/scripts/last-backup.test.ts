import { expect, test } from "vitest";
import { findLastBackup, getLocalBackupPath, listBackupDays } from "#scripts/data/last-backup.ts";

const JUST_AFTER_MIDNIGHT = Date.parse("2026-12-01T00:10:00Z");

const createBackupReader =
  (...days: readonly string[]) =>
  async (day: string) => {
    if (days.includes(day)) return day;
    throw new Error("wrangler r2 object failed (exit code 1):\nThe specified key does not exist.");
  };

test("selects the last backup if no day is specified, also before tonight's backup", async () => {
  const days = listBackupDays(undefined, JUST_AFTER_MIDNIGHT);
  expect(days).toEqual(["2026-12-01", "2026-11-30", "2026-11-29"]);
  expect(await findLastBackup(days, createBackupReader("2026-11-29", "2026-11-30"))).toBe("2026-11-30");
  expect(await findLastBackup(days, createBackupReader("2026-11-20"))).toBeUndefined();
});

test("selects only the backup of a specified day, and rejects an invalid day", () => {
  expect(listBackupDays("2026-11-20", JUST_AFTER_MIDNIGHT)).toEqual(["2026-11-20"]);
  for (const invalidDay of ["2026-13-45", "2026-02-30", "20-11-2026", "yesterday", ""]) {
    expect(() => listBackupDays(invalidDay, JUST_AFTER_MIDNIGHT)).toThrow("--date must be a day as 2026-11-20");
  }
});

test("reports why a backup couldn't be downloaded instead of treating it as missing", async () => {
  const unreachable = async () => {
    throw new Error("You are not signed in.");
  };
  await expect(findLastBackup(["2026-11-20"], unreachable)).rejects.toThrow("not signed in");
});

test("stores backups downloaded from Cloudflare outside of the folder with local databases", () => {
  const local = { isRemote: false, environment: undefined, stateDir: "/state" };
  const production = { ...local, isRemote: true, environment: "production" };
  const staging = { ...local, isRemote: true, environment: "staging" };
  const files = [local, production, staging].map((target) =>
    getLocalBackupPath(target, "acme", "2026-11-20.ndjson.gz"),
  );
  expect(files[0]).toBe("/state/backups/acme/2026-11-20.ndjson.gz");
  expect(files[1]).toMatch(/\/backups\/production\/acme\/2026-11-20\.ndjson\.gz$/);
  expect(new Set(files).size).toBe(3);
  expect(files.slice(1).some((file) => file.startsWith("/state/"))).toBe(false);
});
