import type { AccountName } from "./client.ts";
import type { History, PlacedBooking } from "./history.ts";
import type { Rows } from "./state.ts";

/** Something that must not be, and the check that found it. */
export interface Violation {
  readonly check: string;
  readonly detail: string;
}

type Accounts = Readonly<Record<AccountName, Rows>>;

/** What was there before anybody wrote: ids above are the writers'. */
export interface Baseline {
  readonly lastBooking: Readonly<Record<AccountName, number>>;
}

export function baselineOf(accounts: Accounts): Baseline {
  const last = (rows: Rows) => rows<{ readonly id: number }>("SELECT max(id) AS id FROM bookings")[0]?.id ?? 0;
  return { lastBooking: { acme: last(accounts.acme), globex: last(accounts.globex) } };
}

interface Found {
  readonly account: AccountName;
  readonly status: string;
  readonly free_access_id: string;
  readonly name: string;
  readonly kind: string;
  /** 1: its hold ended unpaid. */
  readonly expired: number;
  /** By code, as JSON. */
  readonly extras: string;
}

// A booking of a writer under the name that only its writer knows: the agency's reference, or the cart.
const NAMED = `SELECT bookings.status, free_access_id, coalesce((SELECT min(api_key) FROM partner_keys WHERE partner_keys.agency_id = bookings.agency_id AND scope_ota = 1) || '/' || agency_reservation_id, cart_id) AS name, bookings.kind,
    (SELECT count(*) FROM booking_history WHERE booking_id = bookings.id AND event = 'expired') AS expired,
    (SELECT json_group_object(code, quantity) FROM (SELECT extra_code AS code, quantity FROM booking_extras WHERE booking_id = bookings.id
      UNION ALL SELECT code, quantity FROM transfer_booking_extras JOIN transfer_extras ON id = transfer_extra_id WHERE booking_id = bookings.id)) AS extras
  FROM bookings WHERE id > ? AND (cart_id IS NOT NULL OR agency_reservation_id LIKE 'chaos-%')`;

const DONE_BY_AGENCY: Readonly<Record<PlacedBooking["state"], readonly string[]>> = {
  asked: ["nothing", "confirmed", "in_progress", "done"],
  booked: ["confirmed", "in_progress", "done"],
  refused: ["nothing"],
  cancelling: ["confirmed", "cancelled"],
  cancelled: ["cancelled"],
};

/** Everything acknowledged is there exactly once, in its own account, and nothing that was refused is. */
export function checkBookings(accounts: Accounts, baseline: Baseline, history: History): readonly Violation[] {
  const found = new Map<string, Found[]>();
  for (const account of ["acme", "globex"] as const) {
    for (const row of accounts[account]<Omit<Found, "account">>(NAMED, baseline.lastBooking[account])) {
      found.set(row.name, [...(found.get(row.name) ?? []), { ...row, account }]);
    }
  }
  const asked = new Map([...history.agencyBookings, ...history.purchases]);
  const strangers = [...found.keys()].filter((name) => !asked.has(name));
  return [
    ...strangers.map((name) => ({ check: "nothing is there that nobody asked for", detail: name })),
    ...[...asked].flatMap(([name, booked]) => checkBooked(name, booked, found.get(name) ?? [])),
  ];
}

function checkBooked(name: string, booked: PlacedBooking, found: readonly Found[]): readonly Violation[] {
  const [first] = found;
  const status = first?.status ?? "nothing";
  const isPurchase = !name.includes("/");
  const unpaid = first?.expired === 1 ? "cancelled" : "pending_confirmation";
  const done: Readonly<Record<PlacedBooking["state"], readonly string[]>> = isPurchase
    ? { ...DONE_BY_AGENCY, booked: [unpaid, "confirmed"], cancelling: [unpaid, "cancelled"] }
    : DONE_BY_AGENCY;
  const allowed = done[booked.state];
  const isAllowed = allowed.includes(status) || (isPurchase && booked.state === "asked");
  const detail = `${name}: ${booked.state}, but ${status}`;
  return [
    ...(found.length > 1 ? [{ check: "nothing is double", detail: `${name}: ${found.length} bookings` }] : []),
    ...(isAllowed ? [] : [{ check: "everything acknowledged is there", detail }]),
    ...(first ? checkKept(name, booked, first) : []),
  ];
}

function checkKept(name: string, booked: PlacedBooking, kept: Found): readonly Violation[] {
  const { account, freeAccessId } = booked;
  const isOther = freeAccessId !== undefined && kept.free_access_id !== freeAccessId;
  return [
    ...(kept.account === account
      ? []
      : [{ check: "nothing of one account is in another", detail: `${name} in ${kept.account}` }]),
    ...(isOther ? [{ check: "nothing is double", detail: `${name}: answered another booking than is kept` }] : []),
    ...(isWhatWasChosen(booked, kept)
      ? []
      : [{ check: "a booking is what its cart acknowledged", detail: `${name}: ${JSON.stringify(kept)}` }]),
  ];
}

function isWhatWasChosen({ kind = "rental", extras }: PlacedBooking, kept: Found): boolean {
  const has: Readonly<Record<string, number>> = JSON.parse(kept.extras);
  const isSame =
    extras === undefined ||
    (Object.keys(has).length === extras.size && [...extras].every(([code, quantity]) => has[code] === quantity));
  return kept.kind === kind && isSame;
}

/** Acknowledged field work, files, payments, contract data and the ERP's words are there, once. */
export function checkWork(accounts: Accounts, history: History): readonly Violation[] {
  const { acme } = accounts;
  return [
    ...checkOperations(acme, history),
    ...checkResolutions(acme, history),
    ...checkFiles(acme, history),
    ...checkPayments(accounts, history),
    ...checkRefunds(accounts, history),
    ...checkContractData(accounts, history),
    ...checkProcessed(accounts, history),
  ];
}

function lost(detail: string): Violation {
  return { check: "everything acknowledged is there", detail };
}

function checkOperations(acme: Rows, history: History): readonly Violation[] {
  const kept = new Map(
    acme<{ readonly op_id: string; readonly state: string }>("SELECT op_id, state FROM check_in_operations").map(
      (row) => [row.op_id, row.state],
    ),
  );
  return [...history.operations].flatMap(([opId, work]) => {
    if (work.state === "asked") return [];
    const state = kept.get(opId);
    const isResolved = work.state === "conflict" && history.resolutions.get(opId)?.state === state;
    if (state === undefined || (state !== work.state && work.state !== "held" && !isResolved))
      return [lost(`operation ${opId} was ${work.state}`)];
    if (work.state !== "applied") return [];
    const charges = work.charges.map((uid) => ({ uid, sql: "SELECT 1 FROM charges WHERE uid = ?" }));
    const damages = work.damages.map((uid) => ({ uid, sql: "SELECT 1 FROM vehicle_damages WHERE damage_id = ?" }));
    return [...charges, ...damages].flatMap(({ uid, sql }) => {
      const count = acme(sql, uid).length;
      if (count === 0) return [lost(`charge or damage ${uid} of ${opId}`)];
      return count > 1 ? [{ check: "nothing is double", detail: `charge or damage ${uid}: ${count}` }] : [];
    });
  });
}

function checkResolutions(acme: Rows, history: History): readonly Violation[] {
  const sql = "SELECT 1 FROM check_in_operations WHERE op_id = ? AND state = ? AND resolved_at IS NOT NULL";
  return [...history.resolutions].flatMap(([opId, { state, isAcknowledged }]) =>
    isAcknowledged && acme(sql, opId, state).length !== 1 ? [lost(`operation ${opId} is not ${state}`)] : [],
  );
}

function checkProcessed(accounts: Accounts, history: History): readonly Violation[] {
  const sql = "SELECT 1 FROM documents WHERE id = ? AND accounting_processed = 1";
  return [...history.processed].flatMap(([name, isAcknowledged]) => {
    const [account, id] = name.split("/") as [AccountName, string];
    return isAcknowledged && accounts[account](sql, Number(id)).length !== 1 ? [lost(`document ${name}`)] : [];
  });
}

function checkFiles(acme: Rows, history: History): readonly Violation[] {
  return [...history.files].flatMap(([name, isAcknowledged]) => {
    const [booking = "", hash = ""] = name.split("/");
    const sql = "SELECT 1 FROM check_in_files WHERE booking_id = ? AND hash = ?";
    return isAcknowledged && acme(sql, Number(booking), hash).length !== 1 ? [lost(`file ${name}`)] : [];
  });
}

function checkPayments(accounts: Accounts, history: History): readonly Violation[] {
  return [...history.payments].flatMap(([order, { account, cents, acknowledged }]) => {
    const rows = accounts[account];
    const sql = `SELECT charges.amount_cents FROM charges JOIN payment_intents AS intent ON intent.booking_id = charges.booking_id
      WHERE intent.order_reference = ? AND charges.payment_type = 'charge' AND charges.origin IS NOT NULL`;
    const told = "SELECT 1 FROM payment_notifications WHERE order_reference = ? AND kind = 'authorised'";
    const notices = rows(told, order).length;
    const taken = rows<{ readonly amount_cents: number }>(sql, order).filter(
      (row) => row.amount_cents === cents,
    ).length;
    if (notices > 1 || taken > 1) return [{ check: "nothing is double", detail: `payment ${order}: ${taken} charges` }];
    return acknowledged && (notices === 0 || taken === 0) ? [lost(`payment ${order}`)] : [];
  });
}

// What is given back before its payment came waits for it.
function checkRefunds(accounts: Accounts, history: History): readonly Violation[] {
  return [...history.refunds].flatMap(([authCode, { account, order, cents, acknowledged }]) => {
    const rows = accounts[account];
    const isPaid = history.payments.get(order)?.acknowledged === true;
    const told = "SELECT 1 FROM payment_notifications WHERE order_reference = ? AND auth_code = ? AND amount_cents = ?";
    const notices = rows(told, order, authCode, cents).length;
    const given = rows(
      `SELECT 1 FROM charges JOIN payment_intents AS intent ON intent.booking_id = charges.booking_id AND intent.order_reference = ?
        WHERE charges.payment_type = 'payment' AND external_operation_number = ? AND charges.amount_cents = ? AND intent.refunded_cents = charges.amount_cents`,
      order,
      authCode,
      cents,
    ).length;
    if (notices > 1 || given > 1)
      return [{ check: "nothing is double", detail: `refund ${authCode}: ${given} charges` }];
    return acknowledged && (notices === 0 || (isPaid && given === 0)) ? [lost(`refund ${authCode} of ${order}`)] : [];
  });
}

function checkContractData(accounts: Accounts, history: History): readonly Violation[] {
  return [...history.contractData].flatMap(([id, { account, asked, acknowledged }]) => {
    if (acknowledged === undefined) return [];
    const [row] = accounts[account]<{ readonly contract_data: string }>(
      "SELECT contract_data FROM bookings WHERE free_access_id = ?",
      id,
    );
    const isThere = [acknowledged, ...asked].some((flight) => row?.contract_data.includes(flight));
    return row && !isThere ? [lost(`contract data of ${id}: ${acknowledged}`)] : [];
  });
}
