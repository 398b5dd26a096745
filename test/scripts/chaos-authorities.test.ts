import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Request } from "miniflare";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createSqliteD1 } from "#support/sqlite-d1.ts";
import { checkMinistry, checkTaxAgency } from "#tools/chaos/audit/authorities.ts";
import { checkRefundDecisions } from "#tools/chaos/audit/money.ts";
import { createHistory, type OfficeWrite } from "#tools/chaos/history.ts";
import { createSesServer, openAuthoritiesBucket } from "#tools/platform/authority-servers.ts";
import type { Rows } from "#tools/platform/database-files.ts";
import { writeSesRequest } from "#worker/authorities/ses/envelope.ts";
import { readSimulatedMinistryData } from "#worker/development/ses/ministry-simulator.ts";
import {
  listSimulatedChains,
  type SimulatedTaxRecord,
  saveSimulatedChain,
} from "#worker/development/tax-agency/simulated-records.ts";

// Tests the authority checks of `npm run chaos`, which must find injected faults.

const LESSOR = "0000012345";
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "authorities-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const checks = (item: readonly { readonly check: string }[]) => item.map(({ check }) => check);
const readSimulator = () => readSimulatedMinistryData(openAuthoritiesBucket(folder), LESSOR);
const checkRows = async (rows: Rows) => checks(checkMinistry("acme", rows, await readSimulator()));

const ministryReport = (booking: number) =>
  `<solicitud><comunicacion><contrato><referencia>${booking}</referencia></contrato><persona><nombre>Ana</nombre><apellido1>Ruiz</apellido1><correo>ana@example.com</correo></persona></comunicacion></solicitud>`;

async function send(server: ReturnType<typeof createSesServer>, text: string): Promise<number> {
  const body = writeSesRequest({ lessor: LESSOR, operation: "A", kind: "RV" }, text);
  const headers = { Authorization: "Basic eDp5" };
  return (await server(new Request("https://hospedajes.ses.mir.es/", { method: "POST", headers, body }))).status;
}

function createReport(
  state: string,
  xml: string,
  { code = null, error = null }: { code?: string | null; error?: string | null } = {},
) {
  const { rows } = createSqliteD1();
  rows("PRAGMA foreign_keys = OFF");
  rows(
    "INSERT INTO ministry_reports (booking_id, kind, state, xml, fingerprint, code, error, created_at) VALUES (7, 'RV', ?, ?, 'x', ?, ?, 1)",
    ...[state, xml, code, error],
  );
  return rows;
}

test("simulates a ministry that loses, misses and refuses requests regularly, and stores each report once", async () => {
  const server = createSesServer(folder);
  const statuses: number[] = [];
  for (let booking = 1; booking <= 5; booking++) statuses.push(await send(server, ministryReport(booking)));
  expect(statuses).toEqual([200, 200, 504, 200, 502]);
  expect((await readSimulator()).ministryReports).toHaveLength(3);
  await send(server, ministryReport(4));
  expect((await readSimulator()).ministryReports.map(({ reference }) => reference)).toEqual(["1", "2", "3", "4"]);
});

test("reports differences between the simulated ministry's records and the account's report states", async () => {
  const xml = ministryReport(7);
  expect(await checkRows(createReport("accepted", xml))).toEqual(["all confirmed records exist"]);
  await send(createSesServer(folder), xml);
  expect(await checkRows(createReport("accepted", xml))).toEqual([]);
  expect(await checkRows(createReport("waiting", xml))).toEqual([]);
  expect(await checkRows(createReport("accepted", xml, { code: "another" }))).toEqual(["all confirmed records exist"]);
  const error = "10130 Lote duplicado";
  expect(await checkRows(createReport("refused", xml, { error }))).toEqual(["all confirmed records exist"]);
  await send(createSesServer(folder), ministryReport(8));
  expect(await checkRows(createReport("accepted", xml))).toEqual(["no record is unexpected"]);
});

test("compares the tax agency's chain of records with the account's from its beginning", async () => {
  const { rows } = createSqliteD1();
  rows("PRAGMA foreign_keys = OFF");
  for (const { name } of rows<{ name: string }>(
    "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'tax_records'",
  ))
    rows(`DROP TRIGGER ${name}`);
  for (const position of [1, 2]) {
    rows(
      `INSERT INTO tax_records (id, chain, position, kind, document_id, issuer, number, date, hashed, previous_hash, hash, content, generated_at)
        VALUES (?1, 'B1/one/test', ?1, 'registration', ?1, 'B1', 'F/' || ?1, '2026-01-01', 'x', '', ?2, '{}', 1)`,
      ...[position, String(position).repeat(64)],
    );
    rows("INSERT OR REPLACE INTO tax_record_states (record_id, state) VALUES (?, 'accepted')", position);
  }
  const record = (position: number, state: SimulatedTaxRecord["state"] = "Correcto"): SimulatedTaxRecord => ({
    ...{ number: `F/${position}`, date: "01-01-2026", kind: "registration", hash: String(position).repeat(64) },
    ...{ total: undefined, state, code: undefined },
  });
  const holds = async (...records: readonly SimulatedTaxRecord[]) => {
    const agency = openAuthoritiesBucket(folder);
    await saveSimulatedChain(agency, { issuer: "B1", installation: "one", records });
    return checks(checkTaxAgency("acme", rows, await listSimulatedChains(agency)));
  };
  expect(await holds(record(1), record(2))).toEqual([]);
  expect(await holds(record(1))).toEqual(["all confirmed records exist"]);
  expect(await holds(record(1), record(2, "AceptadoConErrores"))).toEqual(["records are in chain order"]);
  expect(await holds(record(2), record(1))).toEqual(["no record is unexpected"]);
  expect(await holds(record(1), record(2), record(2))).toEqual(["no record is duplicated", "no record is unexpected"]);
});

function createMoneyRequest(
  state: string,
  cents: readonly number[],
  ...works: readonly Pick<OfficeWrite, "state" | "operation">[]
) {
  const { rows } = createSqliteD1();
  rows("PRAGMA foreign_keys = OFF");
  const decided = state === "waiting" ? "NULL, NULL" : "2, 2";
  rows(`INSERT INTO refund_requests (id, booking_id, amount_cents, payment_method_id, reason, by_hand, state, requested_by, requested_at, decided_by, decided_at)
    VALUES (3, 7, 250, 'cash', 'chaos', 1, '${state}', 1, 1, ${decided})`);
  for (const amount of cents)
    rows(
      `INSERT INTO charges (booking_id, source_doc, payment_type, payment_method_id, date, amount_cents, currency, branch_code, created_at, last_update, uid)
        VALUES (7, 'booking', 'payment', 'cash', 0, ?, 'EUR', 'PMI', 0, 0, 'refund-request:3')`,
      amount,
    );
  const history = createHistory();
  for (const [index, work] of works.entries())
    history.officeWrites.set(String(index), { ...work, account: "acme", isRemoval: false, refundId: 3 });
  return checks(checkRefundDecisions("acme", rows, history));
}

test("reports an approved refund that is missing or has another amount, and one made without approval", () => {
  const [approved, declined] = [
    { state: "done", operation: "approveRefund" },
    { state: "done", operation: "declineRefund" },
  ] as const;
  expect(createMoneyRequest("approved", [250], approved)).toEqual([]);
  expect(createMoneyRequest("approved", [250], { ...approved, state: "asked" })).toEqual([]);
  expect(createMoneyRequest("declined", [], declined)).toEqual([]);
  expect(createMoneyRequest("waiting", [])).toEqual([]);
  expect(createMoneyRequest("approved", [], approved)).toEqual(["all confirmed records exist"]);
  expect(createMoneyRequest("approved", [300], approved)).toEqual(["no record is duplicated"]);
  expect(createMoneyRequest("declined", [250], declined)).toEqual(["no record is unexpected"]);
  expect(createMoneyRequest("approved", [250])).toEqual(["no record is unexpected"]);
  expect(createMoneyRequest("waiting", [], approved)).toEqual(["all confirmed records exist"]);
});
