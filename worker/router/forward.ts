import { BASE_DOMAIN_ACCOUNT, ROUTE_HEADER, signRoute } from "#worker/directory/route-header.ts";
import { findCell, type RouterEnvironment } from "./environment.ts";

/** Time for a cell to begin its answer to the operator or the monitor. Clients of a company have their own limits. */
const CELL_LIMIT_MS = 100_000;

interface Destination {
  readonly cell: string;
  readonly account: string;
  readonly slot: number;
}

/** Sends a request to a cell with the signed route. Undefined if the cell doesn't answer. */
export async function forwardToCell(
  env: RouterEnvironment,
  request: Request,
  destination: Destination,
): Promise<Response | undefined> {
  const { cell, account } = destination;
  const service = findCell(env, cell);
  const headers = new Headers(request.headers);
  // Replaces a route header that the client sent.
  headers.set(ROUTE_HEADER, signRoute(env.ROUTER_KEY, destination));
  try {
    if (!service) throw new Error(`the router has no binding CELL_${cell}: deploy it with this cell`);
    // A second Request object and a timer would take a third of the router's processor time.
    const answer = service.fetch(request, { headers });
    return await (account === BASE_DOMAIN_ACCOUNT ? withinLimit(answer) : answer);
  } catch (error) {
    const message = error instanceof Error ? error.message : "unknown";
    console.log(JSON.stringify({ level: "error", operation: "forward_request", cell, message }));
    return undefined;
  }
}

/** Returns the destination of a request to a cell's base domain. */
export const toBaseDomainDestination = (cell: string): Destination => ({ cell, account: BASE_DOMAIN_ACCOUNT, slot: 0 });

async function withinLimit<T>(answer: Promise<T>): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("the cell doesn't answer")), CELL_LIMIT_MS);
  });
  return Promise.race([answer, late]).finally(() => clearTimeout(timer));
}
