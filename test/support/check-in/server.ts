import { createHash } from "node:crypto";
import type {
  Booking,
  Operation,
  OperationResult,
  RentalUnit,
  Settings,
  TransferTrip,
  Vehicle,
} from "#app/api/messages.ts";
import type { IncomingResponse, OutgoingRequest, Transport } from "#app/api/wire.ts";
import { createCheckInSettings, createDay } from "./day.ts";

export type CheckInServerFault =
  | "drop_request"
  | "drop_answer"
  | "captive_portal"
  | { readonly status: number; readonly body?: string; readonly headers?: Record<string, string> };

export interface ReceivedRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | ArrayBuffer | Uint8Array | undefined;
}

export interface ServerAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
}

interface StoredOperation {
  readonly content: string;
  readonly operation: Operation;
  result: OperationResult;
}

/** Test user, signing in as `<name>:<role>`. The sessions of disabled users have ended. */
interface User {
  readonly username: string;
  role: Settings["user"]["role"];
  disabled: boolean;
}

// PUT bodies are bytes if sent over the network.
const readBodyText = (body: ReceivedRequest["body"]) =>
  typeof body === "string" ? body : new TextDecoder().decode(body);

/** Report of a device about itself. */
interface Report {
  readonly waiting: number;
  readonly blocked: number;
  readonly begun: readonly unknown[];
  readonly last_seq?: number;
}

export type CheckInServer = ReturnType<typeof startCheckInServer>;

/** Vehicle state after each operation. */
const STATES: Partial<Record<Operation["kind"], Vehicle["state"]>> = { delivery: "out", exchange: "free" };

/** Simulates the check-in protocol in memory with network faults, for the app's tests. */
export function startCheckInServer(now: () => number = Date.now) {
  const bookings = new Map<number, Booking>();
  const trips: TransferTrip[] = [];
  const vehicles = new Map<string, Vehicle>();
  const operations = new Map<string, StoredOperation>();
  const files = new Map<string, { readonly bytes: Uint8Array; readonly type: string }>();
  const tokens = new Map<string, User>();
  const users = new Map<string, User>();
  /** How often each operation changed a booking, which must be at most once. */
  const applications = new Map<string, number>();
  const reports = new Map<string, Report & { readonly user: string; readonly reported_at: string }>();
  const requests: ReceivedRequest[] = [];
  let fault: (request: ReceivedRequest) => CheckInServerFault | undefined = () => undefined;
  let issued = 0;

  const json = (status: number, value: unknown, headers: Record<string, string> = {}): ServerAnswer => ({
    status,
    headers: { "Content-Type": "application/json", Date: new Date(now()).toUTCString(), ...headers },
    body: JSON.stringify(value),
  });
  const failure = (status: number, code: string) => json(status, { error: code, code });

  function findUser({ headers }: ReceivedRequest): User | undefined {
    const user = tokens.get(headers["Authorization"] ?? headers["authorization"] ?? "");
    return user?.disabled ? undefined : user;
  }

  function handle(request: ReceivedRequest): ServerAnswer {
    requests.push(request);
    if (request.path === "/healthz") return json(200, { status: "ok" });
    if (request.path === "/api/v1/login") return login(request);
    const user = findUser(request);
    if (!user) return failure(401, "unauthorized");
    const url = new URL(request.path, "http://account");
    for (const [pattern, answer] of routes) {
      const match = pattern.exec(`${request.method} ${url.pathname}`);
      if (match) return answer(match.slice(1), request, url.searchParams, user);
    }
    return failure(404, "unknown_path");
  }

  type Handler = (
    parts: readonly string[],
    request: ReceivedRequest,
    query: URLSearchParams,
    user: User,
  ) => ServerAnswer;
  const routes: readonly (readonly [RegExp, Handler])[] = [
    [
      /^PUT \/api\/v1\/booking\/check-in-devices\/([\w-]+)\/report$/,
      ([id = ""], request, _q, user) => hear(id, request, user),
    ],
    [/^POST \/api\/v1\/booking\/check-in-seals$/, (_p, request, _q, user) => listSeals(request, user)],
    [/^DELETE \/api\/v1\/logout$/, () => json(200, true)],
    [
      /^GET \/api\/v1\/booking\/delivery-collection-app-settings$/,
      (_p, r, _q, u) => tagged(r, createCheckInSettings(u.username, u.role)),
    ],
    [
      /^GET \/api\/v1\/booking\/deliveries-collections$/,
      (_p, request, query) =>
        tagged(request, createDay(query.get("date") ?? "", [...bookings.values()], [...vehicles.values()])),
    ],
    [/^GET \/api\/v1\/booking\/transfer-trips$/, (_p, request, query) => tagged(request, listTrips(query.get("date")))],
    [/^POST \/api\/v1\/booking\/transfer-reservations\/(\d+)\/cancel$/, ([id]) => cancelTransfer(Number(id))],
    [/^GET \/api\/v1\/office\/reservations$/, () => json(200, { data: [], total: 0, next: null })],
    [/^GET \/api\/booking-items-search$/, (_p, r) => tagged(r, { data: [...vehicles.values()], total: vehicles.size })],
    [/^GET \/api\/booking\/(\d+)\/extra-search$/, ([id], request) => tagged(request, listExtras(Number(id)))],
    [/^(PUT|HEAD|GET) \/api\/v1\/booking\/(\d+)\/check-in-files\/([0-9a-f]{64})$/, file],
    [/^POST \/api\/v1\/booking\/check-in-operations$/, (_p, request, _q, user) => take(request, user)],
    [
      /^GET \/api\/v1\/booking\/check-in-operations$/,
      (_p, _r, query, { role }) => {
        if (role !== "manager") return failure(403, "forbidden");
        return json(
          200,
          office(query.get("state") ?? "all", Number(query.get("page")), Number(query.get("page_size") ?? 20)),
        );
      },
    ],
    [
      /^POST \/api\/v1\/booking\/check-in-operations\/([^/]+)\/resolution$/,
      ([opId = ""], request) => resolve(opId, request),
    ],
  ];

  /** Returns the same keys at each sign-in, and those of other users only to the office. */
  function listSeals({ body }: ReceivedRequest, user: User): ServerAnswer {
    // A user with two user names has one key.
    const getDisplayName = (username: string) => username.split("@")[0] ?? "";
    const names = [...new Set([...users.keys()].map(getDisplayName))];
    const own = names.indexOf(getDisplayName(user.username)) + 1;
    const { seals } = JSON.parse(readBodyText(body)) as { readonly seals: readonly number[] };
    const allowed = user.role === "manager" ? [own, ...seals.filter((seal) => seal !== own)] : [own];
    const createSealKey = (seal: number) =>
      createHash("sha256")
        .update(`seal of ${names[seal - 1]}`)
        .digest("base64");
    return json(200, { own, data: allowed.map((seal) => ({ seal, key: createSealKey(seal) })) });
  }

  function listTrips(date: string | null) {
    const data = trips.filter((trip) => trip.date === date);
    return { date, data, total: data.length };
  }

  function cancelTransfer(id: number): ServerAnswer {
    const own = trips.filter(({ booking_id }) => booking_id === id);
    if (own.length === 0) return failure(404, "unknown_booking");
    if (own.some(({ status }) => status === "in_progress")) return failure(409, "not_cancellable");
    for (const trip of own) trips[trips.indexOf(trip)] = { ...trip, status: "cancelled" };
    const cancelled_at = new Date(now()).toISOString();
    return json(200, { booking_id: id, status: "cancelled", cancelled_at, total_paid: own[0]?.amounts.total_paid });
  }

  function tagged(request: ReceivedRequest, value: unknown): ServerAnswer {
    const etag = `"${createHash("sha1").update(JSON.stringify(value)).digest("hex")}"`;
    const known = request.headers["If-None-Match"] ?? request.headers["if-none-match"];
    return known === etag ? { status: 304, headers: { ETag: etag }, body: "" } : json(200, value, { ETag: etag });
  }

  function login({ body }: ReceivedRequest): ServerAnswer {
    const { username = "", password = "", code, passkey } = JSON.parse(String(body)) as Record<string, string>;
    if (password === "wrong") return json(200, { connected: false });
    if (username === "guarded" && code !== "123456" && !passkey) return json(200, createFactorAnswer(code));
    const role = username.startsWith("manager") ? "manager" : "operator";
    const user = users.get(username) ?? { username, role, disabled: false };
    users.set(username, user);
    if (user.disabled) return json(200, { connected: false });
    issued += 1;
    const token = `token-${issued}`;
    tokens.set(token, user);
    return json(200, { connected: true, user: { full_name: username, role: user.role } }, { Authorization: token });
  }

  function listExtras(bookingId: number) {
    const data = [
      {
        extra_code: "BABY",
        name: "Child seat",
        unit_price: "12.00",
        booked_quantity: 1,
        max_quantity: 2,
        sellable_quantity: 1,
      },
      {
        extra_code: "GPS",
        name: "Navigation",
        unit_price: "20.00",
        booked_quantity: 0,
        max_quantity: 1,
        sellable_quantity: 1,
      },
    ];
    return { booking_id: bookingId, data, total: data.length };
  }

  function file([method, bookingId, hash = ""]: readonly string[], request: ReceivedRequest): ServerAnswer {
    const key = `${bookingId}/${hash}`;
    if (method === "PUT") return keep(key, hash, request);
    const storedFile = files.get(key);
    if (!storedFile) return failure(404, "unknown_file");
    return {
      status: 200,
      headers: { "Content-Type": storedFile.type },
      body: method === "HEAD" ? "" : storedFile.bytes,
    };
  }

  function keep(key: string, hash: string, { headers, body }: ReceivedRequest): ServerAnswer {
    const bytes = new Uint8Array(body as ArrayBuffer);
    if (createHash("sha256").update(bytes).digest("hex") !== hash) return failure(400, "hash_mismatch");
    const type = headers["Content-Type"] ?? headers["content-type"] ?? "";
    const status = files.has(key) ? 200 : 201;
    if (status === 201) files.set(key, { bytes, type });
    return json(status, { hash, bytes: bytes.length, content_type: type, width: 1, height: 1 });
  }

  function take({ body }: ReceivedRequest, user: User): ServerAnswer {
    const payload = JSON.parse(String(body)) as Operation | { operations: Operation[] };
    if ("operations" in payload)
      return json(200, { results: payload.operations.map((operation) => processOperation(operation, user)) });
    const result = processOperation(payload, user);
    return json(result.status, { results: [result] });
  }

  function processOperation(operation: Operation, user: User): OperationResult {
    const known = operations.get(operation.op_id);
    const content = JSON.stringify(operation);
    if (known?.content === content) return { ...known.result, missing_photos: listMissingFiles(operation) };
    if (known) return answer(operation, 422, "rejected", "other_content");
    return operation.trip ? drive(operation, operation.trip) : work(operation, user);
  }

  function work(operation: Operation, user: User): OperationResult {
    if (!bookings.has(operation.booking_id)) return answer(operation, 404, "rejected", "unknown_booking");
    const result = apply(operation, user.username);
    operations.set(operation.op_id, { content: JSON.stringify(operation), operation, result });
    if (result.state === "applied") release(operation.booking_id);
    return result;
  }

  /** Applies a pickup or drop-off of a trip. */
  function drive(operation: Operation, { position, moment }: NonNullable<Operation["trip"]>): OperationResult {
    const isSameTrip = (item: TransferTrip) => item.booking_id === operation.booking_id && item.position === position;
    const at = trips.findIndex(isSameTrip);
    const trip = trips[at];
    if (!trip) return answer(operation, 404, "rejected", "unknown_booking");
    const tripMoment = { at: operation.recorded_at, by: operation.author ?? "" };
    trips[at] = { ...trip, [moment]: trip[moment] ?? tripMoment };
    const result = answer(operation, 200, "applied", "applied");
    operations.set(operation.op_id, { content: JSON.stringify(operation), operation, result });
    applications.set(operation.op_id, (applications.get(operation.op_id) ?? 0) + 1);
    return result;
  }

  function listMissingFiles({ booking_id, photos = [], signature }: Operation): string[] {
    const { hash: signatureHash, contract_hash, contract_language } = signature ?? {};
    const hashes = [...photos.map(({ hash }) => hash), signatureHash, contract_language && contract_hash];
    return hashes.filter((hash) => hash !== undefined).filter((hash) => !files.has(`${booking_id}/${hash}`));
  }

  function answer(
    operation: Operation,
    status: number,
    state: OperationResult["state"],
    code: OperationResult["code"],
    by: string | null = null,
  ): OperationResult {
    const { op_id, booking_id } = operation;
    const booking = bookings.get(booking_id);
    const known = { booking_status: booking?.status ?? null, version: booking?.version ?? null };
    const moment = new Date(now()).toISOString();
    const isParallel = state === "applied" && operation.base_version < (booking?.version ?? 0);
    const rest = {
      flags: isParallel ? ["parallel" as const] : [],
      warnings: listWarnings(operation, vehicles.get(operation.vehicle_reference ?? "")),
      missing_photos: listMissingFiles(operation),
      by,
      at: by ? moment : null,
      received_at: moment,
    };
    return { op_id, state, status, code, message: code, booking_id, ...known, ...rest };
  }

  function apply(operation: Operation, username: string): OperationResult {
    const booking = bookings.get(operation.booking_id) as Booking;
    const [status, state, code, by] = decideOperation(
      booking,
      operation,
      vehicles.get(operation.vehicle_reference ?? ""),
    );
    const operationResult = answer(operation, status, state, code, by);
    if (state !== "applied") return operationResult;
    change(booking, operation, username);
    applications.set(operation.op_id, (applications.get(operation.op_id) ?? 0) + 1);
    const { status: booking_status, version } = bookings.get(operation.booking_id) ?? booking;
    return { ...operationResult, booking_status, version };
  }

  function change(booking: Booking, operation: Operation, by: string): void {
    const reading = {
      at: operation.recorded_at,
      by,
      kilometres: operation.kilometres ?? null,
      fuel_eighths: operation.fuel_eighths ?? null,
    };
    const resources = booking.resources.map((unit) =>
      unit.resource_id === operation.resource_id ? { ...unit, ...getUnitChanges(unit, operation, reading) } : unit,
    );
    const appliedOperation = {
      op_id: operation.op_id,
      kind: operation.kind,
      resource_id: operation.resource_id ?? null,
      state: "applied",
      by,
      at: operation.recorded_at,
      notes: operation.notes ?? null,
    };
    const log = [
      ...booking.operations,
      { ...appliedOperation, files_arrived: 0, files_total: operation.photos?.length ?? 0 },
    ];
    bookings.set(booking.booking_id, { ...booking, resources, operations: log, version: booking.version + 1 });
  }

  /** Returns the changes of an operation to its unit and vehicles. */
  function getUnitChanges(unit: RentalUnit, operation: Operation, reading: NonNullable<RentalUnit["delivery"]>) {
    const vehicle = vehicles.get(operation.vehicle_reference ?? "") ?? unit.vehicle;
    const state = STATES[operation.kind];
    if (vehicle && state) vehicles.set(vehicle.reference, { ...vehicle, state });
    if (operation.kind === "delivery") return { state: "out", delivery: reading, vehicle } as const;
    if (operation.kind === "collection") return { state: "collected", collection: reading, vehicle } as const;
    return operation.exchange ? replaced(operation.exchange, reading) : {};
  }

  function replaced(exchange: NonNullable<Operation["exchange"]>, reading: NonNullable<RentalUnit["delivery"]>) {
    const { vehicle_reference, kilometres, fuel_eighths } = exchange;
    const vehicle = vehicles.get(vehicle_reference);
    if (!vehicle) return {};
    vehicles.set(vehicle_reference, { ...vehicle, state: "out" });
    return { delivery: { ...reading, kilometres, fuel_eighths }, vehicle };
  }

  /** Applies a collection that arrived before its delivery, once that arrives. */
  function release(bookingId: number): void {
    for (const storedFile of operations.values()) {
      if (storedFile.result.state !== "held" || storedFile.operation.booking_id !== bookingId) continue;
      storedFile.result = apply(storedFile.operation, storedFile.operation.author ?? "");
    }
  }

  /** Pages are counted from 0. */
  function office(state: string, page: number, pageSize: number) {
    const records = [...operations.values()].map(toRecord);
    const matchesState = (record: (typeof records)[number]) =>
      state === "all" || (state === "incomplete" ? record.files_arrived < record.files_total : record.state === state);
    const matchingRecords = records.filter(matchesState);
    const data = matchingRecords.slice(page * pageSize, (page + 1) * pageSize);
    return { data, total: matchingRecords.length, devices: devices() };
  }

  /** Stores a device's report of its work. */
  function hear(deviceId: string, { body }: ReceivedRequest, user: User): ServerAnswer {
    const reported_at = new Date(now()).toISOString();
    const report = JSON.parse(readBodyText(body)) as Report;
    const deviceOperations = [...operations.values()].filter(({ operation }) => operation.device_id === deviceId);
    const counted = deviceOperations.map(({ operation }) => operation.seq);
    const last_seq = Math.max(0, reports.get(deviceId)?.last_seq ?? 0, report.last_seq ?? 0, ...counted);
    // A device restored from a backup doesn't know its later reports.
    if ((report.last_seq ?? last_seq) === last_seq)
      reports.set(deviceId, { user: user.username, reported_at, ...report });
    return json(200, { device_id: deviceId, reported_at, last_seq });
  }

  /** Lists the sequence numbers of each device and how many operations arrived. */
  function devices() {
    const counted = Map.groupBy(operations.values(), ({ operation }) => operation.device_id);
    return [...counted].map(([device_id, storedFile]) => {
      const last_seq = Math.max(...storedFile.map(({ operation }) => operation.seq));
      const repeated = storedFile.length - new Set(storedFile.map(({ operation }) => operation.seq)).size;
      const missing = last_seq - storedFile.length + repeated;
      const user = storedFile[0]?.operation.author ?? "";
      const { reported_at = null, waiting = 0, blocked = 0, begun = [] } = reports.get(device_id) ?? {};
      const tripMoment = { reported_at, waiting, blocked, begun };
      const last_seen_at = new Date(now()).toISOString();
      return { device_id, user, last_seq, received: storedFile.length, missing, repeated, last_seen_at, ...tripMoment };
    });
  }

  function toRecord({ operation, result }: StoredOperation) {
    const { op_id, booking_id, kind, device_id, seq, recorded_at } = operation;
    const operationResult = {
      code: result.code,
      message: result.message,
      flags: result.flags,
      warnings: result.warnings,
      by: result.by,
      at: result.at,
    };
    const authorship = { author: operation.author ?? "", sent_by: operation.author ?? "", device_id, seq, recorded_at };
    const total = operation.photos?.length ?? 0;
    const customer = bookings.get(booking_id)?.customer.full_name ?? "";
    const where = {
      vehicle_reference: operation.vehicle_reference ?? null,
      customer_fullname: customer,
      rental_location_code: "PMI",
    };
    const rest = {
      resource_id: operation.resource_id ?? null,
      received_at: result.received_at,
      files_arrived: total - listMissingFiles(operation).length,
      files_total: total,
    };
    return {
      op_id,
      booking_id,
      kind,
      state: result.state as string,
      ...operationResult,
      ...authorship,
      ...where,
      ...rest,
      operation,
    };
  }

  function resolve(opId: string, { body }: ReceivedRequest): ServerAnswer {
    const storedFile = operations.get(opId);
    if (!storedFile) return failure(404, "unknown_operation");
    const { action } = JSON.parse(String(body)) as { readonly action: "accept" | "dismiss" };
    storedFile.result = {
      ...storedFile.result,
      state: "applied",
      code: action === "accept" ? "accepted" : "dismissed",
    };
    return json(200, { ...toRecord(storedFile), state: `${action}ed` });
  }

  /** Responds through the simulated network. A lost response means that the request was still executed. */
  async function answerThrough(request: ReceivedRequest): Promise<ServerAnswer> {
    const networkFault = fault(request);
    if (networkFault === "drop_request") throw new TypeError("no network");
    if (networkFault === "captive_portal")
      return {
        status: 200,
        headers: { "Content-Type": "text/html" },
        body: request.method === "HEAD" ? "" : "<h1>Welcome</h1>",
      };
    if (typeof networkFault === "object") return { headers: {}, body: '{"error":"x","code":"x"}', ...networkFault };
    const answer = handle(request);
    if (networkFault === "drop_answer") throw new TypeError("the answer was lost");
    return answer;
  }

  const transport: Transport = async ({ method, path, headers, body }: OutgoingRequest): Promise<IncomingResponse> => {
    const answered = await answerThrough({ method, path, headers, body });
    const headersByName = new Map(Object.entries(answered.headers).map(([name, value]) => [name.toLowerCase(), value]));
    return {
      status: answered.status,
      header: (name) => headersByName.get(name.toLowerCase()) ?? null,
      text: String(answered.body),
    };
  };

  return {
    ...{ bookings, trips, vehicles, operations, files, users, applications, requests },
    handle: answerThrough,
    transport,
    setFault: (next: typeof fault) => {
      fault = next;
    },
    expireTokens: () => tokens.clear(),
  };
}

function listWarnings({ kind, kilometres }: Operation, vehicle: Vehicle | undefined): OperationResult["warnings"] {
  const isLower = kind === "delivery" && vehicle && kilometres !== undefined && kilometres < vehicle.kilometres;
  return isLower ? [{ field: "kilometres", code: "kilometres_lower", message: "fewer than before" }] : [];
}

type Judgement = readonly [number, OperationResult["state"], OperationResult["code"], (string | null | undefined)?];

function decideOperation(booking: Booking, operation: Operation, vehicle: Vehicle | undefined): Judgement {
  if (booking.status === "cancelled") return [409, "conflict", "booking_cancelled"];
  const unit = booking.resources.find(({ resource_id }) => resource_id === operation.resource_id);
  if (operation.kind === "delivery") return decideDelivery(unit, vehicle);
  return operation.kind === "collection" ? decideCollection(unit) : [200, "applied", "applied"];
}

function decideDelivery(unit: RentalUnit | undefined, vehicle: Vehicle | undefined): Judgement {
  if (unit?.state !== "to_deliver") return [409, "conflict", "already_delivered", unit?.delivery?.by];
  return vehicle?.state === "out" ? [409, "conflict", "vehicle_unavailable", "somebody"] : [200, "applied", "applied"];
}

function decideCollection(unit: RentalUnit | undefined): Judgement {
  if (unit?.state === "to_deliver") return [202, "held", "held"];
  if (unit?.state === "collected") return [409, "conflict", "already_collected", unit.collection?.by];
  return [200, "applied", "applied"];
}

// User "guarded" has a second factor: an authenticator with code 123456, and a passkey.
function createFactorAnswer(code: string | undefined) {
  const passkey = { challenge: "Y2hhbGxlbmdl", rp_id: "localhost", ids: ["a2V5"] };
  return { connected: false, second_factor: code === undefined ? "required" : "wrong", passkey };
}
