import type { AccountName } from "#tools/platform/client.ts";
import { type ChaosWriter, pickRental, type WriterContext } from "./context.ts";
import { sendToOffice, sendWithIdempotencyKey } from "./office-requests.ts";
import { recordExpectation } from "./record-expectations.ts";
import { applyReservationAction, RESERVATIONS_PATH } from "./reservation-actions.ts";

const NOTED = "SELECT 1 FROM notes WHERE text = ?";
const TEMPLATE = "SELECT 1 FROM message_templates WHERE template = 'thank_you' AND language = ? AND subject LIKE ?";
const LANGUAGES = ["fr", "it", "pt", "nl"];

type Write = (
  method: "POST" | "PATCH" | "PUT" | "DELETE",
  path: string,
  body?: object,
  id?: string,
) => ReturnType<typeof sendWithIdempotencyKey>;

/**
 * Creates an office user who writes notes, tasks and messages on a reservation and a customer, files of the customer,
 * texts of templates and views of lists.
 */
export function createNotesWriter(account: AccountName): ChaosWriter {
  return async (context) => {
    const { random } = context;
    const write: Write = (method, path, body, id) =>
      sendWithIdempotencyKey(context, {
        account,
        method,
        path,
        kind: "notes",
        mayBeGone: true,
        ...(body && { body }),
        ...(id && { id }),
      });
    const reservation = await sell(context, account);
    if (reservation === undefined) return;
    await takeNotes(context, account, write, `/reservations/${reservation}`);
    await fillCard(context, account, write);
    const messageResponse = await write("POST", `/reservations/${reservation}/messages`, {
      template: "pickup_details",
    });
    if (messageResponse && random.chance(0.5)) await write("POST", `/messages/${messageResponse.message.id}/resend`);
    await writeTemplate(context, account, write);
    const view = { list: "reservations", name: `Chaos ${random.hex(4)}`, query: "view=unpaid" };
    const viewResponse = await write("POST", "/views", view);
    if (viewResponse) await write("DELETE", `/views/${viewResponse.view.id}`, undefined, String(viewResponse.view.id));
    await write("PATCH", "/me", { language: random.pick(["es", "en", null]) });
  };
}

async function takeNotes(context: WriterContext, account: AccountName, write: Write, owner: string): Promise<void> {
  const { random } = context;
  const text = `chaos ${random.hex(12)}`;
  const question = { account, sql: NOTED, values: [text] };
  const added = await recordExpectation(context, `note ${text}`, { ...question, before: 0, after: 1 }, () =>
    write("POST", `${owner}/notes`, { text }),
  );
  if (added && random.chance(0.5)) {
    const { id } = added.note;
    const remove = () => write("DELETE", `/notes/${id}`, undefined, String(id));
    await recordExpectation(context, `note ${text}`, { ...question, before: 1, after: 0 }, remove);
  }
  const task = await write("POST", `${owner}/tasks`, { text: "chaos", due_date: "2099-12-31" });
  if (task) await write("PATCH", `/tasks/${task.task.id}`, { done: true, expected_version: task.task.version });
}

async function fillCard(context: WriterContext, account: AccountName, write: Write): Promise<void> {
  const customer = await createCustomer(context, account);
  if (customer === undefined) return;
  await takeNotes(context, account, write, `/customers/${customer}`);
  await addFile(context, account, write, customer);
}

const FILED = "SELECT 1 FROM customer_files WHERE name = ?";

async function addFile(context: WriterContext, account: AccountName, write: Write, customer: number): Promise<void> {
  const name = `chaos ${context.random.hex(12)}.pdf`;
  const question = { account, sql: FILED, values: [name] };
  const path = `/customers/${customer}/files`;
  const content = Buffer.from(`%PDF-1.7 ${name} %%EOF`).toString("base64");
  const added = await recordExpectation(context, `file ${name}`, { ...question, before: 0, after: 1 }, () =>
    write("POST", path, { name, content }),
  );
  if (!added || context.random.chance(0.5)) return;
  const remove = () => write("DELETE", `${path}/${added.file.id}`, undefined, added.file.id);
  await recordExpectation(context, `file ${name}`, { ...question, before: 1, after: 0 }, remove);
}

// Each writer has its own language, so that no other changes its text.
async function writeTemplate(context: WriterContext, account: AccountName, write: Write): Promise<void> {
  const { random } = context;
  const language = LANGUAGES[account === "acme" ? 0 : 1] ?? "fr";
  const path = `/message-templates/thank_you/${language}`;
  const body = { subject: `Chaos ${random.hex(4)}`, text: "{name}, {number}" };
  const preview = { language, ...body };
  await sendToOffice(context, { account, method: "POST", path: "/message-templates/preview" }, preview);
  const name = `template of ${account}`;
  const question = { account, sql: TEMPLATE, values: [language, "Chaos%"] };
  // The text of an earlier turn may still be there.
  await recordExpectation(context, name, { ...question, before: 0, after: 1 }, () => write("PUT", path, body));
  await recordExpectation(context, name, { ...question, before: 1, after: 0 }, () => write("DELETE", path));
}

async function createCustomer(context: WriterContext, account: AccountName): Promise<number | undefined> {
  const body = { name: "Nil", surname: `of ${account}`, document_id: `NOTES${context.random.hex(8).toUpperCase()}` };
  const answer = await sendWithIdempotencyKey(context, {
    account,
    method: "POST",
    path: "/customers",
    body,
    kind: "customers",
  });
  return answer?.customer.id;
}

async function sell(context: WriterContext, account: AccountName): Promise<number | undefined> {
  const { from, to, place, code } = pickRental(context, account);
  const reservation = await applyReservationAction(
    context,
    { account, token: context.staffTokens[account], path: RESERVATIONS_PATH, method: "POST", reservation: undefined },
    {
      ...{ date_from: from, time_from: "10:00", date_to: to, time_to: "10:00", category_code: code },
      ...{ pickup_place: place, return_place: place, status: "confirmed" },
      customer: { name: "Nora", surname: `of ${account}`, email: `notes-${context.random.hex(10)}@example.com` },
    },
  );
  return reservation?.id;
}
