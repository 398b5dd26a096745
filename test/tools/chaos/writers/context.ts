import type { Random } from "#scripts/demo/random.ts";
import type { AccountName, Client } from "#tools/platform/client.ts";
import { dayAfter } from "#tools/platform/days.ts";
import type { GatewayRefund } from "#tools/platform/redsys-server.ts";
import type { History } from "../history.ts";

/** What every writer works with. */
export interface WriterContext {
  readonly client: Client;
  readonly history: History;
  readonly random: Random;
  /** Of the first member of each account's staff, for all that its people do. */
  readonly staffTokens: Readonly<Record<AccountName, string>>;
  /** Of another manager of acme: who asked for a refund does not approve it. */
  readonly managerToken: string;
  readonly accountData: Readonly<Record<AccountName, AccountData>>;
  /** What the platform has mailed: the last text to each recipient. */
  readonly mailbox: ReadonlyMap<string, string>;
  /** What the gateway has given back so far. */
  readonly gatewayBook: () => readonly GatewayRefund[];
}

/** What an account offers. */
export interface AccountData {
  readonly codes: readonly string[];
  readonly places: readonly number[];
  /** Of each place. */
  readonly branchOf: ReadonlyMap<number, string>;
  readonly extras: readonly string[];
  /** Of reservations. */
  readonly invoices: readonly number[];
  readonly bonds: readonly number[];
  /** Contracts with more to pay than all desks take together. */
  readonly contracts: readonly number[];
  readonly branches: readonly string[];
}

/** One step of a writer: a piece of work from its beginning to its last answer. */
export type Writer = (context: WriterContext) => Promise<void>;

/** A narrow window, so that cars run out while everybody asks for them; the shop with few vans has a wider one. */
const FIRST_DAY = 40;
const DAYS: Readonly<Record<AccountName, number>> = { acme: 9, globex: 60 };
/** Now and then somebody asks for a day on which there is something left. */
const LAST_DAY = 260;

/** A rental, most often inside the window, with open hours on every day. */
export function someRental({ random, accountData }: WriterContext, account: AccountName) {
  const from = FIRST_DAY + random.between(0, random.chance(0.2) ? LAST_DAY : DAYS[account]);
  return {
    from: dayAfter(from),
    to: dayAfter(from + random.between(1, 3)),
    place: random.pick(accountData[account].places),
    code: random.pick(accountData[account].codes),
  };
}

/** A writer under the name of its interface. */
export interface NamedWriter {
  readonly name: string;
  /** All that it sends to write, as the OpenAPI documents call it. */
  readonly operations: readonly string[];
  readonly write: Writer;
  /** Works alone before all others begin: who is overtaken by everybody would come to no end. */
  readonly isFirst: boolean;
}
