import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from "cloudflare:test";
import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import type { Cart } from "#domain/bookings/carts.ts";
import type { CartCheckoutRequest } from "#domain/payments/checkout.ts";
import { createAgencyReservationBody, postAsAgency } from "#support/agency.ts";
import { setUpCompany, type TestCompany } from "#support/company.ts";
import { addFaults, openTestTenant, type RoundTripFault } from "#support/databases.ts";
import { chooseForGate } from "#support/gate-sample.ts";
import { checkOutCart, createCart, getAsWebsite, parseJson, sendAsWebsite } from "#support/website.ts";
import type { ShoppingCart, StoredCart } from "#worker/carts/shopping-cart.ts";
import type { CartObject } from "#worker/tenancy/cart-objects.ts";
import type { Tenant } from "#worker/tenancy/tenant.ts";
import { bookRentalCart } from "#worker/usecases/bookings/book-rental-cart.ts";
import { createFreeAccessId } from "#worker/usecases/shared/new-ids.ts";

let company: TestCompany;

beforeEach(async () => {
  company = await setUpCompany();
});

function getCartObject(id: string, account = "acme") {
  const carts = env.SHOPPING_CARTS as unknown as DurableObjectNamespace<ShoppingCart>;
  return carts.get(carts.idFromName(`t/${account}/cart/${id}`));
}

/** Moves a cart's expiry into the past. */
function age(id: string) {
  return runInDurableObject(getCartObject(id), (_, state) => {
    state.storage.sql.exec("UPDATE cart SET expires_at = ?", Date.now() - 1);
  });
}

describe("a cart cached by an isolate", () => {
  const getRequestCost = (answer: Response) =>
    / objects=\d+ depth=\d+/.exec(answer.headers.get("Server-Timing") ?? "")?.[0];
  const readShownCart = async (id: string) =>
    (await parseJson(await getAsWebsite(`/shopping-cart/${id}`))).shopping_cart;
  const setProduct = (id: string, product: string, quantity = 1) =>
    sendAsWebsite("POST", `/shopping-cart/${id}/set-product`, { product, quantity });
  const remembering = { ...env, SEARCH_CACHE: "on" };
  const changeAtOnce = (id: string, action: string, content: unknown) =>
    sendAsWebsite("POST", `/shopping-cart/${id}/${action}`, content, { bindings: remembering });
  // Changes the same Durable Object from another isolate.
  const emptyCartElsewhere = async (id: string) => {
    const storedCart = (await getCartObject(id).read("acme")) as StoredCart<Cart>;
    expect(await getCartObject(id).save("acme", { ...storedCart.cart, products: [] }, storedCart.version)).toBe(
      "saved",
    );
  };

  test("changes a cached cart with one call of its Durable Object, and reads the database in parallel", async () => {
    const id = await createCart("A");
    expect(getRequestCost(await getAsWebsite(`/shopping-cart/${id}`))).toBe(" objects=1 depth=1");
    expect(getRequestCost(await setProduct(id, "C"))).toBe(" objects=1 depth=2");
    expect((await readShownCart(id)).items).toMatchObject([{ item_id: "C" }]);
  });

  test("sets a product or an extra in a cart with one Durable Object call once the isolate has cached the stock", async () => {
    const id = await createCart("A");
    await changeAtOnce(id, "set-product", { product: "A" });
    expect(getRequestCost(await changeAtOnce(id, "set-product", { product: "C" }))).toBe(" objects=1 depth=1");
    const answer = await changeAtOnce(id, "set-extra", { extra: "SEAT", quantity: 1 });
    expect(getRequestCost(answer)).toBe(" objects=1 depth=1");
    const { shopping_cart: shown } = await parseJson(answer);
    expect(shown).toMatchObject({ items: [{ item_id: "C" }], extras: [{ extra_id: "SEAT" }] });
    expect(await readShownCart(id)).toMatchObject({ items: shown.items, extras: shown.extras });
  });

  test("restores the previous cart if the chosen product was sold after the isolate cached the stock", async () => {
    const id = await createCart("A");
    await changeAtOnce(id, "set-product", { product: "A" });
    expect((await postAsAgency("/booking", createAgencyReservationBody({ products: [{ code: "C" }] }))).status).toBe(
      200,
    );
    const before = await getCartObject(id).read("acme");
    const refused = await changeAtOnce(id, "set-product", { product: "C" });
    expect(refused.status).toBe(409);
    // The cart was saved in parallel with the refusal and then restored, which makes two new versions.
    expect(await getCartObject(id).read("acme")).toEqual({ cart: before?.cart, version: Number(before?.version) + 2 });
    expect((await readShownCart(id)).items).toMatchObject([{ item_id: "A" }]);
  });

  test("shows changes of a cart that another isolate made", async () => {
    const id = await createCart("A");
    expect((await readShownCart(id)).items).toHaveLength(1);
    await emptyCartElsewhere(id);
    expect((await readShownCart(id)).items).toEqual([]);
  });

  test("applies a change to the cart's current state, which another isolate changed before", async () => {
    const id = await createCart("A");
    await sendAsWebsite("POST", `/shopping-cart/${id}/set-extra`, { extra: "SEAT", quantity: 1 });
    const storedCart = (await getCartObject(id).read("acme")) as StoredCart<Cart>;
    await getCartObject(id).save("acme", { ...storedCart.cart, extras: [] }, storedCart.version);
    expect((await parseJson(await setProduct(id, "C"))).shopping_cart).toMatchObject({
      items: [{ item_id: "C" }],
      extras: [],
    });
  });

  test("drops a cached cart when its Durable Object reports it as gone", async () => {
    const id = await createCart("A");
    await age(id);
    expect((await getAsWebsite(`/shopping-cart/${id}`)).status).toBe(404);
    expect((await setProduct(id, "C")).status).toBe(404);
  });
});

describe("a cart's Durable Object", () => {
  // Proves "rules.md: carts and checkout": Live carts are Durable Objects that survive eviction
  test("restores a cart after its Durable Object was evicted", async () => {
    const id = await createCart("A");
    await evictDurableObject(getCartObject(id));
    expect((await parseJson(await getAsWebsite(`/shopping-cart/${id}`))).shopping_cart).toMatchObject({
      item_cost: "90.00",
    });
  });

  // Proves "rules.md: carts and checkout": Gone after the account's idle time
  test("ends an abandoned cart by its alarm, and leaves nothing", async () => {
    const id = await createCart("A");
    await age(id);
    expect(await runDurableObjectAlarm(getCartObject(id))).toBe(true);
    expect((await getAsWebsite(`/shopping-cart/${id}`)).status).toBe(404);
    const tables = await runInDurableObject(getCartObject(id), (_, state) =>
      state.storage.sql.exec("SELECT name FROM sqlite_master WHERE name = 'cart'").toArray(),
    );
    expect(tables).toEqual([]);
  });

  test("returns no expired cart, even before the alarm deletes it", async () => {
    const id = await createCart("A");
    await age(id);
    expect((await getAsWebsite(`/shopping-cart/${id}`)).status).toBe(404);
    expect((await checkOutCart(id)).status).toBe(404);
  });

  test("keeps a cart that is still alive when the alarm fires early, or twice", async () => {
    const id = await createCart("A");
    expect(await runDurableObjectAlarm(getCartObject(id))).toBe(true);
    expect(await runDurableObjectAlarm(getCartObject(id))).toBe(true);
    expect((await getAsWebsite(`/shopping-cart/${id}`)).status).toBe(200);
  });

  // Proves "rules.md: carts and checkout": Answers the same booking for ten minutes, then 404
  test("returns the stored response to a repeated checkout for a while, then deletes the cart", async () => {
    const id = await createCart("A");
    const first = await parseJson(await checkOutCart(id));
    await evictDurableObject(getCartObject(id));
    expect(await parseJson(await checkOutCart(id))).toEqual(first);
    await age(id);
    await runDurableObjectAlarm(getCartObject(id));
    expect((await checkOutCart(id)).status).toBe(404);
  });

  test("returns the cart only to the account that created it", async () => {
    const id = await createCart("A");
    const object = getCartObject(id);
    expect(await object.read("globex")).toBeUndefined();
    expect(await object.beginPlacement("globex")).toBeUndefined();
    expect(await object.read("acme")).toBeDefined();
  });

  test("stores nothing when a request reads a cart by an id that was never used", async () => {
    const id = "f".repeat(32);
    expect((await getAsWebsite(`/shopping-cart/${id}`)).status).toBe(404);
    const size = await runInDurableObject(getCartObject(id), (_, state) =>
      state.storage.sql.exec("SELECT count(*) AS n FROM sqlite_master WHERE name NOT LIKE '\\_cf%' ESCAPE '\\'").one(),
    );
    expect(size).toEqual({ n: 0 });
  });

  test("rejects changes of a cart during its checkout", async () => {
    const id = await createCart("A");
    const object = getCartObject(id);
    const storedCart = await object.read("acme");
    await object.beginPlacement("acme");
    expect(storedCart && (await object.save("acme", storedCart.cart, storedCart.version))).toBe("placing");
    await object.releasePlacement("acme");
    expect(storedCart && (await object.save("acme", storedCart.cart, storedCart.version))).toBe("saved");
    expect(storedCart && (await object.save("acme", storedCart.cart, storedCart.version))).toBe("changed");
  });
});

const REQUEST: CartCheckoutRequest = {
  customer: { name: "Ana", surname: "Ruiz", email: "ana@example.com", phone: undefined, documentId: undefined },
  contractData: {},
  comments: undefined,
  language: "en",
  expectedTotalCents: undefined,
  paymentMethod: undefined,
};

/** Creates a tenant with database and cart faults, listed in call order. */
function createFaultyTenant(
  database: readonly RoundTripFault[],
  cart: readonly ("none" | "before" | "after")[],
): Tenant {
  const tenant = openTestTenant({ ...env, TENANT_ACME: addFaults(env.TENANT_ACME, database) });
  let call = 0;
  const killed = (object: CartObject<Cart>): CartObject<Cart> => {
    const step = async <T>(work: () => Promise<T>): Promise<T> => {
      const fault = cart[call++] ?? "none";
      if (fault === "before") throw new Error("killed");
      const result = await work();
      if (fault === "after") throw new Error("killed");
      return result;
    };
    return {
      create: (...creationArguments) => step(() => object.create(...creationArguments)),
      read: () => step(() => object.read()),
      save: (...creationArguments) => step(() => object.save(...creationArguments)),
      beginPlacement: (...creationArguments) => step(() => object.beginPlacement(...creationArguments)),
      releasePlacement: () => step(() => object.releasePlacement()),
      finishPlacement: (answer) => step(() => object.finishPlacement(answer)),
    };
  };
  return { ...tenant, cart: (id) => killed(tenant.cart(id)) };
}

describe("a checkout answered before its cart is deleted", () => {
  test("checks a cart out with one database call and two calls of its Durable Object, and deletes the cart", async () => {
    const id = await createCart("A");
    const answer = await checkOutCart(id);
    expect(answer.headers.get("Server-Timing")).toMatch(/calls=1 .* objects=2 depth=2"/);
    expect((await getAsWebsite(`/shopping-cart/${id}`)).status).toBe(404);
  });

  test.each(["before", "after"] as const)(
    "returns the same booking for a repeated checkout if the cart's Durable Object failed %s it stored the result",
    async (lossMoment) => {
      const id = await createCart("C");
      await openTestTenant(env).freshSnapshot();
      const notifications: Promise<unknown>[] = [];
      const tenant = {
        ...createFaultyTenant([], ["none", lossMoment]),
        waitUntil: (work: Promise<unknown>) => void notifications.push(work),
      };
      const placed = await bookRentalCart(tenant, id, REQUEST, { now: Date.now(), freeAccessId: createFreeAccessId() });
      expect((await Promise.allSettled(notifications)).map(({ status }) => status)).toEqual(["rejected"]);
      const again = await parseJson(await checkOutCart(id));
      expect(placed).toMatchObject({ ok: true, value: { bookingFreeAccessId: again.free_access_id } });
      expect(await company.db.prepare("SELECT count(*) AS n FROM bookings").first("n")).toBe(1);
      expect(await parseJson(await checkOutCart(id))).toEqual(again);
    },
  );
});

describe("an interrupted checkout", () => {
  // Proves "rules.md: carts and checkout": Checkout is once only under a crash between any two steps
  test.each(
    chooseForGate<[string, RoundTripFault[], ("none" | "before" | "after")[]]>(
      [
        ["before it begins", [], ["before"]],
        ["after it began", [], ["after"]],
        ["before the booking is written, without a retry", ["before"], []],
        ["after the stock was read", ["before", "none", "before"], []],
        ["while the booking is written", [{ delayMilliseconds: () => 1 }, "none"], ["none", "before"]],
        ["after the booking was written, whose response is lost", ["after"], []],
        ["after the booking was read and written, whose response is lost", ["before", "none", "after"], []],
        ["before the cart stores the booking", [], ["none", "before"]],
        ["after the cart stored the booking", [], ["none", "after"]],
      ],
      5,
    ),
  )("creates exactly one booking when a killed checkout is repeated: %s", async (_, database, cart) => {
    const id = await createCart("C");
    await openTestTenant(env).freshSnapshot();
    const context = { now: Date.now(), freeAccessId: createFreeAccessId() };
    await expect(bookRentalCart(createFaultyTenant(database, cart), id, REQUEST, context)).rejects.toThrow();
    const again = await parseJson(await checkOutCart(id));
    expect(again.free_access_id).toMatch(/^[0-9a-f]{32}$/);
    const { results } = await company.db.prepare("SELECT free_access_id FROM bookings").all();
    expect(results).toEqual([{ free_access_id: again.free_access_id }]);
    expect(await company.db.prepare("SELECT count(*) AS n FROM stock_allocations").first("n")).toBe(1);
    expect(await parseJson(await checkOutCart(id))).toEqual(again);
  });
});
