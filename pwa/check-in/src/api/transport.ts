import type { IncomingResponse, OutgoingRequest, Transport } from "./wire.ts";

/** Uses XMLHttpRequest for uploads, the only API with upload progress, and fetch for everything else. */
export const browserTransport: Transport = (request) => (request.onProgress ? upload(request) : ask(request));

async function ask({ method, path, headers, body, timeoutMs }: OutgoingRequest): Promise<IncomingResponse> {
  const signal = AbortSignal.timeout(timeoutMs);
  const answer = await fetch(path, {
    method,
    headers,
    signal,
    cache: "no-store",
    ...(body === undefined ? {} : { body }),
  });
  return { status: answer.status, header: (name) => answer.headers.get(name), text: await answer.text() };
}

function upload({ method, path, headers, body, timeoutMs, onProgress }: OutgoingRequest): Promise<IncomingResponse> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    request.open(method, path);
    request.timeout = timeoutMs;
    for (const [name, value] of Object.entries(headers)) request.setRequestHeader(name, value);
    request.upload.onprogress = ({ loaded, total }) => onProgress?.(loaded, total);
    request.onload = () => {
      const header = (name: string) => request.getResponseHeader(name);
      resolve({ status: request.status, header, text: request.responseText });
    };
    const fail = () => reject(new TypeError("no answer"));
    request.onerror = fail;
    request.onabort = fail;
    request.ontimeout = fail;
    request.send(body);
  });
}
