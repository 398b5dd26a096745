/** State of a company in the directory. Only `active` and `moving` ones are served. */
export type AccountPlacementState = "adding" | "active" | "paused" | "moving" | "deleting";

/** Cell and database of a company. */
export interface CompanyPlacement {
  readonly name: string;
  readonly cell: string;
  readonly slot: number;
  readonly state: AccountPlacementState;
}

const COLUMNS = "name, cell, slot, state";

/** Reads the place of a company. Undefined if the directory doesn't have it. */
export async function findPlacement(directory: D1Database, name: string): Promise<CompanyPlacement | undefined> {
  const query = directory.prepare(`SELECT ${COLUMNS} FROM accounts WHERE name = ?`);
  return (await query.bind(name).first<CompanyPlacement>()) ?? undefined;
}

/** Lists the companies of a cell, in the order of their databases. */
export async function listPlacements(directory: D1Database, cell: string): Promise<readonly CompanyPlacement[]> {
  const query = directory.prepare(`SELECT ${COLUMNS} FROM accounts WHERE cell = ? ORDER BY slot`);
  return (await query.bind(cell).all<CompanyPlacement>()).results;
}

/** Whether requests and scheduled work of a company are served. While it moves, its database refuses writes. */
export function isCompanyServed({ state }: CompanyPlacement): boolean {
  return state === "active" || state === "moving";
}

/** Time for which a placement from the directory is used without reading it again. */
export const PLACEMENT_TTL_MS = 60_000;
/** Time for which an unknown company name is remembered. */
export const UNKNOWN_COMPANY_TTL_MS = 10_000;
/** Time for which a known placement is used while the directory doesn't answer. Shorter than SLOT_QUARANTINE_MS. */
export const STALE_PLACEMENT_TTL_MS = 600_000;
const MAX_PLACEMENTS = 10_000;
const MAX_UNKNOWN = 1_000;

interface Remembered {
  readonly placement: CompanyPlacement | undefined;
  readonly readAt: number;
}

/**
 * Remembers placements within an isolate, so that requests don't read the directory. Unknown names have their own,
 * smaller part, so that many of them don't displace companies.
 */
export class CompanyPlacementCache {
  readonly #known = new Map<string, Remembered>();
  readonly #unknown = new Map<string, Remembered>();
  readonly #pending = new Map<string, Promise<CompanyPlacement | undefined>>();

  /** Returns a company's placement, from memory or else from `read`. Simultaneous calls for a company read it once. */
  async find(
    name: string,
    now: number,
    read: (name: string) => Promise<CompanyPlacement | undefined>,
  ): Promise<CompanyPlacement | undefined> {
    const known = this.#known.get(name) ?? this.#unknown.get(name);
    const ttl = known?.placement ? PLACEMENT_TTL_MS : UNKNOWN_COMPANY_TTL_MS;
    // A clock set back must not make old answers fresh.
    if (known && known.readAt <= now && now - known.readAt < ttl) return known.placement;
    try {
      return await this.#read(name, now, read);
    } catch (error) {
      if (known?.placement && now - known.readAt < STALE_PLACEMENT_TTL_MS) return known.placement;
      throw error;
    }
  }

  /** Forgets a placement, because the cell answered that it's no longer right. */
  forget(name: string): void {
    this.#known.delete(name);
    this.#unknown.delete(name);
  }

  get size(): number {
    return this.#known.size + this.#unknown.size;
  }

  async #read(
    name: string,
    now: number,
    read: (name: string) => Promise<CompanyPlacement | undefined>,
  ): Promise<CompanyPlacement | undefined> {
    const pending = this.#pending.get(name);
    // A shared read ends with the request that started it. If that request is cancelled, the answer may never come.
    const answer = pending === undefined ? read(name) : Promise.race([pending, giveUp()]).catch(() => read(name));
    if (pending === undefined) this.#pending.set(name, answer);
    try {
      const placement = await answer;
      this.#remember(name, { placement, readAt: now });
      return placement;
    } finally {
      if (this.#pending.get(name) === answer) this.#pending.delete(name);
    }
  }

  #remember(name: string, remembered: Remembered): void {
    this.forget(name);
    const [part, max] = remembered.placement ? [this.#known, MAX_PLACEMENTS] : [this.#unknown, MAX_UNKNOWN];
    part.set(name, remembered);
    // The first entry was read longest ago.
    const [oldest] = part.keys();
    if (part.size > max && oldest !== undefined) part.delete(oldest);
  }
}

const MAX_WAIT_MS = 500;

const giveUp = () =>
  new Promise<never>((_, reject) => setTimeout(() => reject(new Error("the directory's answer is late")), MAX_WAIT_MS));
