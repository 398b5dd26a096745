import "../board.css";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { addDays, type CivilDate, parseCivilDate } from "#domain/dates.ts";
import { getCompanyDateTime, hasUserRight } from "../account.ts";
import { getSuccessfulContent, sendOfficeRequest, toOfficePath } from "../api.ts";
import { BRANCH_PARAMETER, chosenBranchCode } from "../desk/chosen-branch.ts";
import { LoadErrorMessage } from "../desk/load-error.tsx";
import { toRefusalTexts } from "../desk/refusals.ts";
import { Skeleton } from "../desk/skeleton.tsx";
import { deferredNotice } from "../desk/submit-once.ts";
import { Icon } from "../icons.tsx";
import { replaceQueryValues, urlQuery } from "../route.ts";
import { t } from "../texts.ts";
import { type BoardBar, type BoardRow, layOutBoard } from "./planning/board.ts";
import { type BoardChange, toBoardQuoteBody, toFreePeriodChange } from "./planning/board-changes.ts";
import { BoardView } from "./planning/board-view.tsx";
import {
  type BoardChangeResult,
  BoardChangeSheet,
  isSentWithoutConfirmation,
  sendBoardChange,
} from "./planning/change-sheet.tsx";
import { ContractCard } from "./planning/contract-card.tsx";
import { getCurrentBoardDay } from "./planning/current-board-day.ts";
import { FreePeriodSheet } from "./planning/free-period-sheet.tsx";
import type { Planning } from "./planning/planning.ts";
import { BoardLegend, BoardToolbar } from "./planning/toolbar.tsx";

const MONTH = 31;

interface OpenedBar {
  readonly row: BoardRow;
  readonly bar: BoardBar;
}

/** Reads the board settings from the URL. */
function readView() {
  const boardQuery = urlQuery.value;
  const days = Number(boardQuery.get("days"));
  const { date: today } = getCompanyDateTime();
  return {
    // A view of several days includes yesterday, to show overdue vehicles.
    from: parseCivilDate(boardQuery.get("from") ?? "") ?? (days === 1 ? today : addDays(today, -1)),
    days: [1, 7, MONTH].includes(days) ? days : MONTH,
    storage: boardQuery.get("storage") ?? "",
    category: boardQuery.get("category") ?? "",
  };
}

/** Planning board of vehicles by day. Bars are moved by pointer or keyboard, with quotes and undo. */
export default function PlanningPage() {
  const [planning, setPlanning] = useState<Planning>();
  const [problem, setProblem] = useState("");
  const [change, setChange] = useState<BoardChange>();
  const [opened, setOpened] = useState<OpenedBar>();
  const [done, setDone] = useState<BoardChangeResult>();
  const [isWaitingShown, setWaitingShown] = useState(true);
  const requestNumber = useRef(0);
  const view = readView();
  const boardQuery = new URLSearchParams({
    date_from: view.from,
    days: String(view.days),
    ...(view.storage && { rental_storage_id: view.storage }),
    ...(!view.storage && chosenBranchCode.value && { [BRANCH_PARAMETER]: chosenBranchCode.value }),
    ...(view.category && { category_code: view.category }),
  }).toString();
  const read = async () => {
    requestNumber.current += 1;
    const own = requestNumber.current;
    try {
      const answer = await sendOfficeRequest<Planning>("GET", toOfficePath(`/planning?${boardQuery}`));
      if (own !== requestNumber.current) return;
      const content = getSuccessfulContent(answer);
      if (!content) return setProblem(toRefusalTexts(answer).notice);
      setProblem("");
      setPlanning(content);
    } catch {
      if (own === requestNumber.current) setProblem(t("notLoaded"));
    }
  };
  useEffect(() => {
    void read();
  }, [boardQuery, deferredNotice.value.turn]);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      const isUndo = (event.ctrlKey || event.metaKey) && event.key === "z";
      if (!isUndo || !done?.undo || (event.target as HTMLElement).matches("input, textarea, select")) return;
      event.preventDefault();
      void undo();
    };
    addEventListener("keydown", onKey);
    return () => removeEventListener("keydown", onKey);
  }, [done]);
  const board = useMemo(
    () => planning && layOutBoard(planning, getCurrentBoardDay(planning.date_from as CivilDate)),
    [planning],
  );
  // Changes without cost are undone immediately. Others show their quote first.
  const undo = async () => {
    const back = done?.undo;
    if (!back) return;
    if (toBoardQuoteBody(back)) return setChange(back);
    finish(await sendBoardChange(back, true));
  };
  const request = async (wanted: BoardChange) => {
    if (!isSentWithoutConfirmation(wanted) || !hasUserRight("sell")) return setChange(wanted);
    finish(await sendBoardChange(wanted, false));
  };
  // If another panel was opened in the meantime, it stays open.
  const finish = (result: BoardChangeResult, change?: BoardChange | OpenedBar) => {
    setChange((now) => (now === change ? undefined : now));
    setOpened((now) => (now === change ? undefined : now));
    setDone(result);
    void read();
  };
  const open = (row: BoardRow, bar: BoardBar | undefined) => {
    if (bar) setOpened({ row, bar });
    else if (board && row.kind === "vehicle") {
      const now = Math.floor(getCurrentBoardDay(board.from));
      const day = now >= 0 && now < board.days ? now : 0;
      setChange(
        toFreePeriodChange(row, board.from, day, day) ?? toFreePeriodChange({ ...row, bars: [] }, board.from, day, day),
      );
    }
  };
  return (
    <main class="planning">
      <BoardToolbar
        view={view}
        waitingCount={board?.waitingCount ?? 0}
        isWaitingShown={isWaitingShown}
        onToggleWaiting={() => setWaitingShown(!isWaitingShown)}
        onChange={replaceQueryValues}
      />
      <LoadErrorMessage problem={problem} onRetry={read} />
      {!board && !problem && <Skeleton rows={20} />}
      {board?.fleet.length === 0 && <p class="calm">{t("noVehicles")}</p>}
      {board && board.fleet.length > 0 && (
        <>
          <BoardView board={board} isWaitingShown={isWaitingShown} onChange={request} onOpen={open} />
          <BoardLegend />
        </>
      )}
      <div class="toast" role="status">
        {done && (
          <>
            <span>{done.words}</span>
            {done.undo && (
              <button type="button" onClick={undo}>
                {t("undoAction")}
              </button>
            )}
            <button type="button" aria-label={t("close")} onClick={() => setDone(undefined)}>
              <Icon name="close" isSmall />
            </button>
          </>
        )}
      </div>
      {change?.kind === "stretch" && (
        <FreePeriodSheet
          change={change}
          onDone={(result) => finish(result, change)}
          onClose={() => setChange(undefined)}
        />
      )}
      {change && change.kind !== "stretch" && (
        <BoardChangeSheet
          change={change}
          isUndo={change === done?.undo}
          onDone={(result) => finish(result, change)}
          onClose={() => setChange(undefined)}
        />
      )}
      {opened && (
        <ContractCard {...opened} onDone={(result) => finish(result, opened)} onClose={() => setOpened(undefined)} />
      )}
    </main>
  );
}
