import type { Cart } from "#domain/bookings/carts.ts";
import type { Printout } from "#domain/printing/printout.ts";
import type { DeclaredProducer } from "#domain/tax-records/declaration.ts";
import type { TransferCart } from "#domain/transfers/carts.ts";
import { findSnapshot, type Snapshot } from "#worker/store/catalogue/catalogue.ts";
import { saveClock } from "#worker/store/catalogue/clock.ts";
import type { CachedAccount } from "#worker/store/catalogue/read-fresh.ts";
import { type Database, type Meter, newMeter, openDatabase, openReplica } from "#worker/store/database.ts";
import { dedupeRequest, type WaitUntil } from "./answered-once.ts";
import {
  type Authority,
  type AuthorityClient,
  declaredProducer,
  getAuthorityClient,
  type SoftwareProducer,
  softwareProducer,
} from "./authorities.ts";
import { type CartObject, openCart } from "./cart-objects.ts";
import { unknownClock } from "./clock.ts";
import { isSearchCacheEnabled, ownUrl, secondMasterKey } from "./deployment.ts";
import { type BackupBucket, type FileStore, openBackupBucket, openFiles } from "./file-store.ts";
import { print } from "./printer.ts";
import { openTempDatabase, type TempDatabase } from "./scratch.ts";

/** One account, resolved once for a request. Whoever holds it can reach this account's data and nobody else's. */
export interface Tenant extends CachedAccount {
  readonly name: string;
  readonly meter: Meter;
  /**
   * For searches and lists: a copy of the database may answer, a moment old. Nothing is decided on it (decision 0014).
   */
  readonly replica: Database;
  /** Opens this account's sealed secrets; so does the second, while the master key is being changed (decision 0016). */
  readonly masterKey: string;
  readonly secondMasterKey: string | undefined;
  /**
   * Where the account is served by this deployment, never taken from a request: for links where the company has no
   * address of its own.
   */
  readonly ownUrl: string;
  readonly outgoingMail: { readonly binding: SendEmail; readonly from: string };
  /** Whether an address may do something now: the quick limit of the place on the edge, before the database's own. */
  isWithinAddressLimit(action: string, address: string): Promise<boolean>;
  /** The same for what a visitor does many times: carts, forms. */
  isWithinVisitorLimit(action: string, address: string): Promise<boolean>;
  /** Photos and signatures of this account. */
  readonly files: FileStore;
  /** Backups; undefined where the deployment binds no bucket for them, as the Worker that answers requests. */
  readonly copies: BackupBucket | undefined;
  /** Databases to throw away; undefined where the deployment binds none, as the Worker that answers requests. */
  readonly scratch: TempDatabase | undefined;
  /** The bytes of a PDF, made by the printer: a Worker of its own. */
  print(printout: Printout): Promise<Uint8Array<ArrayBuffer>>;
  /** The way to an authority; undefined where the deployment has none. */
  reach(authority: Authority): AuthorityClient | undefined;
  /** Who answers for the software of this deployment; undefined where it does not say. */
  readonly producer: SoftwareProducer | undefined;
  /** What it says of them, however little. */
  readonly declaredProducer: DeclaredProducer;
  /**
   * Has work go on when the request that began it is answered or gone; undefined where there is none, as for the clock.
   */
  readonly waitUntil: WaitUntil | undefined;
  /** Whether the isolate may keep what it read, beside the state of the account that says whether it is still so. */
  readonly remembersReadings: boolean;
  /**
   * Asks for what decides nothing, unless the isolate had the same question within a second and nothing was written
   * through it since; where the deployment remembers answers. The question names all that its answer depends on.
   */
  answeredOnce<T>(question: string, ask: () => Promise<T>): Promise<T>;
  /** The live cart of that id, whether it exists or not: the object says. */
  cart(id: string): CartObject<Cart>;
  /** The live cart of a transfer; its ids are no carts of rentals. */
  transferCart(id: string): CartObject<TransferCart>;
}

/** The account has a database, but its settings are not there yet. */
export class AccountNotReady extends Error {
  override readonly name = "AccountNotReady";
}

// A revoked key dies within a minute.
const SNAPSHOT_MILLISECONDS = 60_000;
const REVALIDATE_AFTER_MS = 45_000;
const revalidatingAccounts = new Set<string>();
const MAX_CACHED_ACCOUNTS = 50;
const snapshotCache = new Map<string, { readonly snapshot: Snapshot; readonly readAt: number }>();

/** Opens an account for one request. */
export function openTenant(
  env: Cloudflare.Env,
  name: string,
  binding: D1Database,
  now: number,
  waitUntil?: WaitUntil,
): Tenant {
  const meter = newMeter();
  const db = openDatabase(binding, meter);
  // Opened where a request wants it: most want one of the two.
  let replica: Database | undefined;
  const freshSnapshot = () => readSnapshot(db, name, now);
  return {
    name,
    db,
    get replica() {
      replica ??= openReplica(binding, meter);
      return replica;
    },
    meter,
    masterKey: env.MASTER_KEY,
    secondMasterKey: secondMasterKey(env),
    ownUrl: ownUrl(env, name),
    outgoingMail: { binding: env.MAIL, from: env.MAIL_FROM },
    isWithinAddressLimit: (action, address) => isWithin(env.IP_RATE_LIMITER, `${name}/${action}/${address}`),
    isWithinVisitorLimit: (action, address) => isWithin(env.VISITOR_RATE_LIMITER, `${name}/${action}/${address}`),
    files: openFiles(env.FILES, name),
    copies: env.BACKUPS && openBackupBucket(env.BACKUPS, name),
    scratch: env.SCRATCH_DATABASES && openTempDatabase(env.SCRATCH_DATABASES, name),
    reach: (authority) => getAuthorityClient(env, authority),
    get producer() {
      return softwareProducer(env);
    },
    get declaredProducer() {
      return declaredProducer(env);
    },
    print: (printout) => print(env.PRINTER, printout),
    waitUntil,
    remembersReadings: isSearchCacheEnabled(env),
    answeredOnce: (question, ask) =>
      isSearchCacheEnabled(env) ? dedupeRequest({ name, now, waitUntil }, question, ask) : ask(),
    cart: (id) => openCart(env, { account: name, name: `cart/${id}`, meter }),
    transferCart: (id) => openCart(env, { account: name, name: `transfer-cart/${id}`, meter }),
    freshSnapshot,
    snapshot: async () => {
      const known = snapshotCache.get(name);
      const age = known ? now - known.readAt : Number.POSITIVE_INFINITY;
      // Read anew in good time, beside what is asked: nobody waits for it, and no request pays for it.
      if (age >= REVALIDATE_AFTER_MS && age < SNAPSHOT_MILLISECONDS && waitUntil && !revalidatingAccounts.has(name)) {
        revalidatingAccounts.add(name);
        const reading = readSnapshot(openDatabase(binding, newMeter()), name, now);
        waitUntil(reading.catch(() => undefined).finally(() => revalidatingAccounts.delete(name)));
      }
      return known && age < SNAPSHOT_MILLISECONDS ? known.snapshot : freshSnapshot();
    },
  };
}

async function readSnapshot(db: Database, name: string, now: number): Promise<Snapshot> {
  const snapshot = await findSnapshot(db);
  if (!snapshot) throw new AccountNotReady(`account ${name} has no settings`);
  // A trigger cannot ask what time it is in a zone: whoever reads the catalogue tells it
  // (docs/interfaces/rules.md#overdue).
  const { timezone } = snapshot.catalogue.settings;
  const clock = unknownClock(timezone, snapshot.clocks, now);
  if (clock) await saveClock(db, timezone, clock);
  cacheSnapshot(name, snapshot, now);
  return snapshot;
}

async function isWithin(limit: RateLimit | undefined, key: string): Promise<boolean> {
  return (await limit?.limit({ key }))?.success ?? true;
}

function cacheSnapshot(name: string, snapshot: Snapshot, readAt: number): void {
  snapshotCache.delete(name);
  snapshotCache.set(name, { snapshot, readAt });
  const [oldest] = snapshotCache.keys();
  if (snapshotCache.size > MAX_CACHED_ACCOUNTS && oldest !== undefined) snapshotCache.delete(oldest);
}
