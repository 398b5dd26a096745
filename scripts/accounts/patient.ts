/** Another process writes to the same file of SQLite at this moment. */
function isBusy(error: unknown): boolean {
  return error instanceof Error && /SQLITE_BUSY|database is locked/.test(error.message);
}

const WAIT_MILLISECONDS = 200;
const PATIENCE = 100;

/**
 * A database that waits for its turn beside a running `npm start`: what the other is busy for is tried again, for some
 * twenty seconds. A batch is whole or nothing, so that it may be.
 */
export function patient(db: D1Database): D1Database {
  const again = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work();
      } catch (error) {
        if (!isBusy(error) || attempt === PATIENCE) throw error;
        await new Promise((done) => setTimeout(done, WAIT_MILLISECONDS));
      }
    }
  };
  const originals = new WeakMap<object, D1PreparedStatement>();
  const statement = (original: D1PreparedStatement): D1PreparedStatement => {
    const waiting = {
      bind: (...values: unknown[]) => statement(original.bind(...values)),
      all: () => again(() => original.all()),
      run: () => again(() => original.run()),
      raw: (options?: never) => again(() => original.raw(options as never)),
      first: (column?: string) => again(() => (column === undefined ? original.first() : original.first(column))),
    } as unknown as D1PreparedStatement;
    originals.set(waiting, original);
    return waiting;
  };
  return {
    prepare: (sql: string) => statement(db.prepare(sql)),
    batch: (statements: D1PreparedStatement[]) =>
      again(() => db.batch(statements.map((one) => originals.get(one) ?? one))),
  } as unknown as D1Database;
}
