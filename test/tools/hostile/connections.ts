import { request } from "node:http";
import { connect } from "node:net";
import { setTimeout } from "node:timers/promises";
import { ATTACKED_ACCOUNT } from "./requests.ts";

const CHUNK = Buffer.alloc(64 * 1024, 32);
const CHUNKED_BYTES = 90 * 1024 * 1024;
const REQUEST_TIMEOUT_MS = 30_000;

/** Sends up to 90 MB without a content length. Returns the status or `cut`. */
export function sendChunked(port: number, method: string, path: string): Promise<string> {
  return new Promise((resolve) => {
    const headers = { Host: `${ATTACKED_ACCOUNT}.localhost`, "Content-Type": "application/json" };
    const clientRequest = request({ port, host: "127.0.0.1", method, path, headers, agent: false });
    let remainingBytes = CHUNKED_BYTES;
    const push = () => {
      while (remainingBytes > 0 && !clientRequest.destroyed) {
        remainingBytes -= CHUNK.length;
        if (!clientRequest.write(CHUNK)) return void clientRequest.once("drain", push);
      }
      if (!clientRequest.destroyed) clientRequest.end();
    };
    clientRequest.on("response", (response) => {
      resolve(String(response.statusCode));
      remainingBytes = 0;
      clientRequest.destroy();
    });
    clientRequest.on("error", () => resolve("cut"));
    clientRequest.setTimeout(REQUEST_TIMEOUT_MS, () => clientRequest.destroy(new Error("no answer")));
    push();
  });
}

/** Sends a body with one byte per second. Returns `held` if still accepted at the end, otherwise the status. */
export async function sendSlowly(port: number, signal: AbortSignal): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  let receivedText = "";
  socket.on("data", (chunk: Buffer) => {
    receivedText += chunk.toString("latin1");
  });
  socket.on("error", () => undefined);
  socket.write(
    `POST /api/v1/login HTTP/1.1\r\nHost: ${ATTACKED_ACCOUNT}.localhost\r\nContent-Type: application/json\r\n`,
  );
  socket.write("Content-Length: 100000\r\n\r\n");
  while (!signal.aborted && !socket.closed && receivedText === "") {
    socket.write(" ");
    await setTimeout(1000, undefined, { signal }).catch(() => undefined);
  }
  const isStillOpen = !socket.closed && receivedText === "";
  socket.destroy();
  return isStillOpen ? "held" : (/^HTTP\/1\.1 (\d{3})/.exec(receivedText)?.[1] ?? "cut");
}

/** Opens a connection with an incomplete request line until the attack ends. */
export async function holdConnection(port: number, signal: AbortSignal): Promise<string> {
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined);
  socket.write("GET /api/v1/lo");
  while (!signal.aborted && !socket.closed) await setTimeout(500, undefined, { signal }).catch(() => undefined);
  const isStillOpen = !socket.closed;
  socket.destroy();
  return isStillOpen ? "held" : "cut";
}
