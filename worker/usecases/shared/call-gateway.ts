import type { GatewayApiAnswer, GatewayApiRequest } from "#worker/gateways/protocol.ts";

/** Sends a request to a gateway's server. Tests and the simulator replace it. */
export type SendToGateway = (
  url: string,
  init: {
    readonly method: "GET" | "POST";
    readonly headers: Readonly<Record<string, string>>;
    readonly body?: Uint8Array<ArrayBuffer>;
    readonly redirect: "manual";
    readonly signal: AbortSignal;
  },
) => Promise<Response>;

const ANSWER_MILLISECONDS = 10_000;

/** Sends a request to a gateway's server. Undefined if no answer came, although the request may have arrived. */
export async function callGateway(
  { url, method, headers, body }: GatewayApiRequest,
  sendToGateway: SendToGateway,
): Promise<GatewayApiAnswer | undefined> {
  try {
    const response = await sendToGateway(url, {
      method,
      headers: { ...headers, "User-Agent": "rental-platform" },
      ...(body !== undefined && { body: Uint8Array.from(new TextEncoder().encode(body)) }),
      redirect: "manual",
      signal: AbortSignal.timeout(ANSWER_MILLISECONDS),
    });
    return { status: response.status, body: await response.text() };
  } catch {
    return undefined;
  }
}
