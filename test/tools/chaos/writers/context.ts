import type { Random } from "#scripts/demo/random.ts";
import type { AccountName, Client } from "#tools/platform/client.ts";
import { getDateAfter } from "#tools/platform/days.ts";
import type { GatewayRefund } from "#tools/platform/redsys-server.ts";
import type { WritersHistory } from "../history.ts";

/** Context of all writers. */
export interface WriterContext {
  readonly client: Client;
  readonly history: WritersHistory;
  readonly random: Random;
  /** Token of each account's first staff user, used for all staff actions. */
  readonly staffTokens: Readonly<Record<AccountName, string>>;
  /** Token of another acme manager, because users can't approve their own refunds. */
  readonly managerToken: string;
  readonly accountData: Readonly<Record<AccountName, AccountData>>;
  /** Emails sent by the platform: the latest text by recipient. */
  readonly mailbox: ReadonlyMap<string, string>;
  /** Refunds executed by the gateway so far. */
  readonly gatewayBook: () => readonly GatewayRefund[];
}

/** Codes and ids of an account that writers use in their requests. */
export interface AccountData {
  readonly codes: readonly string[];
  readonly places: readonly number[];
  /** Branch code by place id. */
  readonly branchOf: ReadonlyMap<number, string>;
  readonly extras: readonly string[];
  /** Ids of reservation invoices. */
  readonly invoices: readonly number[];
  readonly bonds: readonly number[];
  /** Contracts with a higher open amount than all desks take together. */
  readonly contracts: readonly number[];
  readonly branches: readonly string[];
}

/** A step of a writer: a unit of work until its last response. */
export type ChaosWriter = (context: WriterContext) => Promise<void>;

/** Narrow date range to make vehicles scarce. Wider for the company with few vans. */
const FIRST_DAY = 40;
const DAYS: Readonly<Record<AccountName, number>> = { acme: 9, globex: 60 };
/** Some requests use later dates with availability. */
const LAST_DAY = 260;

/** Returns a rental, mostly within the narrow date range, during opening hours of any day. */
export function pickRental({ random, accountData }: WriterContext, account: AccountName) {
  const from = FIRST_DAY + random.between(0, random.chance(0.2) ? LAST_DAY : DAYS[account]);
  return {
    from: getDateAfter(from),
    to: getDateAfter(from + random.between(1, 3)),
    place: random.pick(accountData[account].places),
    code: random.pick(accountData[account].codes),
  };
}

/** A writer named after its API. */
export interface NamedWriter {
  readonly name: string;
  /** All write operations it sends, named as in the OpenAPI documents. */
  readonly operations: readonly string[];
  readonly write: ChaosWriter;
  /** Whether it runs alone before all others, because constant concurrent changes would prevent it from finishing. */
  readonly isFirst: boolean;
}
