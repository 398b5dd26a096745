import { createServer } from "node:net";

/** Tries to listen on a port. The error code distinguishes a port in use from an address that this machine lacks. */
export function findListenErrorCode(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const probe = createServer();
    probe.once("error", (error: NodeJS.ErrnoException) => resolve(error.code));
    probe.listen({ host, port, exclusive: true }, () => probe.close(() => resolve(undefined)));
  });
}
