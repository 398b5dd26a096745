import { createUnexpectedAnswerError } from "#tools/platform/client.ts";
import { getDateAfter } from "#tools/platform/days.ts";
import { type Actor, type ChaosWriter, pickRental } from "./actor.ts";
import { sellRental } from "./reservations.ts";

/** Adds, blocks, moves and retires a vehicle. */
export const maintainFleet: ChaosWriter = async (actor) => {
  const { data, random } = actor;
  const reference = `CHAOS-${random.hex(8).toUpperCase()}`;
  // Not for rent, so that availability for others doesn't change.
  const vehicle = { reference, name: "Chaos", category_code: random.pick(data.codes), assignable: false };
  const created = await actor.write(
    "createVehicle",
    {},
    { ...vehicle, rental_location_code: random.pick(data.branches) },
  );
  if (!created) return;
  const options = { id: reference };
  const period = { from: "2040-03-01T10:00", to: "2040-03-02T10:00", reason: "workshop", note: "chaos" };
  const block = await actor.write("blockVehicle", { reference }, period);
  if (block) {
    const { id, version } = block;
    await actor.write("changeBlock", { id }, { expected_version: version, to: "2040-03-03T10:00" }, { id });
    await actor.write("removeBlock", { id }, undefined, { id });
  }
  const place = { rental_location_code: random.pick(data.branches), at: "2040-03-01T10:00" };
  const moved = await actor.write("moveVehicle", { reference }, place, options);
  const colour = { expected_version: moved?.version ?? created.version, stock_color: "red" };
  const painted = await actor.write("changeVehicle", { reference }, colour, options);
  if (painted) await actor.write("retireVehicle", { reference }, { expected_version: painted.version }, options);
};

/** Creates two customers, changes, merges and erases them. */
export const maintainCustomers: ChaosWriter = async (actor) => {
  const [first, second] = [await createCustomer(actor, "Pau"), await createCustomer(actor, "Pau")];
  if (!first || !second) return;
  const { id } = first;
  const zip = { expected_version: first.version, address_zip: String(actor.random.between(10_000, 99_999)) };
  const changed = await actor.write("changeCustomer", { id }, zip, { id });
  const consent = { expected_version: changed?.version ?? first.version, consents: true, door: "desk" };
  await actor.write("sayMarketingConsent", { id }, consent, { id });
  await actor.write("mergeCustomer", { id: second.id }, { into: Number(id), reason: "chaos" }, { id });
  if (actor.chance(0.5)) await actor.write("eraseCustomer", { id }, { reason: "chaos" }, { id });
};

function createCustomer(actor: Actor, name: string) {
  const document_id = `CHAOS${actor.random.hex(8).toUpperCase()}`;
  return actor.write("createCustomer", {}, { name, surname: `of ${actor.account}`, document_id });
}

const ENDED_HOLDS_SQL = "SELECT DISTINCT booking_id FROM booking_history WHERE detail ->> 'reason' = ?";
/** True if all released bookings hold nothing unpaid. */
const ENDED = `SELECT count(*) AS ended FROM bookings WHERE id IN (${ENDED_HOLDS_SQL})
  HAVING ended > 0 AND sum(status = 'pending_confirmation' AND total_paid_cents = 0) = 0`;

/** Releases an unpaid hold of a website, with the visitor's other holds. */
export const endHolds: ChaosWriter = async (actor) => {
  const { data } = await actor.read("/reservations?status=pending_confirmation&page_size=50");
  if (data.length === 0) return;
  const { id } = actor.random.pick(data as readonly { readonly id: number }[]);
  const reason = `chaos ${actor.random.hex(12)}`;
  const name = `end of hold ${id}, ${reason}`;
  const ended = await actor.track(name, [ENDED, [reason]], () =>
    actor.write("endHolds", {}, { reservation_id: id, reason }, { refusals: [404, 409] }),
  );
  if (ended) actor.expect(`${name}, all`, ENDED_HOLDS_SQL, [reason], ended.content.ended.length);
};

const BOOKED = "SELECT 1 FROM bookings WHERE free_access_id = ?";

/** Quotes a rental, changes, sends, duplicates and declines quotes. A customer accepts one by its link. */
export const writeQuotes: ChaosWriter = async (actor) => {
  const { account, random } = actor;
  const valid_until = `${getDateAfter(20)}T12:00`;
  const customer = { name: "Quim", surname: `of ${account}`, email: `quote-${random.hex(10)}@example.com` };
  const rental = { ...pickRental(actor), valid_until, hold: random.chance(0.3), customer };
  const options = { hasOtherName: true };
  // A selling rule may prevent it.
  const created = await actor.write("createQuote", {}, rental, { ...options, refusals: [400, 409] });
  if (!created) return;
  const { quote } = created.content;
  const { id } = quote;
  const notes = { expected_version: quote.version, notes: `chaos ${random.hex(4)}` };
  if (random.chance(0.4)) await actor.write("changeQuote", { id }, notes, options);
  if (random.chance(0.3)) await actor.write("sendQuote", { id }, {}, options);
  if (random.chance(0.2)) await actor.write("duplicateQuote", { id }, { valid_until }, options);
  if (random.chance(0.3)) await actor.write("declineQuote", { id }, { reason: "chaos" }, options);
  else await acceptQuote(actor, quote.link.split("/").at(-1) ?? "");
};

// An accepted quote is one reservation with the quote's link, however often its customer sends the acceptance.
async function acceptQuote(actor: Actor, freeAccessId: string): Promise<void> {
  const accepted = await actor.track(`reservation of quote ${freeAccessId}`, [BOOKED, [freeAccessId]], async () => {
    // Sold out.
    const reply = await actor.post(`/quote/${freeAccessId}/accept`, {}, [409]);
    return reply.isDone ? reply : undefined;
  });
  if (!accepted || !actor.chance(0.5)) return;
  const again = await actor.repeat(accepted);
  if (again.content.reservation.id !== accepted.content.reservation.id)
    throw createUnexpectedAnswerError(again.call, again.answer);
}

const NOTED = "SELECT 1 FROM notes WHERE text = ?";
const FILED = "SELECT 1 FROM customer_files WHERE name = ?";
const TEMPLATE = "SELECT 1 FROM message_templates WHERE template = 'thank_you' AND language = ? AND subject LIKE ?";
/** Notes, files and tasks may have been removed. */
const REFUSABLE = { refusals: [404, 409] };

/** Writes notes, tasks, messages, files of a customer, texts of templates and views of lists. */
export const writeNotes: ChaosWriter = async (actor) => {
  const { random } = actor;
  const email = `notes-${random.hex(10)}@example.com`;
  const reservation = await sellRental(actor, { name: "Nora", email }, { status: "confirmed" });
  if (!reservation) return;
  const { id } = reservation;
  await takeNotes(actor, "Reservation", id);
  const customer = await createCustomer(actor, "Nil");
  if (customer) {
    await takeNotes(actor, "Customer", Number(customer.id));
    await addFile(actor, customer.id);
  }
  const sent = await actor.write("sendMessage", { id }, { template: "pickup_details" }, REFUSABLE);
  if (sent && random.chance(0.5))
    await actor.write("resendMessage", { id: sent.content.message.id }, undefined, REFUSABLE);
  await writeTemplate(actor);
  const view = { list: "reservations", name: `Chaos ${random.hex(4)}`, query: "view=unpaid" };
  const created = await actor.write("createView", {}, view, REFUSABLE);
  if (created) await remove(actor, "removeView", created.content.view);
  await actor.write("changeOwnSettings", {}, { language: random.pick(["es", "en", null]) }, REFUSABLE);
};

function remove(actor: Actor, operation: string, { id }: { readonly id: number | string }, values = {}) {
  return actor.write(operation, { id, ...values }, undefined, { id: String(id), ...REFUSABLE });
}

async function takeNotes(actor: Actor, owner: "Reservation" | "Customer", id: number): Promise<void> {
  const text = `chaos ${actor.random.hex(12)}`;
  const [addNote, addTask] =
    owner === "Customer" ? ["addCustomerNote", "addCustomerTask"] : ["addReservationNote", "addReservationTask"];
  const noted = [NOTED, [text]] as const;
  const added = await actor.track(`note ${text}`, noted, () => actor.write(addNote, { id }, { text }, REFUSABLE));
  if (added && actor.chance(0.5))
    await actor.track(`note ${text}`, noted, () => remove(actor, "deleteNote", added.content.note), 1);
  const created = await actor.write(addTask, { id }, { text: "chaos", due_date: "2099-12-31" }, REFUSABLE);
  const task = created?.content.task;
  if (task) await actor.write("changeTask", { id: task.id }, { done: true, expected_version: task.version }, REFUSABLE);
}

async function addFile(actor: Actor, id: string): Promise<void> {
  const name = `chaos ${actor.random.hex(12)}.pdf`;
  const content = Buffer.from(`%PDF-1.7 ${name} %%EOF`).toString("base64");
  const filed = [FILED, [name]] as const;
  const added = await actor.track(`file ${name}`, filed, () =>
    actor.write("addCustomerFile", { id }, { name, content }, REFUSABLE),
  );
  if (!added || actor.chance(0.5)) return;
  const { id: file } = added.content.file;
  const options = { id: file, ...REFUSABLE };
  await actor.track(
    `file ${name}`,
    filed,
    () => actor.write("deleteCustomerFile", { id, file }, undefined, options),
    1,
  );
}

// Each account's writer has its own language, so that no other changes its text.
async function writeTemplate(actor: Actor): Promise<void> {
  const language = actor.account === "acme" ? "fr" : "it";
  const body = { subject: `Chaos ${actor.random.hex(4)}`, text: "{name}, {number}" };
  await actor.ask("previewMessageText", {}, { language, ...body });
  const values = { template: "thank_you", language };
  const storedTemplate = [TEMPLATE, [language, "Chaos%"]] as const;
  await actor.track("template", storedTemplate, () => actor.write("changeMessageTemplate", values, body, REFUSABLE));
  await actor.track(
    "template",
    storedTemplate,
    () => actor.write("resetMessageTemplate", values, undefined, REFUSABLE),
    1,
  );
}

const ROWS = 3;
/** Returns one row for a complete import with its record, none without both, and two if incomplete. */
const IMPORT_COMPLETE_SQL = `SELECT 1 FROM json_each((SELECT CASE json_array(
    (SELECT count(*) FROM customers WHERE document_id LIKE ?1 || '-%'),
    (SELECT count(*) FROM imports WHERE undone_at IS NULL AND instr(files, ?1 || '.csv') > 0))
  WHEN '[0,0]' THEN '[]' WHEN '[${ROWS},1]' THEN '[1]' ELSE '[1,2]' END))`;

/** Imports customers of another system: checks, imports and sometimes undoes. Invalid files import nothing. */
export const importCustomers: ChaosWriter = async (actor) => {
  const unique = `CHAOS${actor.random.hex(8).toUpperCase()}`;
  const isWrong = actor.chance(0.2);
  const birth = isWrong ? "1980-02-31" : "1980-02-28";
  const customerRows = Array.from({ length: ROWS }, (_, row) => `Ida,Imported ${row},${unique}-${row},${birth}`);
  // The file uses another system's terms and requires a mapping.
  const content = Buffer.from(["Wer,surname,document_id,date_of_birth", ...customerRows].join("\n")).toString("base64");
  const file = `${unique}.csv`;
  const mapping = { files: { [file]: "customers" }, columns: { customers: { Wer: "name" } } };
  const body = { files: [{ name: file, content }], mapping };
  // Another import is running, perhaps its own earlier request after a lost response.
  const checked = await actor.ask("checkImport", {}, body, { refusals: [409] });
  if (!checked) return;
  if (isWrong !== checked.problem_count > 0) throw new Error(`import ${unique}: ${JSON.stringify(checked.problems)}`);
  const complete = [IMPORT_COMPLETE_SQL, [unique]] as const;
  const name = `import ${unique}`;
  const imported = await actor.track(name, complete, () => actor.write("importFiles", {}, body));
  if (!imported || actor.chance(0.4)) return;
  const { id } = imported.content;
  // Another import may be the latest one now.
  await actor.track(name, complete, () => actor.write("undoImport", { id }, undefined, { id: String(id) }), 1);
};

/** Reviews pending tasks that only need acknowledgement, and retries the tax records. */
export const reviewAttention: ChaosWriter = async (actor) => {
  const { data } = await actor.read("/attention");
  const tasks: readonly { readonly id: string; readonly dismissible: boolean }[] = data;
  const doable = tasks.filter(({ dismissible }) => dismissible);
  // A repetition has no further effect, although no key is stored.
  if (doable.length > 0)
    await actor.send("finishAttention", { id: actor.random.pick(doable).id }, undefined, { refusals: [409] });
  await actor.write("retryTaxRecords", {}, undefined, { id: "tax_records" });
};

/**
 * Condition for the record of a correction. A request reads its time at the start. While it is tried again, later
 * requests extend the chain, and a record is never older than the previous one, so it may be younger than its
 * correction by as long as a request can take under load.
 */
const DOCUMENT_CREATED_SQL = `document_id = detail ->> 'document' AND generated_at BETWEEN at AND at + 60000
  AND kind = CASE detail ->> 'taxRecord' WHEN 'annul' THEN 'annulment' ELSE 'registration' END`;
/** Corrections in the contract's history, with and without their records. */
const CORRECTED = `SELECT 1 FROM booking_history WHERE detail ->> 'reason' = ? AND EXISTS (SELECT 1 FROM tax_records WHERE ${DOCUMENT_CREATED_SQL})`;
const HALF_CORRECTED = `SELECT 1 FROM booking_history WHERE detail ->> 'reason' = ? AND NOT EXISTS (SELECT 1 FROM tax_records WHERE ${DOCUMENT_CREATED_SQL})`;

/** Corrects tax records, and sometimes annuls one. */
export const correctTaxRecord: ChaosWriter = async (actor) => {
  const id = actor.random.pick(actor.data.invoices);
  const operation = actor.chance(0.85) ? "amendDocumentRecord" : "annulDocumentRecord";
  const reason = `chaos ${actor.random.hex(12)}`;
  actor.expect(`${reason}, by halves`, HALF_CORRECTED, [reason], 0);
  // Pending or annulled records can't be corrected.
  await actor.track(`${operation} ${id}, ${reason}`, [CORRECTED, [reason]], () =>
    actor.write(operation, { id }, { reason }, { id: String(id) }),
  );
};

const STREET = `SELECT 1 FROM bookings WHERE id = ? AND contract_data ->> 'customer_address_street' IN (?, ?)`;
const FETCHED = "SELECT 1 FROM ministry_report_lists WHERE name <> 'tried' AND fetched_at >= ? LIMIT 1";
/** Sent again: no longer rejected, or rejected again since. */
const REPORT_RETRIED_SQL = "SELECT 1 FROM ministry_reports WHERE id = ? AND (state <> 'refused' OR answered_at >= ?)";

/** Creates a user who handles reports to the ministry: missing data, rejections and code lists. */
export function createMinistryReportsWriter(): ChaosWriter {
  const streets = new Map<number, string>();
  return async (actor) => {
    const write = actor.random.pickWeighted([
      [completeReport, 5],
      [sendReportAgain, 4],
      [refreshLists, 1],
    ] as const);
    await write(actor, streets);
  };
}

async function completeReport(actor: Actor, streets: Map<number, string>): Promise<void> {
  const id = actor.random.pick(actor.data.contracts);
  const { reservation } = await actor.read(`/reservations/${id}`);
  const street = `Chaos ${actor.random.hex(12)}`;
  const before = streets.get(id);
  if (before !== undefined) actor.expect(`street of ${id}`, STREET, [id, before, street], 1);
  const body = { expected_version: reservation.version, "customer_address[street]": street };
  // Another user may have changed the contract, or it has ended.
  const completed = await actor.write("completeMinistryReports", { id }, body, { id: String(id) });
  const latest = completed ? street : before;
  if (latest === undefined) return;
  streets.set(id, latest);
  actor.expect(`street of ${id}`, STREET, [id, latest, latest], 1);
}

async function sendReportAgain(actor: Actor): Promise<void> {
  const { data } = await actor.read("/ministry-reports?state=refused&page_size=50");
  if (data.length === 0) return;
  const { id, error } = actor.random.pick(data as readonly { readonly id: number; readonly error: string }[]);
  const since = Date.now();
  const operation = error === "to_annul_by_hand" ? "noteMinistryReportAnnulled" : "sendMinistryReportAgain";
  if (await actor.write(operation, { id })) actor.expect(`ministry report ${id}`, REPORT_RETRIED_SQL, [id, since], 1);
}

async function refreshLists(actor: Actor): Promise<void> {
  const since = Date.now();
  const { failed } = await actor.ask("refreshMinistryReportLists");
  if (failed.length === 0) actor.expect(`lists of ${since}`, FETCHED, [since], 1);
}
