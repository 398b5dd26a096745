import { DurableObject } from "cloudflare:workers";
import type { Cart } from "#domain/bookings/carts.ts";
import type { TransferCart } from "#domain/transfers/carts.ts";

/** Carts of the two engines. A Durable Object stores one cart for its lifetime and doesn't interpret the content. */
export type RentalOrTransferCart = Cart | TransferCart;

/** Stored cart returned by a cart object. */
export interface StoredCart<C = RentalOrTransferCart> {
  readonly cart: C;
  /** Increases with every change. Writers pass the version that they read. */
  readonly version: number;
}

/** Cart at its checkout: open, already checked out with its answer, or changed. */
export type CartCheckoutState<C = RentalOrTransferCart> =
  | { readonly kind: "open"; readonly cart: C }
  | { readonly kind: "done"; readonly answer: string }
  /** The version differs from the one that was seen. */
  | { readonly kind: "changed" };

/** Maximum time for which a checkout locks the cart if it doesn't finish. */
const CHECKOUT_MILLISECONDS = 30_000;
/** Time for which a booked cart still answers its checkout. */
const CART_CACHE_MS = 600_000;

/**
 * Active cart of a rental or a transfer, with a checkout lock. Its state is in storage, so that evictions and restarts
 * lose nothing. An alarm deletes it when abandoned. The domain contains the rules of carts.
 */
export class ShoppingCart extends DurableObject {
  #hasTable = false;

  /** Creates the cart. Only the account that created it can access it. */
  async create(account: string, cart: RentalOrTransferCart, idleMilliseconds: number): Promise<void> {
    const expiresAt = Date.now() + idleMilliseconds;
    this.ctx.storage.sql.exec(`CREATE TABLE IF NOT EXISTS cart (
      id INTEGER PRIMARY KEY CHECK (id = 1), account TEXT NOT NULL, version INTEGER NOT NULL, body TEXT NOT NULL,
      idle_ms INTEGER NOT NULL, expires_at INTEGER NOT NULL, checkout_until INTEGER NOT NULL DEFAULT 0, answer TEXT,
      change_id TEXT)`);
    this.ctx.storage.sql.exec(
      // The caller repeats the creation if the response was lost. Cart ids are random, so an existing row is the same
      // cart.
      "INSERT INTO cart (id, account, version, body, idle_ms, expires_at) VALUES (1, ?, 1, ?, ?, ?) ON CONFLICT DO NOTHING",
      account,
      JSON.stringify(cart),
      idleMilliseconds,
      expiresAt,
    );
    await this.ctx.storage.setAlarm(expiresAt);
  }

  /** Returns the active cart. Undefined if it's missing, expired, booked, or belongs to another account. */
  read(account: string): StoredCart | undefined {
    const row = this.#row(account);
    return row && row.answer === null ? { cart: JSON.parse(row.body), version: row.version } : undefined;
  }

  /**
   * Saves a changed cart if it still has the version that was read and no checkout is running. A repeated call with the
   * same `changeId` gives the same result.
   */
  save(
    account: string,
    cart: RentalOrTransferCart,
    version: number,
    changeId: string | null = null,
  ): "saved" | "changed" | "placing" | "gone" {
    const row = this.#row(account);
    if (!row || row.answer !== null) return "gone";
    if (changeId !== null && row.change_id === changeId) return "saved";
    if (row.checkout_until > Date.now()) return "placing";
    if (row.version !== version) return "changed";
    // The alarm isn't moved. When it fires before the new expiry, it sets itself again.
    this.ctx.storage.sql.exec(
      "UPDATE cart SET body = ?, version = version + 1, expires_at = ?, change_id = ?",
      JSON.stringify(cart),
      Date.now() + row.idle_ms,
      changeId,
    );
    return "saved";
  }

  /**
   * Starts a checkout, of the seen version if it's given. Locks the cart until the checkout ends, or for half a minute.
   */
  beginPlacement(account: string, seenVersion?: number): CartCheckoutState | undefined {
    const row = this.#row(account);
    if (!row) return undefined;
    if (seenVersion !== undefined && row.version !== seenVersion) return { kind: "changed" };
    if (row.answer !== null) return { kind: "done", answer: row.answer };
    this.ctx.storage.sql.exec("UPDATE cart SET checkout_until = ?", Date.now() + CHECKOUT_MILLISECONDS);
    return { kind: "open", cart: JSON.parse(row.body) };
  }

  /** Ends a checkout without a booking, so that the visitor can change the cart again. */
  releasePlacement(account: string): void {
    if (this.#row(account)) this.ctx.storage.sql.exec("UPDATE cart SET checkout_until = 0");
  }

  /** Ends the cart as a booking. Repeated calls return the same result for ten minutes, then the cart is deleted. */
  async finishPlacement(account: string, answer: string): Promise<string> {
    const row = this.#row(account);
    if (!row) return answer;
    if (row.answer !== null) return row.answer;
    const expiresAt = Date.now() + CART_CACHE_MS;
    this.ctx.storage.sql.exec("UPDATE cart SET answer = ?, expires_at = ?", answer, expiresAt);
    await this.ctx.storage.setAlarm(expiresAt);
    return answer;
  }

  /** Deletes an abandoned cart. Safe to run early or twice. */
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
  change_id: string | null;
};
