import type { Cart } from "#domain/bookings/carts.ts";
import type { TransferCart } from "#domain/transfers/carts.ts";
import { findSnapshot, type Snapshot } from "#worker/store/catalogue/catalogue.ts";
import type { RememberedAccount } from "#worker/store/catalogue/read-fresh.ts";
import type { KeptCart, LiveCart, PlacementState, ShoppingCart } from "../carts/shopping-cart.ts";
import { type Database, type Meter, newMeter, openDatabase, openReplica } from "../store/database.ts";

/** One account, resolved once for a request. Whoever holds it can reach this account's data and nobody else's. */
export interface Tenant extends RememberedAccount {
  readonly name: string;
  readonly meter: Meter;
  /** For searches and lists: a copy of the database may answer, a moment old. Nothing is decided on it (decision 0014). */
  readonly replica: Database;
  /** Opens this account's sealed secrets; so does the second, while the master key is being changed (decision 0016). */
  readonly masterKey: string;
  readonly secondMasterKey: string | undefined;
  /** Where the account is served by this deployment, never taken from a request: for links where the company has no address of its own. */
  readonly ownUrl: string;
  readonly outgoingMail: { readonly binding: SendEmail; readonly from: string };
  /** Whether an address may do something now: the quick limit of the place on the edge, before the database's own. */
  isWithinAddressLimit(action: string, address: string): Promise<boolean>;
  /** Photos and signatures of this account. */
  readonly files: FileStore;
  /** The live cart of that id, whether it exists or not: the object says. */
  cart(id: string): CartObject<Cart>;
  /** The live cart of a transfer; its ids are no carts of rentals. */
  transferCart(id: string): CartObject<TransferCart>;
}

/** This account's objects by their path; nobody else's can be named. */
export interface FileStore {
  /** Creates the object, once: the same path again keeps what is there. `sha256` in hex is checked by the store itself. */
  put(
    path: string,
    bytes: ArrayBuffer | ArrayBufferView,
    about: { readonly sha256: string; readonly contentType: string },
  ): Promise<void>;
  has(path: string): Promise<boolean>;
  /** Writes an object of whatever length, part by part; one that breaks off leaves nothing. */
  putStream(path: string, stream: ReadableStream<Uint8Array>, contentType: string): Promise<void>;
  get(path: string): Promise<ReadableStream | undefined>;
}

/** A live cart of this account, see `ShoppingCart`; each call is a round trip to its object. */
export interface CartObject<C extends LiveCart> {
  create(cart: C, idleMilliseconds: number): Promise<void>;
  read(): Promise<KeptCart<C> | undefined>;
  save(cart: C, version: number): Promise<"saved" | "changed" | "placing" | "gone">;
  beginPlacement(): Promise<PlacementState<C> | undefined>;
  releasePlacement(): Promise<void>;
  finishPlacement(answer: string): Promise<string>;
}

/** The account has a database, but its settings are not there yet. */
export class AccountNotReady extends Error {
  override readonly name = "AccountNotReady";
}

// A revoked key dies within a minute.
const SNAPSHOT_MILLISECONDS = 60_000;
const REMEMBERED_ACCOUNTS = 50;
const ACCOUNT_NAME = /^[a-z][a-z0-9-]{1,30}$/;
const remembered = new Map<string, { readonly snapshot: Snapshot; readonly readAt: number }>();

export type Site =
  | { readonly kind: "account"; readonly tenant: Tenant }
  | { readonly kind: "base" }
  | { readonly kind: "unknown" };

/** What a host stands for: the bare base domain, an account one label below it, or nothing (decisions, section 1). */
export function resolveSite(env: Cloudflare.Env, url: string, now: number): Site {
  const host = new URL(url).hostname.toLowerCase().replace(/\.$/, "");
  const base = env.BASE_DOMAIN.toLowerCase();
  if (host === base) return { kind: "base" };
  if (!host.endsWith(`.${base}`)) return { kind: "unknown" };
  const name = host.slice(0, -base.length - 1);
  const binding = findBinding(env, name);
  return binding ? { kind: "account", tenant: openTenant(env, name, binding, now) } : { kind: "unknown" };
}

/** The accounts of this deployment, or those of them whose names are wanted: for what no account asked for. */
export function openAccounts(
  env: Cloudflare.Env,
  now: number,
  isWanted: (name: string) => boolean = () => true,
): readonly Tenant[] {
  return listAccountNames(env)
    .filter(isWanted)
    .flatMap((name) => {
      const binding = findBinding(env, name);
      return binding ? [openTenant(env, name, binding, now)] : [];
    });
}

/** Whether answers say what they cost at the database: in development, tests and measurements. */
export function showsServerTiming(env: Cloudflare.Env): boolean {
  return env.SERVER_TIMING === "on";
}

/** Whether each request leaves a line in the log, or only what went wrong. */
export function logsRequests(env: Cloudflare.Env): boolean {
  return env.LOG_LEVEL !== "error";
}

/** Where requests are counted, in deployments that bind a dataset of Analytics Engine. */
export function requestsDataset(env: Cloudflare.Env): AnalyticsEngineDataset | undefined {
  const dataset: unknown = Reflect.get(env, "REQUESTS");
  return typeof dataset === "object" && dataset !== null && "writeDataPoint" in dataset
    ? (dataset as AnalyticsEngineDataset)
    : undefined;
}

/** The accounts of this deployment, by name. */
export function listAccountNames(env: Cloudflare.Env): string[] {
  return Object.keys(env)
    .filter((key) => key.startsWith("TENANT_"))
    .map((key) => key.slice("TENANT_".length).toLowerCase().replaceAll("_", "-"))
    .filter((name) => findBinding(env, name));
}

function findBinding(env: Cloudflare.Env, name: string): D1Database | undefined {
  if (!ACCOUNT_NAME.test(name)) return undefined;
  const binding: unknown = Reflect.get(env, `TENANT_${name.toUpperCase().replaceAll("-", "_")}`);
  return typeof binding === "object" && binding !== null && "batch" in binding ? (binding as D1Database) : undefined;
}

function openTenant(env: Cloudflare.Env, name: string, binding: D1Database, now: number): Tenant {
  const meter = newMeter();
  const db = openDatabase(binding, meter);
  const freshSnapshot = async () => {
    const snapshot = await findSnapshot(db);
    if (!snapshot) throw new AccountNotReady(`account ${name} has no settings`);
    remember(name, snapshot, now);
    return snapshot;
  };
  return {
    name,
    db,
    replica: openReplica(binding, meter),
    meter,
    masterKey: env.MASTER_KEY,
    secondMasterKey: secondMasterKey(env),
    ownUrl: ownUrl(env, name),
    outgoingMail: { binding: env.MAIL, from: env.MAIL_FROM },
    isWithinAddressLimit: async (action, address) => {
      const { success } = await env.ADDRESS_LIMIT.limit({ key: `${name}/${action}/${address}` });
      return success;
    },
    files: openFiles(env.FILES, name),
    cart: (id) => openCart(env, name, `cart/${id}`),
    transferCart: (id) => openCart(env, name, `transfer-cart/${id}`),
    freshSnapshot,
    snapshot: async () => {
      const known = remembered.get(name);
      return known && now - known.readAt < SNAPSHOT_MILLISECONDS ? known.snapshot : freshSnapshot();
    },
  };
}

// A secret that is there only for some weeks: no type of the configuration names it.
function secondMasterKey(env: Cloudflare.Env): string | undefined {
  const key: unknown = Reflect.get(env, "SECOND_MASTER_KEY");
  return typeof key === "string" && key !== "" ? key : undefined;
}

function ownUrl(env: Cloudflare.Env, name: string): string {
  const host = `${name}.${env.BASE_DOMAIN}`;
  return DEVELOPMENT_BUILD ? `http://${host}:${env.DEVELOPMENT_PORT}` : `https://${host}`;
}

function openFiles(bucket: R2Bucket, account: string): FileStore {
  const keyOf = (path: string) => `t/${account}/${path}`;
  return {
    put: async (path, bytes, { sha256, contentType }) => {
      await bucket.put(keyOf(path), bytes, {
        sha256,
        httpMetadata: { contentType },
        onlyIf: { etagDoesNotMatch: "*" },
      });
    },
    putStream: async (path, stream, contentType) => {
      await uploadInParts(bucket, keyOf(path), stream, contentType);
    },
    has: async (path) => (await bucket.head(keyOf(path))) !== null,
    get: async (path) => (await bucket.get(keyOf(path)))?.body,
  };
}

// All parts but the last are of one length, at least 5 MiB.
const PART_BYTES = 8 * 1024 * 1024;

async function uploadInParts(
  bucket: R2Bucket,
  key: string,
  stream: ReadableStream<Uint8Array>,
  contentType: string,
): Promise<void> {
  const upload = await bucket.createMultipartUpload(key, { httpMetadata: { contentType } });
  const parts: R2UploadedPart[] = [];
  try {
    let part = new Uint8Array(PART_BYTES);
    let filled = 0;
    for await (const chunk of stream) {
      for (let taken = 0; taken < chunk.length; ) {
        const some = chunk.subarray(taken, taken + PART_BYTES - filled);
        part.set(some, filled);
        filled += some.length;
        taken += some.length;
        if (filled < PART_BYTES) continue;
        parts.push(await upload.uploadPart(parts.length + 1, part));
        part = new Uint8Array(PART_BYTES);
        filled = 0;
      }
    }
    if (filled > 0 || parts.length === 0) {
      parts.push(await upload.uploadPart(parts.length + 1, part.subarray(0, filled)));
    }
    await upload.complete(parts);
  } catch (error) {
    await upload.abort();
    throw error;
  }
}

// Under its name an object keeps what it was created with: a cart of that engine.
function openCart<C extends LiveCart>(env: Cloudflare.Env, account: string, name: string): CartObject<C> {
  const carts = env.SHOPPING_CARTS as DurableObjectNamespace<ShoppingCart>;
  const object = carts.get(carts.idFromName(`t/${account}/${name}`));
  return {
    create: async (cart, idleMilliseconds) => object.create(account, cart, idleMilliseconds),
    read: async () => (await object.read(account)) as KeptCart<C> | undefined,
    save: async (cart, version) => object.save(account, cart, version),
    beginPlacement: async () => (await object.beginPlacement(account)) as PlacementState<C> | undefined,
    releasePlacement: async () => object.releasePlacement(account),
    finishPlacement: async (answer) => object.finishPlacement(account, answer),
  };
}

function remember(name: string, snapshot: Snapshot, readAt: number): void {
  remembered.delete(name);
  remembered.set(name, { snapshot, readAt });
  const [oldest] = remembered.keys();
  if (remembered.size > REMEMBERED_ACCOUNTS && oldest !== undefined) remembered.delete(oldest);
}
