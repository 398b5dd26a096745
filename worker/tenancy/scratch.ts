import type { GivenFiles, ImportTable, Restored, TakenBack, Tried } from "#domain/operations/imports.ts";

/** What an import is written under: who asks, their key, and when (epoch ms). */
export interface ScratchRequest {
  readonly key: string;
  readonly fingerprint: string;
  readonly actor: string;
  readonly now: number;
}

/** The calls of an object that is a database to throw away, see `ScratchDatabase`. */
export interface ScratchCalls {
  check(account: string, given: GivenFiles): Promise<Tried>;
  write(account: string, given: GivenFiles, request: ScratchRequest): Promise<Tried>;
  undo(account: string, request: ScratchRequest): Promise<TakenBack>;
  tables(account: string): Promise<readonly ImportTable[]>;
  templates(account: string): Promise<Uint8Array<ArrayBuffer>>;
  restore(account: string, path: string): Promise<Restored | undefined>;
}

/** The same for one account: nobody else's can be named. */
export interface Scratch {
  check(given: GivenFiles): Promise<Tried>;
  write(given: GivenFiles, request: ScratchRequest): Promise<Tried>;
  undo(request: ScratchRequest): Promise<TakenBack>;
  tables(): Promise<readonly ImportTable[]>;
  templates(): Promise<Uint8Array<ArrayBuffer>>;
  restore(path: string): Promise<Restored | undefined>;
}

/** The objects of an account in which imports are tried and backups restored. */
export function openScratch(namespace: DurableObjectNamespace, account: string): Scratch {
  const objectFor = (purpose: "import" | "drill") =>
    namespace.get(namespace.idFromName(`t/${account}/${purpose}`)) as unknown as ScratchCalls;
  return {
    check: (given) => objectFor("import").check(account, given),
    write: (given, request) => objectFor("import").write(account, given, request),
    undo: (request) => objectFor("import").undo(account, request),
    tables: () => objectFor("import").tables(account),
    templates: () => objectFor("import").templates(account),
    restore: (path) => objectFor("drill").restore(account, path),
  };
}
