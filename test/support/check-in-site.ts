import { readFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { extname, join, normalize } from "node:path";
import { gzipSync } from "node:zlib";
import { getCheckInFileHeaders } from "#worker/site/check-in.ts";
import type { CheckInServer } from "./check-in/server.ts";

const TYPES: Readonly<Record<string, string>> = {
  ".html": "text/html; charset=utf-8",
  ".js": "text/javascript",
  ".css": "text/css",
  ".svg": "image/svg+xml",
  ".png": "image/png",
  ".wasm": "application/wasm",
  ".webmanifest": "application/manifest+json",
};

/** Serves the built app and the in-memory protocol on one address, with simulated outages. */
export async function startCheckInSite(server: CheckInServer) {
  let http: Server | undefined;
  let port = 0;
  let version = "";
  const start = () =>
    new Promise<void>((resolve) => {
      http = createServer((request, response) => void answer(server, request, response, version));
      http.listen(port, "127.0.0.1", () => {
        port = (http?.address() as AddressInfo | undefined)?.port ?? 0;
        resolve();
      });
    });
  const stop = () =>
    new Promise<void>((resolve) => {
      http?.close(() => resolve());
      http?.closeAllConnections();
    });
  await start();
  /** Publishes a new version of the app. */
  const release = () => {
    version = `\n// ${Date.now()}`;
  };
  return { start, stop, release, address: `http://acme.localhost:${port}/checkin/` };
}

async function answer(
  server: CheckInServer,
  request: IncomingMessage,
  response: ServerResponse,
  version: string,
): Promise<void> {
  const path = request.url ?? "/";
  if (path.startsWith("/checkin/")) return answerFile(path, response, version);
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const bytes = body.buffer.slice(body.byteOffset, body.byteOffset + body.byteLength) as ArrayBuffer;
  const method = request.method ?? "GET";
  const headers = request.headers as Readonly<Record<string, string>>;
  try {
    const answered = await server.handle({ method, path, headers, body: method === "PUT" ? bytes : body.toString() });
    response.writeHead(answered.status, { "Cache-Control": "no-store", ...answered.headers }).end(answered.body);
  } catch {
    response.destroy();
  }
}

async function answerFile(path: string, response: ServerResponse, version: string): Promise<void> {
  const { pathname } = new URL(path, "http://acme");
  const file = normalize(pathname).replace(/\/$/, "/index.html");
  try {
    const content = await readFile(join("pwa/dist", file));
    const headers = getCheckInFileHeaders(new URL(path, "http://acme"));
    const fullContent = pathname.endsWith("/sw.js") ? Buffer.concat([content, Buffer.from(version)]) : content;
    // Compressed like the network in front of the Worker.
    const isText = /\.(?:html|js|css|svg|webmanifest)$/.test(file);
    const type = { "Content-Type": TYPES[extname(file)] ?? "application/octet-stream" };
    response.writeHead(200, { ...headers, ...type, ...(isText && { "Content-Encoding": "gzip" }) });
    response.end(isText ? gzipSync(fullContent) : fullContent);
  } catch {
    response.writeHead(404).end();
  }
}
