/** A request to the account's own address. */
export interface Sent {
  readonly method: "GET" | "HEAD" | "PUT" | "POST" | "PATCH" | "DELETE";
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | ArrayBuffer;
  readonly timeoutMs: number;
  /** Called while a body goes up: bytes that have left, of how many. */
  readonly onProgress?: (sent: number, total: number) => void;
}

export interface Received {
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly text: string;
}

/** Throws where there was no answer: no network, no server, or too late. */
export type Transport = (sent: Sent) => Promise<Received>;
