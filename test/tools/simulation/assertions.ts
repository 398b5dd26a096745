import { type Clients, callUntilAnswered, formatEpochDay } from "./clients.ts";
import type { RequestRecord } from "./history.ts";
import { OFFICE_PATH, sendOfficeWrite, signInAtDesk } from "./office-write.ts";
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
  const desk = await signInAtDesk(clients, id);
  if (!desk) return;
  const reference = `PAPER-${id}`;
  const keep = (state: RequestRecord["state"]) =>
    void history.expenses.set(reference, { description: reference, state, cents, at: timeline.now() });
  const date = formatEpochDay(Math.floor(timeline.now() / DAY) - 1);
  const document = { booking_item_reference: vehicle, concept_id: 1, date, reference };
  const body = { ...document, total_without_taxes: (cents / 100).toFixed(2), tax_percent: "21.00" };
  const entered = await sendOfficeWrite(desk, "POST", "/expenses", body, { onStateChange: keep });
  if (entered?.status !== 201 || wrongFor === undefined) return;
  const { expense } = JSON.parse(entered.text);
  await timeline.sleep(wrongFor * HOUR);
  const later = await signInAtDesk(clients, id);
  if (!later) return;
  // A removed expense is no longer there, and one whose removal was refused is.
  const STATES = { done: "refused", refused: "done", asked: "asked" } as const;
  const options = { turn: 2, onStateChange: (state: RequestRecord["state"]) => keep(STATES[state]) };
  await sendOfficeWrite(later, "DELETE", `/expenses/${expense.id}`, { expected_version: expense.version }, options);
}

/** Blocks a vehicle for some days. */
export async function blockVehicle(clients: Clients, step: StepOf<"block">): Promise<void> {
  const { id, vehicle, from, days, liftedAfter } = step;
  const desk = await signInAtDesk(clients, id);
  if (!desk) return;
  const day = (offset: number) => `${formatEpochDay(clients.firstDay + offset)}T10:00`;
  const body = { from: day(from), to: day(from + days), reason: "workshop", note: `step ${id}` };
  const createdBlock = await sendOfficeWrite(desk, "POST", `/vehicles/${vehicle}/blocks`, body);
  if (createdBlock?.status !== 201 || liftedAfter === undefined) return;
  await clients.timeline.sleep(liftedAfter * HOUR);
  const later = await signInAtDesk(clients, id);
  const block = JSON.parse(createdBlock.text).block.id;
  if (later) await sendOfficeWrite(later, "DELETE", `/blocks/${block}`, undefined, { turn: 2 });
}

/** Counts a branch's cash and takes it to the bank. */
export async function countCashDrawer(clients: Clients, { id, branch, cents }: StepOf<"count">): Promise<void> {
  const desk = await signInAtDesk(clients, id);
  if (!desk) return;
  const path = `${OFFICE_PATH}/register?rental_location_code=${branch}`;
  const answer = await callUntilAnswered(clients, { method: "GET", path, headers: { Authorization: desk.token } });
  if (answer?.status !== 200) return;
  const { cash } = JSON.parse(answer.text);
  const counted = Math.max(0, Number(cash.expected) + cents / 100).toFixed(2);
  const body = { rental_location_code: branch, counted, taken_out: (Number(counted) / 2).toFixed(2) };
  await sendOfficeWrite(desk, "POST", "/register/close", body);
}
