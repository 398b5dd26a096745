import type { CheckInServer, ReceivedRequest, ServerAnswer } from "./server.ts";

/** A request to the office. */
export interface ReceivedDeskRequest {
  readonly path: string;
  readonly body: Readonly<Record<string, unknown>>;
}

/** Adds the office API to the app's server: quotes prices and applies actions. */
export function addDeskRoutes(server: CheckInServer): readonly ReceivedDeskRequest[] {
  const deskRequests: ReceivedDeskRequest[] = [];
  const { handle } = server;
  const json = (status: number, value: unknown): ServerAnswer => ({
    status,
    headers: { "Content-Type": "application/json", Date: new Date().toUTCString() },
    body: JSON.stringify(value),
  });
  const move = { allowed: true, reasons: [], fee: "0.00", to_refund: "0.00" };
  const place = { rental_location_code: "PMI", is_pickup: true, is_return: true };
  const answers: readonly (readonly [RegExp, () => unknown])[] = [
    [/^GET .*\/places/, () => ({ data: [{ id: 3, name: "Palma airport", ...place }] })],
    [/^POST .*\/reservations\/quote$/, () => SALE],
    [/^POST .*\/reservations\/\d+\/quote$/, () => ({ ...move, difference: "45.00" })],
    [/^POST .*\/reservations$/, () => ({ reservation: { id: 1, version: 1 } })],
    [/^(POST|PATCH) .*\/reservations\/\d+(\/[a-z-]+)?$/, () => ({ reservation: { id: 1, version: 2 } })],
  ];
  server.handle = async (request: ReceivedRequest) => {
    const matchingAnswer = request.path.startsWith("/api/v1/office/")
      ? answers.find(([pattern]) => pattern.test(`${request.method} ${request.path}`))
      : undefined;
    if (!matchingAnswer) return handle(request);
    const text = typeof request.body === "string" && request.body !== "" ? request.body : "{}";
    deskRequests.push({
      path: `${request.method} ${request.path}`,
      body: JSON.parse(text) as ReceivedDeskRequest["body"],
    });
    return json(200, matchingAnswer[1]());
  };
  return deskRequests;
}

const SALE = {
  ...{ available: true, reasons: [], warnings: [] },
  quote: { days: 1, total_cost: "40.00", total_deposit: "300.00" },
};
