import { DurableObject } from "cloudflare:workers";
import type { Cart } from "#domain/bookings/carts.ts";
import type { TransferCart } from "#domain/transfers/carts.ts";

/** The carts of the two engines. An object keeps one for life and never looks into it. */
export type LiveCart = Cart | TransferCart;

/** What a cart object answers about its cart. */
export interface StoredCart<C = LiveCart> {
  readonly cart: C;
  /** Moves with every change: who saves says which one it read. */
  readonly version: number;
}

export type PlacementState<C = LiveCart> =
  | { readonly kind: "open"; readonly cart: C }
  | { readonly kind: "done"; readonly answer: string }
  /** It is not the version that was seen. */
  | { readonly kind: "changed" };

/** How long one checkout keeps the cart from changing, should nobody end it. */
const CHECKOUT_MILLISECONDS = 30_000;
/** How long a cart that became a booking still answers its checkout. */
const CART_CACHE_MS = 600_000;

/**
 * One live cart, of a rental or a transfer: a lock with a memory. What it knows is in its storage, so that eviction and
 * restarts change nothing; it dies by its alarm when abandoned. The rules of carts are the domain's.
 */
export class ShoppingCart extends DurableObject {
  #hasTable = false;

  /** Begins the cart's life. The account it is born in is the only one it ever answers. */
  async create(account: string, cart: LiveCart, idleMilliseconds: number): Promise<void> {
    const expiresAt = Date.now() + idleMilliseconds;
    this.ctx.storage.sql.exec(`CREATE TABLE IF NOT EXISTS cart (
      id INTEGER PRIMARY KEY CHECK (id = 1), account TEXT NOT NULL, version INTEGER NOT NULL, body TEXT NOT NULL,
      idle_ms INTEGER NOT NULL, expires_at INTEGER NOT NULL, checkout_until INTEGER NOT NULL DEFAULT 0, answer TEXT)`);
    this.ctx.storage.sql.exec(
      "INSERT INTO cart (id, account, version, body, idle_ms, expires_at) VALUES (1, ?, 1, ?, ?, ?)",
      account,
      JSON.stringify(cart),
      idleMilliseconds,
      expiresAt,
    );
    await this.ctx.storage.setAlarm(expiresAt);
  }

  /**
   * The cart while it lives; undefined when there is none, it has expired, become a booking, or is another account's.
   */
  read(account: string): StoredCart | undefined {
    const row = this.#row(account);
    return row && row.answer === null ? { cart: JSON.parse(row.body), version: row.version } : undefined;
  }

  /** Keeps a changed cart, if it is still the version that was read and nobody is checking it out. */
  save(account: string, cart: LiveCart, version: number): "saved" | "changed" | "placing" | "gone" {
    const row = this.#row(account);
    if (!row || row.answer !== null) return "gone";
    if (row.checkout_until > Date.now()) return "placing";
    if (row.version !== version) return "changed";
    // The alarm stays where it is: it finds the new end and waits on.
    this.ctx.storage.sql.exec(
      "UPDATE cart SET body = ?, version = version + 1, expires_at = ?",
      JSON.stringify(cart),
      Date.now() + row.idle_ms,
    );
    return "saved";
  }

  /**
   * Begins a checkout, of the version that was seen where it is said: the cart does not change until it ends, or half a
   * minute has passed.
   */
  beginPlacement(account: string, seenVersion?: number): PlacementState | undefined {
    const row = this.#row(account);
    if (!row) return undefined;
    if (seenVersion !== undefined && row.version !== seenVersion) return { kind: "changed" };
    if (row.answer !== null) return { kind: "done", answer: row.answer };
    this.ctx.storage.sql.exec("UPDATE cart SET checkout_until = ?", Date.now() + CHECKOUT_MILLISECONDS);
    return { kind: "open", cart: JSON.parse(row.body) };
  }

  /** Ends a checkout that made no booking: the visitor can change the cart again. */
  releasePlacement(account: string): void {
    if (this.#row(account)) this.ctx.storage.sql.exec("UPDATE cart SET checkout_until = 0");
  }

  /** Ends the cart as a booking. Asked again it answers the same for ten minutes, then it is gone. */
  async finishPlacement(account: string, answer: string): Promise<string> {
    const row = this.#row(account);
    if (!row) return answer;
    if (row.answer !== null) return row.answer;
    const expiresAt = Date.now() + CART_CACHE_MS;
    this.ctx.storage.sql.exec("UPDATE cart SET answer = ?, expires_at = ?", answer, expiresAt);
    await this.ctx.storage.setAlarm(expiresAt);
    return answer;
  }

  /** Ends an abandoned cart. Fired early, or twice, it does no harm. */
  override async alarm(): Promise<void> {
    const [row] = this.#rows();
    if (row && row.expires_at > Date.now()) await this.ctx.storage.setAlarm(row.expires_at);
    else {
      this.#hasTable = false;
      await this.ctx.storage.deleteAll();
    }
  }

  #row(account: string): CartRow | undefined {
    const [row] = this.#rows();
    return row && row.account === account && row.expires_at > Date.now() ? row : undefined;
  }

  #rows(): CartRow[] {
    const { sql } = this.ctx.storage;
    this.#hasTable ||= sql.exec("SELECT 1 FROM sqlite_master WHERE name = 'cart'").toArray().length > 0;
    return this.#hasTable ? sql.exec<CartRow>("SELECT * FROM cart").toArray() : [];
  }
}

type CartRow = {
  account: string;
  version: number;
  body: string;
  idle_ms: number;
  expires_at: number;
  checkout_until: number;
  answer: string | null;
};
