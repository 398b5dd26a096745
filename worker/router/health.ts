import { listCells, type RouterEnvironment } from "./environment.ts";
import { forwardToCell, toBaseDomainDestination } from "./forward.ts";

/** Deep health of a cell (worker/site/health.ts). */
interface CellHealth {
  readonly status: string;
  readonly files: string;
  readonly office: string;
  readonly printer: string;
  readonly version?: string;
  readonly accounts: Readonly<Record<string, number>>;
  readonly next: number | null;
}

interface SummedHealth extends CellHealth {
  readonly cells: Readonly<Record<string, string>>;
}

/** Combines the deep health checks of all cells, or of the cell named by `?cell=`, page by page. */
export async function fetchAllCellsHealth(
  env: RouterEnvironment,
  request: Request,
): Promise<{ readonly status: 200 | 503; readonly body: SummedHealth }> {
  const onlyCell = new URL(request.url).searchParams.get("cell");
  const names = listCells(env).filter((cell) => onlyCell === null || cell === onlyCell);
  const answers = await Promise.all(names.map((cell) => askCell(env, request, cell)));
  const cells = Object.fromEntries(names.map((cell, index) => [cell, answers[index]?.status ?? "unreachable"]));
  const answered = answers.filter((answer) => answer !== undefined);
  const isWell = names.length > 0 && Object.values(cells).every((status) => status === "ok");
  const worst = (part: "files" | "office" | "printer") =>
    answered.find((answer) => answer[part] !== "ok")?.[part] ?? (answered.length > 0 ? "ok" : "unreachable");
  const pages = answered.flatMap(({ next }) => next ?? []);
  const version = answered[0]?.version;
  const body = {
    status: isWell ? "ok" : "degraded",
    files: worst("files"),
    office: worst("office"),
    printer: worst("printer"),
    ...(version !== undefined && { version }),
    accounts: addUp(answered.map(({ accounts }) => accounts)),
    next: pages.length > 0 ? Math.min(...pages) : null,
    cells,
  };
  return { status: isWell ? 200 : 503, body };
}

async function askCell(env: RouterEnvironment, request: Request, cell: string): Promise<CellHealth | undefined> {
  const answer = await forwardToCell(env, request, toBaseDomainDestination(cell));
  if (!answer) return undefined;
  const body = await answer.json<Partial<CellHealth>>().catch(() => undefined);
  return body?.accounts ? (body as CellHealth) : undefined;
}

function addUp(counts: readonly Readonly<Record<string, number>>[]): Readonly<Record<string, number>> {
  const sum: Record<string, number> = {};
  for (const [status, count] of counts.flatMap((item) => Object.entries(item)))
    sum[status] = (sum[status] ?? 0) + count;
  return sum;
}
