import type { Cart } from "#domain/bookings/carts.ts";
import type { Printout } from "#domain/printing/printout.ts";
import type { ConfiguredProducer } from "#domain/tax-records/declaration.ts";
import type { TransferCart } from "#domain/transfers/carts.ts";
import { type CatalogueSnapshot, readCatalogueSnapshot } from "#worker/store/catalogue/catalogue.ts";
import { catalogueVersionQuery } from "#worker/store/catalogue/catalogue-rows.ts";
import { saveUtcOffsetChanges } from "#worker/store/catalogue/clock.ts";
import type { AccountWithCachedCatalogue } from "#worker/store/catalogue/read-fresh.ts";
import {
  createUsageMeter,
  type Database,
  type DatabaseUsageMeter,
  openDatabase,
  openReplica,
} from "#worker/store/database.ts";
import {
  type Authority,
  type AuthorityClient,
  getAuthorityClient,
  getSoftwareProducer,
  readConfiguredProducer,
  type SoftwareProducer,
} from "./authorities.ts";
import { type BoundDatabase, findJurisdictionBucket } from "./bindings.ts";
import { type CartObject, openCartObject } from "./cart-objects.ts";
import { findMissingUtcOffsetChanges } from "./clock.ts";
import { createAccountUrl, getSecondMasterKey, isSearchCacheEnabled } from "./deployment.ts";
import { type BackupBucket, type FileStore, openAccountFiles, openBackupBucket } from "./file-store.ts";
import { printToPdf } from "./printer.ts";
import { dedupeRequest, type WaitUntil } from "./request-dedupe.ts";
import { CatalogueSnapshotCache } from "./snapshot-cache.ts";
import { openTempDatabase, type TempDatabaseClient } from "./temp-database.ts";

/** One account, resolved once per request. It only gives access to this account's data. */
export interface Tenant extends AccountWithCachedCatalogue {
  readonly name: string;
  readonly meter: DatabaseUsageMeter;
  /** Read replica for searches and lists, slightly delayed. No decisions are based on it (decision 0014). */
  readonly replica: Database;
  /** Keys that decrypt this account's secrets. The second one is set during a key change (decision 0016). */
  readonly masterKey: string;
  readonly secondMasterKey: string | undefined;
  /** URL of the account in this deployment, never derived from a request. For links if the company has no URL. */
  readonly ownUrl: string;
  readonly outgoingMail: { readonly binding: SendEmail; readonly from: string };
  /**
   * Whether an address may perform an action now. Fast limit of the edge location, checked before the database's limit.
   */
  isWithinAddressLimit(action: string, address: string): Promise<boolean>;
  /** Rate limit for frequent visitor actions, such as carts and forms. */
  isWithinVisitorLimit(action: string, address: string): Promise<boolean>;
  /** Photos and signatures of this account. */
  readonly files: FileStore;
  /** Backups. Undefined if the deployment binds no bucket for them, for example in the Worker that answers requests. */
  readonly copies: BackupBucket | undefined;
  /** Temporary databases. Undefined if the deployment binds none, for example in the Worker that answers requests. */
  readonly scratch: TempDatabaseClient | undefined;
  /** Prints a PDF with the printer, a separate Worker. Returns its bytes. */
  print(printout: Printout): Promise<Uint8Array<ArrayBuffer>>;
  /** Returns the client for an authority. Undefined if the deployment has none. */
  reach(authority: Authority): AuthorityClient | undefined;
  /** Producer responsible for the software. Undefined if the deployment doesn't set the required data. */
  readonly producer: SoftwareProducer | undefined;
  /** Configured producer data, possibly incomplete. */
  readonly declaredProducer: ConfiguredProducer;
  /** Lets work continue after the request ended. Undefined without a request, for example in the cron job. */
  readonly waitUntil: WaitUntil | undefined;
  /** Whether the isolate may cache data together with the account state that validates it. */
  readonly canCacheReads: boolean;
  /**
   * Shares the answer between requests with the same key within a second, unless this isolate wrote since, if the
   * deployment caches answers. The key must contain everything that the answer depends on. No decision may use it.
   */
  shareAnswer<T>(requestKey: string, ask: () => Promise<T>): Promise<T>;
  /** Returns the cart object with this id, even if the cart doesn't exist. */
  cart(id: string): CartObject<Cart>;
  /** Returns the transfer cart object. Its ids differ from those of rental carts. */
  transferCart(id: string): CartObject<TransferCart>;
}

/** The account has a database, but no settings yet. */
export class AccountNotReadyError extends Error {
  override readonly name = "AccountNotReady";
}

// Maximum age of a snapshot, so that a revoked key stops working within a minute.
const SNAPSHOT_MILLISECONDS = 60_000;
const REVALIDATE_AFTER_MS = 45_000;
const revalidatingAccounts = new Set<string>();
/** Snapshots of this isolate, by account and slot. */
export const snapshotCache = new CatalogueSnapshotCache();

/** Opens an account for one request. */
export function openTenant(
  env: Cloudflare.Env,
  name: string,
  { binding, jurisdiction, slot }: BoundDatabase,
  now: number,
  waitUntil?: WaitUntil,
): Tenant {
  const meter = createUsageMeter();
  const db = openDatabase(binding, meter);
  // Another database of the same name, after a move, has its own versions.
  const cacheKey = slot === undefined ? name : `${name} ${slot}`;
  const backups = findJurisdictionBucket(env, "BACKUPS", jurisdiction);
  // The replica is opened on demand, because most requests need only the replica or the primary database.
  let replica: Database | undefined;
  const freshSnapshot = () => readSnapshot(db, { name, cacheKey }, now);
  return {
    name,
    db,
    get replica() {
      replica ??= openReplica(binding, meter);
      return replica;
    },
    meter,
    masterKey: env.MASTER_KEY,
    secondMasterKey: getSecondMasterKey(env),
    ownUrl: createAccountUrl(env, name),
    outgoingMail: { binding: env.MAIL, from: env.MAIL_FROM },
    isWithinAddressLimit: (action, address) => isWithin(env.IP_RATE_LIMITER, `${name}/${action}/${address}`),
    isWithinVisitorLimit: (action, address) => isWithin(env.VISITOR_RATE_LIMITER, `${name}/${action}/${address}`),
    files: openAccountFiles(findJurisdictionBucket(env, "FILES", jurisdiction) ?? env.FILES, name),
    copies: backups && openBackupBucket(backups, name),
    scratch: env.SCRATCH_DATABASES && openTempDatabase(env.SCRATCH_DATABASES, name, jurisdiction),
    reach: (authority) => getAuthorityClient(env, authority),
    get producer() {
      return getSoftwareProducer(env);
    },
    get declaredProducer() {
      return readConfiguredProducer(env);
    },
    print: (printout) => printToPdf(env.PRINTER, printout, { now }),
    waitUntil,
    canCacheReads: isSearchCacheEnabled(env),
    shareAnswer: (requestKey, ask) =>
      isSearchCacheEnabled(env) ? dedupeRequest({ name, now, waitUntil }, requestKey, ask) : ask(),
    cart: (id) => openCartObject(env, { account: name, name: `cart/${id}`, meter, jurisdiction }),
    transferCart: (id) => openCartObject(env, { account: name, name: `transfer-cart/${id}`, meter, jurisdiction }),
    freshSnapshot,
    confirmVersion: (version) => void snapshotCache.confirm(cacheKey, version, now),
    snapshot: async () => {
      const known = snapshotCache.get(cacheKey);
      const age = known ? now - known.readAt : Number.POSITIVE_INFINITY;
      // Refreshes the snapshot early in the background, so that no request waits for it.
      const isDue = age >= REVALIDATE_AFTER_MS && age < SNAPSHOT_MILLISECONDS;
      if (known && isDue && waitUntil && !revalidatingAccounts.has(cacheKey)) {
        revalidatingAccounts.add(cacheKey);
        const reading = revalidate(openDatabase(binding, createUsageMeter()), { name, cacheKey }, known.snapshot, now);
        waitUntil(reading.catch(() => undefined).finally(() => revalidatingAccounts.delete(cacheKey)));
      }
      if (!known) return freshSnapshot();
      return age < SNAPSHOT_MILLISECONDS ? known.snapshot : revalidate(db, { name, cacheKey }, known.snapshot, now);
    },
  };
}

interface Cached {
  readonly name: string;
  readonly cacheKey: string;
}

// Asks for the version only, because a catalogue rarely changes and has a thousand rows. Every table of the catalogue
// and the keys increases it.
async function revalidate(
  db: Database,
  account: Cached,
  known: CatalogueSnapshot,
  now: number,
): Promise<CatalogueSnapshot> {
  const { settings, version } = known.catalogue;
  if (findMissingUtcOffsetChanges(settings.timezone, known.clocks, now)) return readSnapshot(db, account, now);
  const [[current]] = await db.batch([catalogueVersionQuery(db)]);
  if (current?.version !== version || !snapshotCache.confirm(account.cacheKey, version, now))
    return readSnapshot(db, account, now);
  return known;
}

async function readSnapshot(db: Database, { name, cacheKey }: Cached, now: number): Promise<CatalogueSnapshot> {
  const snapshot = await readCatalogueSnapshot(db);
  if (!snapshot) throw new AccountNotReadyError(`account ${name} has no settings`);
  // Database triggers can't calculate times in a time zone. The code that reads the catalogue therefore
  // stores the zone's clock changes for them (docs/interfaces/rules.md#overdue-vehicles).
  const { timezone } = snapshot.catalogue.settings;
  const clock = findMissingUtcOffsetChanges(timezone, snapshot.clocks, now);
  if (clock) await saveUtcOffsetChanges(db, timezone, clock);
  snapshotCache.set(cacheKey, snapshot, now);
  return snapshot;
}

async function isWithin(limit: RateLimit | undefined, key: string): Promise<boolean> {
  return (await limit?.limit({ key }))?.success ?? true;
}
