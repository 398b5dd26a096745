import { env } from "cloudflare:workers";
import { beforeEach, describe, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { createCart, createCheckout, parseJson } from "#support/website.ts";
import { requestWorker } from "#support/worker.ts";
import type { ShoppingCart } from "#worker/carts/shopping-cart.ts";

// Errors that Cloudflare throws for Durable Objects. The local runtime throws none of them.

const retryable = () => Object.assign(new Error("internal error; reference = x"), { retryable: true });
const codeUpdated = () => new Error("Durable Object reset because its code was updated.");
const connectionLost = () => new Error("Network connection lost.");
const overloaded = () =>
  Object.assign(new Error("Durable Object is overloaded. Too many requests queued."), {
    overloaded: true,
    retryable: true,
  });

interface Faults {
  readonly error: () => Error;
  readonly times: number;
  /** Whether the call is done, and only its answer is lost. */
  readonly isAfterCall: boolean;
}

/** Environment whose cart objects fail, each stub only once, as a broken stub stays broken. */
function withFaults({ error, times, isAfterCall }: Faults) {
  const carts = env.SHOPPING_CARTS as unknown as DurableObjectNamespace<ShoppingCart>;
  let faults = times;
  const counts = { calls: 0 };
  const broken = (stub: DurableObjectStub<ShoppingCart>) => {
    let brokenBy: Error | undefined;
    return new Proxy(stub, {
      get:
        (_, method: keyof ShoppingCart) =>
        async (...args: unknown[]) => {
          counts.calls += 1;
          if (brokenBy) throw brokenBy;
          const call = async () => Reflect.apply(Reflect.get(stub, method) as () => unknown, stub, args);
          if (faults-- <= 0) return call();
          if (isAfterCall) await call();
          brokenBy = error();
          throw brokenBy;
        },
    });
  };
  const namespace = {
    idFromName: (name: string) => carts.idFromName(name),
    get: (id: DurableObjectId) => broken(carts.get(id)),
  };
  return { bindings: { ...env, SHOPPING_CARTS: namespace } as unknown as Cloudflare.Env, counts };
}

const ENGINE = "http://acme.localhost:8787/api/booking/frontend";
const post = (path: string, body: unknown, bindings: Cloudflare.Env) =>
  requestWorker(
    ENGINE + path,
    {
      method: "POST",
      headers: { Origin: "https://shop.example", "Content-Type": "application/json" },
      body: encodeURIComponent(JSON.stringify(body)),
    },
    bindings,
  );

beforeEach(() => setUpCompany());

describe.each([
  ["a retryable error", retryable],
  ["an update of the code", codeUpdated],
  ["a lost connection", connectionLost],
])("%s when a cart's Durable Object is called", (_, error) => {
  test.each([
    ["before the call", false],
    ["after the call", true],
  ])("retries if the cart's Durable Object fails %s, and makes the cart change once", async (_, isAfterCall) => {
    const id = await createCart("A");
    const { bindings, counts } = withFaults({ error, times: 1, isAfterCall });
    const answer = await post(`/shopping-cart/${id}/set-product`, { product: "C", quantity: 1 }, bindings);
    expect(answer.status).toBe(200);
    expect((await parseJson(answer)).shopping_cart.items).toMatchObject([{ item_id: "C", quantity: 1 }]);
    expect(counts.calls).toBeGreaterThan(1);
  });

  test("creates one booking if the cart's Durable Object fails during a checkout", async () => {
    const id = await createCart("A");
    const { bindings } = withFaults({ error, times: 2, isAfterCall: true });
    const answer = await post(`/shopping-cart/${id}/checkout`, createCheckout(), bindings);
    expect(answer.status).toBe(200);
    const count = await env.TENANT_ACME.prepare("SELECT count(*) AS n FROM bookings").first("n");
    expect(count).toBe(1);
  });

  test("answers 503 with Retry-After, never 500, to a lasting error of the cart's Durable Object", async () => {
    const id = await createCart("A");
    const { bindings } = withFaults({ error, times: 100, isAfterCall: false });
    const answer = await post(`/shopping-cart/${id}/set-product`, { product: "C", quantity: 1 }, bindings);
    expect([answer.status, answer.headers.has("Retry-After")]).toEqual([503, true]);
  });
});

test("answers 503 with Retry-After for a cart's overloaded Durable Object, without a retry", async () => {
  const id = await createCart("A");
  const { bindings, counts } = withFaults({ error: overloaded, times: 100, isAfterCall: false });
  const answer = await post(`/shopping-cart/${id}/set-product`, { product: "C", quantity: 1 }, bindings);
  expect([answer.status, answer.headers.has("Retry-After")]).toEqual([503, true]);
  expect(counts.calls).toBe(1);
});

test("reports a conflict for another visitor's identical cart change, instead of treating it as a retry", async () => {
  const id = await createCart("A");
  const carts = env.SHOPPING_CARTS as unknown as DurableObjectNamespace<ShoppingCart>;
  const cart = carts.get(carts.idFromName(`t/acme/cart/${id}`));
  const stored = await cart.read("acme");
  if (!stored) throw new Error("the cart is gone");
  const save = (changeId: string) => cart.save("acme", stored.cart, stored.version, changeId);
  expect([await save("one"), await save("one"), await save("other")]).toEqual(["saved", "saved", "changed"]);
});
