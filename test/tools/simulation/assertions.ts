import { type Clients, callUntilAnswered, formatEpochDay } from "./clients.ts";
import type { RequestRecord } from "./history.ts";
import { OFFICE_PATH, sendOfficeWrite } from "./office-write.ts";
import { signInStaff } from "./staff.ts";
import type { Step } from "./steps.ts";

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type StepOf<K extends Step["does"]> = Extract<Step, { readonly does: K }>;

/** Records a vehicle expense, some of which are later removed as wrong. */
export async function recordVehicleExpense(
  clients: Clients,
  { id, vehicle, cents, wrongFor }: StepOf<"spend">,
): Promise<void> {
  const { history, timeline } = clients;
  const token = await signInStaff(clients);
  if (!token) return;
  const desk = { clients, step: id, token };
  const reference = `PAPER-${id}`;
  const keep = (state: RequestRecord["state"]) =>
    history.expenses.set(reference, { description: reference, state, cents, at: timeline.now() });
  const document = {
    booking_item_reference: vehicle,
    concept_id: 1,
    date: formatEpochDay(Math.floor(timeline.now() / DAY) - 1),
    reference,
  };
  const body = { ...document, total_without_taxes: (cents / 100).toFixed(2), tax_percent: "21.00" };
  const entered = await sendOfficeWrite(desk, { method: "POST", path: "/expenses", body }, keep);
  if (entered?.status !== 201 || wrongFor === undefined) return;
  const { expense } = JSON.parse(entered.text);
  await timeline.sleep(wrongFor * HOUR);
  const later = await signInStaff(clients);
  if (!later) return;
  const path = `/expenses/${expense.id}`;
  const deletion = { method: "DELETE", path, body: { expected_version: expense.version }, turn: 2 } as const;
  await sendOfficeWrite({ ...desk, token: later }, deletion, (state) =>
    keep(state === "done" ? "refused" : state === "asked" ? "asked" : "done"),
  );
}

/** Blocks a vehicle for some days. */
export async function blockVehicle(clients: Clients, step: StepOf<"block">): Promise<void> {
  const { id, vehicle, from, days, liftedAfter } = step;
  const token = await signInStaff(clients);
  if (!token) return;
  const desk = { clients, step: id, token };
  const day = (offset: number) => `${formatEpochDay(clients.firstDay + offset)}T10:00`;
  const body = { from: day(from), to: day(from + days), reason: "workshop", note: `step ${id}` };
  const createdBlock = await sendOfficeWrite(desk, { method: "POST", path: `/vehicles/${vehicle}/blocks`, body });
  if (createdBlock?.status !== 201 || liftedAfter === undefined) return;
  await clients.timeline.sleep(liftedAfter * HOUR);
  const later = await signInStaff(clients);
  if (!later) return;
  const path = `/blocks/${JSON.parse(createdBlock.text).block.id}`;
  await sendOfficeWrite({ ...desk, token: later }, { method: "DELETE", path, turn: 2 });
}

/** Counts a branch's cash and takes it to the bank. */
export async function countCashDrawer(clients: Clients, { id, branch, cents }: StepOf<"count">): Promise<void> {
  const token = await signInStaff(clients);
  if (!token) return;
  const path = `/register?rental_location_code=${branch}`;
  const headers = { Authorization: token };
  const answer = await callUntilAnswered(clients, { method: "GET", path: OFFICE_PATH + path, headers });
  if (answer?.status !== 200) return;
  const { cash } = JSON.parse(answer.text);
  const counted = Math.max(0, Number(cash.expected) + cents / 100).toFixed(2);
  const body = { rental_location_code: branch, counted, taken_out: (Number(counted) / 2).toFixed(2) };
  await sendOfficeWrite({ clients, step: id, token }, { method: "POST", path: "/register/close", body });
}
