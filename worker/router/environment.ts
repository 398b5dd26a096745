/** Bindings of the router. Each cell is a service `CELL_01`, `CELL_02` … */
export interface RouterEnvironment {
  readonly BASE_DOMAIN: string;
  readonly DIRECTORY: D1Database;
  /** Secret shared with all cells. */
  readonly ROUTER_KEY: string;
  readonly OPERATOR_KEY?: string;
  readonly MONITOR_KEY?: string;
  readonly IP_RATE_LIMITER?: RateLimit;
  readonly VERSION?: WorkerVersionMetadata;
}

const CELL = /^CELL_(\d\d)$/;

/** Lists the cells that the router is bound to. */
export function listCells(env: RouterEnvironment): readonly string[] {
  return Object.keys(env)
    .flatMap((name) => CELL.exec(name)?.[1] ?? [])
    .sort();
}

/** Returns the service of a cell. Undefined if the router isn't bound to it. */
export function findCell(env: RouterEnvironment, cell: string): Fetcher | undefined {
  const service: unknown = Reflect.get(env, `CELL_${cell}`);
  return typeof service === "object" && service !== null && "fetch" in service ? (service as Fetcher) : undefined;
}
