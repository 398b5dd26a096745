import "fake-indexeddb/auto";
import fc from "fast-check";
import { describe, expect, inject, test } from "vitest";
import type { Operation, OperationResult } from "#app/api/messages.ts";
import type { OutgoingRequest, Transport } from "#app/api/wire.ts";
import { findDraft } from "#app/offline/drafts.ts";
import type { WorkDraft } from "#app/offline/items.ts";
import { createBooking, createVehicle } from "#support/check-in/day.ts";
import { type CheckInServer, type CheckInServerFault, startCheckInServer } from "#support/check-in/server.ts";
import { createDraft, finish, type Phone, photograph, startPhone } from "./phone.ts";

// Tests the real outbox and sender on a surviving database, against an in-memory server and faulty networks. The model
// contains what was acknowledged to the user: photos taken and work finished. Each confirmed item is on the server
// exactly once, each unconfirmed one is in the outbox, and none is lost.

const BOOKINGS = 4;
let runs = 0;

interface Model {
  finished: string[];
}

interface Real {
  readonly name: string;
  readonly server: CheckInServer;
  phone: Phone;
  now: number;
  faults: CheckInServerFault[];
  isOffline: boolean;
  pictures: number;
  /** How the app interprets network responses. */
  readonly listen: (transport: Transport) => Transport;
  /** Maximum file size accepted by the server, in bytes. */
  largest: number;
}

type Step = fc.AsyncCommand<Model, Real>;

const step = (name: string, run: (model: Model, real: Real) => Promise<void>): Step => ({
  check: () => true,
  run: async (model, real) => {
    await run(model, real);
    await invariant(model, real);
  },
  toString: () => name,
});

async function openDraft(real: Real, booking: number): Promise<WorkDraft> {
  const fresh = createDraft(booking, "delivery", { vehicle_reference: `V000${booking}` });
  const storedDraft = await findDraft(real.phone.database, fresh.key);
  // A stored draft that can't be decrypted stays unchanged, and the new draft gets another key.
  return storedDraft === "locked" ? { ...fresh, key: `${fresh.key}:ana` } : (storedDraft ?? fresh);
}

async function restart(real: Real): Promise<void> {
  await real.phone.kill();
  real.phone = await startAgain(real);
}

async function startAgain(real: Omit<Real, "phone">): Promise<Phone> {
  const phone = await startPhone({
    name: real.name,
    transport: real.listen((outgoingRequest) => real.server.transport(outgoingRequest)),
    now: () => real.now,
  });
  await phone.signIn("ana");
  return phone;
}

const commands = [
  fc.integer({ min: 1, max: BOOKINGS }).map((booking) =>
    step(`photo of ${booking}`, async (_model, real) => {
      real.pictures += 1;
      const { key } = await photograph(real.phone, await openDraft(real, booking), `picture ${real.pictures}`);
      const storedDraft = await findDraft(real.phone.database, key);
      expect(storedDraft).toMatchObject({ photos: expect.arrayContaining([expect.anything()]) });
    }),
  ),
  fc
    .tuple(fc.integer({ min: 1, max: BOOKINGS }), fc.constantFrom("delivery", "collection", "evidence" as const))
    .map(([booking, kind]) =>
      step(`${kind} of ${booking}`, async (model, real) => {
        const draft =
          kind === "delivery" ? await openDraft(real, booking) : createDraft(booking, kind as WorkDraft["kind"]);
        const item = await finish(real.phone, draft, real.now);
        model.finished.push(item.op_id);
      }),
    ),
  fc.constant(step("kill", (_model, real) => restart(real))),
  fc.constant(
    step("kill while sending", async (_model, real) => {
      const sending = real.phone.sync.run().catch(() => undefined);
      await Promise.race([sending, new Promise((resolve) => setTimeout(resolve, 1))]);
      await restart(real);
    }),
  ),
  fc.boolean().map((isOffline) =>
    step(isOffline ? "offline" : "online", async (_model, real) => {
      real.isOffline = isOffline;
    }),
  ),
  fc
    .constantFrom<CheckInServerFault[]>(
      "drop_request",
      "drop_answer",
      "captive_portal",
      { status: 503 },
      { status: 500 },
    )
    .map((fault) =>
      step(`fault ${JSON.stringify(fault)}`, async (_model, real) => {
        real.faults.push(fault);
      }),
    ),
  fc.constant(
    step("duplicate and reorder", async (_model, real) => {
      // The network repeats old requests in reverse order.
      const old = real.server.requests.filter(({ method }) => method === "PUT" || method === "POST").toReversed();
      for (const request of old.slice(0, 6)) await real.server.handle(request).catch(() => undefined);
    }),
  ),
  fc.constant(
    step("expire the token", async (_model, real) => {
      real.server.expireTokens();
      await real.phone.sync.run();
      await real.phone.signIn("ana");
    }),
  ),
  fc.integer({ min: -3600, max: 3600 }).map((seconds) =>
    step(`clock ${seconds} s`, async (_model, real) => {
      real.now += seconds * 1000;
    }),
  ),
  fc.constantFrom(4, 6, Number.POSITIVE_INFINITY).map((maxBytes) =>
    step(`files of at most ${maxBytes} bytes`, async (_model, real) => {
      real.largest = maxBytes;
    }),
  ),
  fc.constant(step("send", (_model, real) => real.phone.sync.run())),
];

async function invariant(model: Model, real: Real): Promise<void> {
  const storedDraft = await real.phone.kept();
  expect(storedDraft.map(({ op_id }) => op_id).toSorted()).toEqual(model.finished.toSorted());
  expect(new Set(storedDraft.map(({ seq }) => seq)).size).toBe(storedDraft.length);
  const items = await real.phone.items();
  for (const item of items) {
    expect(real.server.applications.get(item.op_id) ?? 0).toBeLessThanOrEqual(1);
    const contents = await real.phone.database.use((db) =>
      Promise.all(item.files.map((hash) => db.get("contents", `${item.booking_id}/${hash}`))),
    );
    expect(contents.every((content) => content !== undefined)).toBe(true);
    if (item.state !== "confirmed") continue;
    expect(real.server.operations.get(item.op_id)?.operation).toEqual(item.operation);
    for (const hash of item.files) expect(real.server.files.has(`${item.booking_id}/${hash}`)).toBe(true);
  }
}

async function setup(listen: Real["listen"]): Promise<{ model: Model; real: Real }> {
  const deps = { now: Date.parse("2027-05-03T10:00:00Z") };
  const server = startCheckInServer(() => real.now);
  for (let id = 1; id <= BOOKINGS; id++) {
    server.bookings.set(id, createBooking(id, "2027-05-03"));
    server.vehicles.set(`V000${id}`, createVehicle(id));
  }
  const base = { name: `model-${++runs}`, server, now: deps.now, faults: [], isOffline: false, listen };
  const real = { ...base, pictures: 0, largest: Number.POSITIVE_INFINITY } as unknown as Real;
  real.phone = await startAgain(real);
  server.setFault(({ method, path, body }) => {
    if (real.isOffline) return "drop_request";
    if (method === "PUT" && (body as ArrayBuffer).byteLength > real.largest) return { status: 413 };
    return path.endsWith("/login") ? undefined : real.faults.shift();
  });
  return { model: { finished: [] }, real };
}

/** Creates a property with any sequence of steps, on an app with its network wrapped in `listen`. */
const checkAllSequences = (listen: Real["listen"]) =>
  fc.asyncProperty(fc.commands(commands, { maxCommands: 40, size: "max" }), async (sequence) => {
    const { model, real } = await setup(listen);
    await fc.asyncModelRun(() => ({ model, real }), sequence);
    await comeUpToDaylight(real);
    await invariant(model, real);
    expect(await real.phone.items()).toHaveLength(model.finished.length);
    const { length } = (await real.phone.items()).filter(({ state }) => state !== "confirmed" && state !== "blocked");
    expect(length).toBe(0);
    await real.phone.kill();
  });

// Proves "check-in.md": 28b
test("stores each confirmed operation on the server exactly once, and each unconfirmed one in the outbox", async () => {
  await fc.assert(
    checkAllSequences((transport) => transport),
    { numRuns: inject("isThorough") ? 800 : 100 },
  );
});

describe("the negative control, which shows that the model catches it:", () => {
  // Proves "check-in.md": 10b
  test("detects lost operations of an app that accepts a captive portal's page as a response", async () => {
    // The portal's 200 is taken for the server's response.
    const believing = (transport: Transport) => async (outgoingRequest: OutgoingRequest) => {
      const received = await transport(outgoingRequest);
      return received.header("Content-Type") === "text/html"
        ? { ...received, ...believedAnswer(outgoingRequest) }
        : received;
    };
    expect(await findFailure(believing)).toContain("captive_portal");
  });

  test("detects lost operations of an app that treats sent operations as received", async () => {
    const givingUp = (transport: Transport) => async (outgoingRequest: OutgoingRequest) => {
      const isWork = outgoingRequest.path.endsWith("/check-in-operations");
      try {
        return await transport(outgoingRequest);
      } catch (error) {
        if (!isWork) throw error;
        return { status: 200, header: () => null, text: JSON.stringify({ results: [toResult(outgoingRequest)] }) };
      }
    };
    expect(await findFailure(givingUp)).toMatch(/drop_|offline/);
  });
});

/** Finds a sequence of steps that loses data in the model. */
async function findFailure(listen: Real["listen"]): Promise<string> {
  const { failed, counterexample } = await fc.check(checkAllSequences(listen), { numRuns: 400, endOnFailure: true });
  return failed ? String(counterexample) : "nothing was found";
}

function believedAnswer(outgoingRequest: OutgoingRequest): { readonly text: string } {
  if (outgoingRequest.method === "PUT")
    return { text: JSON.stringify({ hash: outgoingRequest.path.split("/").at(-1) }) };
  if (outgoingRequest.path.endsWith("/check-in-operations"))
    return { text: JSON.stringify({ results: [toResult(outgoingRequest)] }) };
  return { text: "" };
}

/** Returns the result that an app would assume for an operation. */
function toResult({ body }: OutgoingRequest): OperationResult {
  const { op_id, booking_id } = JSON.parse(String(body)) as Operation;
  const appliedResult = {
    status: 200,
    code: "applied" as const,
    message: "",
    booking_status: null,
    version: 1,
    flags: [],
    warnings: [],
  };
  const rest = { missing_photos: [], by: null, at: null, received_at: "" };
  return { op_id, booking_id, state: "applied", ...appliedResult, ...rest };
}

/** With a good network everything arrives or reports why it requires attention. */
async function comeUpToDaylight(real: Real): Promise<void> {
  real.isOffline = false;
  real.faults = [];
  await real.phone.signIn("ana");
  for (let round = 0; round < 60; round++) {
    await real.phone.sync.hurry();
    const nextAt = real.phone.sync.nextAt();
    if (nextAt === undefined) return;
    real.now = Math.max(real.now, nextAt) + 1;
  }
}
