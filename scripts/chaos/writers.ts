import { demoAccounts } from "#worker/development/demo-accounts.ts";
import type { Random } from "../demo/random.ts";
import { fieldWriter } from "./check-in-writer.ts";
import { type AccountName, type Client, jsonCall, signedCall, unexpected } from "./client.ts";
import { customerWriter } from "./customer-writer.ts";
import { deskWriter } from "./desk-writer.ts";
import type { History } from "./history.ts";
import { officeWriter } from "./office-writer.ts";
import { purchaseWriter } from "./purchase-writer.ts";
import { transferWriter } from "./transfer-writer.ts";

/** What every writer works with. */
export interface Scene {
  readonly client: Client;
  readonly history: History;
  readonly random: Random;
  readonly goods: Readonly<Record<AccountName, Goods>>;
  /** What the platform has mailed: the last text to each recipient. */
  readonly mailbox: ReadonlyMap<string, string>;
}

/** What an account offers. */
export interface Goods {
  readonly codes: readonly string[];
  readonly places: readonly number[];
  readonly extras: readonly string[];
  readonly invoices: readonly number[];
  readonly bonds: readonly number[];
  /** Contracts with more to pay than all desks take together. */
  readonly contracts: readonly number[];
  readonly branches: readonly string[];
}

/** One step of a writer: a piece of work from its beginning to its last answer. */
export type Writer = (scene: Scene) => Promise<void>;

const DAY_MILLISECONDS = 86_400_000;
/** A narrow window, so that cars run out while everybody asks for them; the shop with few vans has a wider one. */
const FIRST_DAY = 40;
const DAYS: Readonly<Record<AccountName, number>> = { acme: 9, globex: 60 };
/** Now and then somebody asks for a day on which there is something left. */
const LAST_DAY = 260;

/** A date some days from today, yyyy-mm-dd. */
export function dayAfter(days: number): string {
  return new Date(Date.now() + days * DAY_MILLISECONDS).toISOString().slice(0, 10);
}

/** A rental, most often inside the window, with open hours on every day. */
export function someRental({ random, goods }: Scene, account: AccountName) {
  const from = FIRST_DAY + random.between(0, random.chance(0.2) ? LAST_DAY : DAYS[account]);
  return {
    from: dayAfter(from),
    to: dayAfter(from + random.between(1, 3)),
    place: random.pick(goods[account].places),
    code: random.pick(goods[account].codes),
  };
}

function keyOf(account: AccountName, apiKey: string) {
  const key = demoAccounts.flatMap((one) => one.partnerKeys).find((one) => one.apiKey === apiKey);
  if (!key) throw new Error(`${account} has no key ${apiKey}`);
  return key;
}

/** The token of the first member of an account's staff. */
export async function signInAsStaff({ client }: Scene, account: AccountName): Promise<string> {
  const user = demoAccounts.find((one) => one.account === account)?.users[0];
  const body = { username: user?.username, password: user?.password };
  const login = jsonCall({ account, method: "POST", path: "/api/v1/login" }, body);
  const answer = await client.sendUntilAnswered(login);
  const token = answer.headers["authorization"];
  if (typeof token !== "string") throw unexpected(login, answer);
  return token;
}

const OTA = "/api/booking/ota";

function agencyWriter(account: AccountName, apiKey: string): Writer {
  const key = keyOf(account, apiKey);
  return async (scene) => {
    const { client, history, random, goods } = scene;
    const { from, to, place, code } = someRental(scene, account);
    const reference = `chaos-${random.hex(16)}`;
    const id = `${apiKey}/${reference}`;
    const content = {
      reservation: {
        date_from: from,
        time_from: "10:00",
        date_to: to,
        time_to: "10:00",
        pickup_place: place,
        return_place: place,
        customer_name: "Ana",
        customer_surname: `of ${account}`,
        agency_reservation_id: reference,
        products: [{ code, quantity: random.between(1, 2) }],
        extras: random.chance(0.4) ? [{ code: random.pick(goods[account].extras), quantity: 1 }] : [],
      },
    };
    history.agencyBookings.set(id, { account, state: "asked" });
    const book = signedCall(key, { account, method: "POST", path: `${OTA}/booking` }, content);
    const answer = await client.sendUntilAnswered(book);
    // Sold out, or the branch is closed that day.
    if (answer.status === 409 || answer.status === 400)
      return void history.agencyBookings.set(id, { account, state: "refused" });
    if (answer.status !== 200) throw unexpected(book, answer);
    history.agencyBookings.set(id, { account, state: "booked" });
    // An agency that is not sure asks again: the stored booking is the answer.
    if (random.chance(0.15)) await client.sendUntilAnswered(book);
    if (random.chance(0.3)) await cancel(scene, { account, key, reference });
  };
}

async function cancel(
  { client, history }: Scene,
  {
    account,
    key,
    reference,
  }: { readonly account: AccountName; readonly key: ReturnType<typeof keyOf>; readonly reference: string },
): Promise<void> {
  const id = `${key.apiKey}/${reference}`;
  history.agencyBookings.set(id, { account, state: "cancelling" });
  const content = { reservation: { agency_reservation_id: reference } };
  const call = signedCall(key, { account, method: "POST", path: `${OTA}/cancel-booking` }, content);
  const answer = await client.sendUntilAnswered(call);
  if (answer.status !== 200) throw unexpected(call, answer);
  history.agencyBookings.set(id, { account, state: "cancelled" });
}

function erpWriter(account: AccountName): Writer {
  const key = keyOf(account, `${account}-erp`);
  return async ({ client, history, random, goods }) => {
    const { invoices, bonds } = goods[account];
    const isBond = bonds.length > 0 && random.chance(0.3);
    const id = random.pick(isBond ? bonds : invoices);
    const path = `/api/v1/integration/${isBond ? "internal-bond" : "invoice"}/${id}/processed`;
    const call = signedCall(key, { account, method: "POST", path }, { status: "processed" });
    const name = `${account}/${id}`;
    if (!history.processed.get(name)) history.processed.set(name, false);
    const answer = await client.sendUntilAnswered(call);
    if (answer.status !== 200) throw unexpected(call, answer);
    history.processed.set(name, true);
  };
}

/** A writer under the name of its interface. */
export interface NamedWriter {
  readonly name: string;
  readonly write: Writer;
}

/** Everybody who writes at once. */
export function allWriters(random: Random): readonly NamedWriter[] {
  const named = (name: string, ...writers: readonly Writer[]) => writers.map((write) => ({ name, write }));
  const agency = () => agencyWriter("acme", "acme-agency");
  const phone = () => fieldWriter("acme", random.hex(8));
  return [
    ...named("agency", agency(), agency(), agency()),
    ...named("second agency", agencyWriter("acme", "acme-agency-2"), agencyWriter("acme", "acme-agency-2")),
    ...named("agency of globex", agencyWriter("globex", "globex-agency")),
    ...named("website", purchaseWriter("acme"), purchaseWriter("acme"), purchaseWriter("acme")),
    ...named("website of globex", purchaseWriter("globex")),
    ...named("transfers", transferWriter("acme"), transferWriter("acme"), transferWriter("acme")),
    ...named("phone", phone(), phone(), phone()),
    ...named("office", officeWriter("acme")),
    ...named("desk", deskWriter("acme"), deskWriter("acme"), deskWriter("acme")),
    ...named("desk of globex", deskWriter("globex")),
    ...named("customer", customerWriter("acme")),
    ...named("customer of globex", customerWriter("globex")),
    ...named("ERP", erpWriter("acme")),
    ...named("ERP of globex", erpWriter("globex")),
  ];
}
