import type { CellSlot, Cells, Migration, SlotMigration } from "#worker/directory/cells.ts";
import { DirectoryRefusalError } from "#worker/directory/refusal.ts";
import { type BatchStatementResult, type BoundStatement, createBatchedD1 } from "#worker/imports/batched-d1.ts";
import { findCell, type RouterEnvironment } from "./environment.ts";
import { forwardToCell, toBaseDomainDestination } from "./forward.ts";

function refuseUnknownCell(env: RouterEnvironment, cell: string): void {
  if (findCell(env, cell)) return;
  throw new DirectoryRefusalError(409, "cell_unknown", `The router has no cell ${cell}. Deploy it with this cell`);
}

/** Access to the databases of all cells, through the operator's routes of each cell. */
export function openRemoteCells(env: RouterEnvironment, authorization: string): Cells {
  const ask = async <T>(cell: string, path: string, body?: object): Promise<T> => {
    refuseUnknownCell(env, cell);
    const request = new Request(`https://${env.BASE_DOMAIN}/operator/${path}`, {
      method: body ? "POST" : "GET",
      headers: { Authorization: authorization, "Content-Type": "application/json" },
      ...(body && { body: JSON.stringify(body) }),
    });
    const answer = await forwardToCell(env, request, toBaseDomainDestination(cell));
    if (!answer || answer.status === 503)
      throw new DirectoryRefusalError(503, "cell_unavailable", `Cell ${cell} doesn't answer. Repeat the command later`);
    if (answer.ok) return answer.json<T>();
    const { error } = await answer.json<{ error?: string }>().catch(() => ({ error: undefined }));
    const hint =
      answer.status === 401 ? "Its OPERATOR_KEY differs from the router's" : (error ?? `It answered ${answer.status}`);
    throw new DirectoryRefusalError(409, "cell_refused", `Cell ${cell}: ${hint}`);
  };
  return {
    open: (cell, slot) =>
      createBatchedD1(async (statements: readonly BoundStatement<unknown>[]) => {
        const { answers } = await ask<{ answers: readonly BatchStatementResult[] }>(cell, `slots/${slot}/batch`, {
          statements,
        });
        return answers;
      }),
    list: async (cell) => (await ask<{ slots: readonly CellSlot[] }>(cell, "slots")).slots,
    migrate: async (cell: string, slots: readonly number[], migrations: readonly Migration[]) =>
      (await ask<{ results: readonly SlotMigration[] }>(cell, "slots/migrate", { slots, migrations })).results,
  };
}
