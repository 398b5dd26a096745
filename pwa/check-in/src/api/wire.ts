/** A request to the account's API. */
export interface OutgoingRequest {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | ArrayBuffer;
  readonly timeoutMs: number;
  /** Called during an upload with the bytes sent and the total. */
  readonly onProgress?: (sentBytes: number, total: number) => void;
}

export interface IncomingResponse {
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly text: string;
}

/** Throws if there was no response: no network, no server or a timeout. */
export type Transport = (request: OutgoingRequest) => Promise<IncomingResponse>;
