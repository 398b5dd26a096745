import { useEffect, useRef, useState } from "preact/hooks";
import { dayText, may } from "../../account.ts";
import { ask, office } from "../../api.ts";
import type { MoveQuote } from "../../desk/quote.ts";
import { MoveQuoteView } from "../../desk/quote-view.tsx";
import { refusedBy } from "../../desk/refusals.ts";
import type { Listed, Whole } from "../../desk/reservation.ts";
import { Sheet } from "../../desk/sheet.tsx";
import { linkTo } from "../../route.ts";
import { t } from "../../texts.ts";
import { quoteBodyOf, requestOf, undoOf, type Wish } from "./wishes.ts";

/** What was done on the board, in words, and what takes it back. */
export interface Done {
  readonly words: string;
  readonly undo?: Exclude<Wish, { kind: "stretch" }>;
}

interface WishSheetProps {
  readonly wish: Exclude<Wish, { kind: "stretch" }>;
  readonly isUndo: boolean;
  readonly onDone: (done: Done) => void;
  readonly onClose: () => void;
}

/** What a drag asks for, with what it would cost, before it is done. */
export function WishSheet({ wish: dropped, isUndo, onDone, onClose }: WishSheetProps) {
  const [wish, setWish] = useState(dropped);
  const [problem, setProblem] = useState("");
  const [isBusy, setBusy] = useState(false);
  const key = useRef(crypto.randomUUID());
  const { quote, total } = useWishQuote(wish);
  const request = requestOf(wish);
  const go = async () => {
    if (!request) return;
    setBusy(true);
    const made = await perform(wish, { isUndo, key: key.current });
    setBusy(false);
    if ("words" in made) return onDone(made);
    // A network that failed leaves the key: the same is asked again.
    if (!made.isUnknown) key.current = crypto.randomUUID();
    if (made.version !== undefined) setWish(withVersion(wish, made.version));
    setProblem(made.problem);
  };
  const isWithheld = request !== undefined && !may("sell");
  return (
    <Sheet title={isUndo ? t("undoMove") : titleOf(wish)} onClose={onClose}>
      <p class="lead">{aboutOf(wish)}</p>
      {wish.kind === "exchange" && (
        <a class="button main" href={linkTo("reservations", wish.contract.id, "exchange")}>
          {t("do.exchange")}
        </a>
      )}
      {quoteBodyOf(wish) && <MoveQuoteView quote={quote} total={total} isReading={!quote} />}
      {wish.kind === "assign" && <p>{t("priceStays")}.</p>}
      <div class="foot">
        <p role="alert" class="problem">
          {isWithheld ? t("refused.right_missing", { right: t("right.sell") }) : problem}
        </p>
        <button type="button" onClick={onClose}>
          {t("leave")}
        </button>
        {request && (
          <button type="button" class="main" disabled={isBusy || isWithheld || quote?.allowed === false} onClick={go}>
            {isUndo ? t("undoMove") : titleOf(wish)}
          </button>
        )}
      </div>
    </Sheet>
  );
}

interface Failed {
  readonly problem: string;
  /** Whether nobody knows if it was done: the network failed. */
  readonly isUnknown: boolean;
  /** As it is now, where somebody changed it meanwhile. */
  readonly version?: number;
}

/** Does what a wish asks, once for each key: what was done with its way back, or why it was not. */
export async function perform(
  wish: WishSheetProps["wish"],
  { isUndo, key }: { readonly isUndo: boolean; readonly key: string },
): Promise<Done | Failed> {
  const request = requestOf(wish);
  if (!request) return { problem: t("notPossible"), isUnknown: false };
  try {
    const answer = await ask(request.method, office(request.path), { body: request.body, key });
    if (answer.status < 300) {
      const back = isUndo ? undefined : undoOf(wish, versionOf(answer.body));
      return { words: wordsOf(wish, isUndo), ...(back && { undo: back }) };
    }
    if (answer.body["code"] === "changed_meanwhile")
      return { problem: t("changedOnBoard"), isUnknown: false, version: versionOf(answer.body) };
    const { fields, notice } = refusedBy(answer);
    return { problem: [...Object.values(fields), notice].filter(Boolean).join(" "), isUnknown: false };
  } catch {
    return { problem: t("notSent"), isUnknown: true };
  }
}

// A block answers its own, every other move the reservation.
function versionOf(body: Readonly<Record<string, unknown>>): number {
  const { reservation, block } = body as {
    readonly reservation?: Whole["reservation"];
    readonly block?: { readonly version: number };
  };
  return reservation?.version ?? block?.version ?? 0;
}

function withVersion<One extends Wish>(wish: One, version: number): One {
  if ("contract" in wish) return { ...wish, contract: { ...wish.contract, version } };
  return "block" in wish ? { ...wish, block: { ...wish.block, version } } : wish;
}

function titleOf(wish: Wish): string {
  switch (wish.kind) {
    case "assign":
      return wish.to === null ? t("takeOff") : t("do.assign");
    case "dates":
      return t(`do.${wish.move}`);
    case "exchange":
      return t("do.exchange");
    case "block":
      return t("moveBlock");
    case "unblock":
      return t("unblock");
    default:
      return t("notPossible");
  }
}

function aboutOf(wish: Exclude<Wish, { kind: "stretch" }>): string {
  switch (wish.kind) {
    case "assign":
      return t("assignAbout", {
        who: wish.contract.customer_fullname,
        from: wish.from ?? t("unassigned"),
        to: wish.to ?? t("unassigned"),
      });
    case "dates":
      return t("datesAbout", {
        who: wish.contract.customer_fullname,
        before: `${dayText(wish.contract.date_from)} – ${dayText(wish.contract.date_to)}`,
        after: `${dayText(wish.date_from)} – ${dayText(wish.date_to)}`,
      });
    case "exchange":
      return t("exchangeAbout", { who: wish.contract.customer_fullname, to: wish.to });
    case "block":
      return t("blockAbout", { vehicle: wish.block.reference, days: wish.endDays });
    case "unblock":
      return t("unblocked", { vehicle: wish.block.reference });
    case "refused":
      return t(`whyNot.${wish.why}`);
  }
}

function wordsOf(wish: Wish, isUndo: boolean): string {
  return isUndo
    ? t("undone")
    : t("doneOnBoard", { what: titleOf(wish), who: "contract" in wish ? wish.contract.customer_fullname : "" });
}

// Beside the quote, what the contract costs as it is.
function useWishQuote(wish: Wish) {
  const [state, setState] = useState<{ readonly quote?: MoveQuote; readonly total: string }>({ total: "0" });
  useEffect(() => {
    const body = quoteBodyOf(wish);
    if (!body || wish.kind !== "dates") return;
    const path = `/reservations/${wish.contract.id}`;
    Promise.all([ask("POST", office(`${path}/quote`), { body }), ask("GET", office(path))]).then(
      ([answer, whole]) => {
        const of = whole.body["reservation"] as Listed | undefined;
        const refused = refusedBy(answer);
        const message = [...Object.values(refused.fields), refused.notice].filter(Boolean).join(" ");
        const failed = { allowed: false, reasons: [{ code: "", message }], warnings: [] } as unknown as MoveQuote;
        setState({
          quote: answer.status === 200 ? (answer.body as unknown as MoveQuote) : failed,
          total: of?.total_cost ?? "0",
        });
      },
      () =>
        setState({
          quote: {
            allowed: false,
            reasons: [{ code: "", message: t("notSent") }],
            warnings: [],
          } as unknown as MoveQuote,
          total: "0",
        }),
    );
  }, [wish]);
  return state;
}
