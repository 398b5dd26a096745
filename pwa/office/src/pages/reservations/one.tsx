import { useEffect, useRef, useState } from "preact/hooks";
import { lazyPart, type MissingProps } from "#shared/lazy.tsx";
import { isolated } from "#shared/locale.ts";
import { may, nowThere } from "../../account.ts";
import { office } from "../../api.ts";
import type { Doing } from "../../desk/move-forms.ts";
import { FORMS } from "../../desk/move-forms.ts";
import { rightOf } from "../../desk/move-rights.ts";
import { MoveSheet } from "../../desk/move-sheet.tsx";
import type { MoveName, Reservation, Whole } from "../../desk/reservation.ts";
import { StateBadge } from "../../desk/state-badge.tsx";
import { Trouble } from "../../desk/trouble.tsx";
import { NotRead, Older, useWhole } from "../../desk/use-whole.tsx";
import { goInstead, linkTo, linkWith } from "../../route.ts";
import { type TextKey, t } from "../../texts.ts";
import { Agent } from "./agent.tsx";
import { Correspondence } from "./correspondence.tsx";
import { ReservationDocuments } from "./documents.tsx";
import { Customer, Trip, Vehicles } from "./facts.tsx";
import { Photos } from "./photos.tsx";
import { Money, Price } from "./sums.tsx";
import { Timeline } from "./timeline.tsx";

const NotLoaded = ({ onRetry }: MissingProps) => <Trouble problem={t("failed")} onRetry={onRetry} />;
/** Most companies have none, or need not look at it. */
const Authorities = lazyPart(() => import("./authorities.tsx"), null, NotLoaded);

// What is done most comes first, what ends a contract last.
const ORDER: readonly Doing[] = [
  "confirm",
  "deliver",
  "collect",
  "refund",
  "assign",
  "change",
  "extend",
  "early-return",
  "exchange",
  "surcharge",
  "reopen",
  "no-show",
  "cancel",
];

const ENDS: ReadonlySet<Doing> = new Set(["no-show", "cancel"]);

const PROBLEMS: Readonly<Record<number, TextKey>> = {
  400: "noSuchReservation",
  403: "notAllowed",
  404: "noSuchReservation",
};

interface PageProps {
  readonly id: string;
  /** A move that is opened with the page, or `money`: what is entered at the desk. */
  readonly doing: string | undefined;
}

/** One reservation: its state, who and what and when, its money, its papers, its life, and the moves it can make. */
export function ReservationPage({ id, doing }: PageProps) {
  const path = `/reservations/${encodeURIComponent(id)}`;
  const { whole, setWhole, problem, read } = useWhole<Whole>(office(path), { problems: PROBLEMS });
  const [open, setOpen] = useState<Doing>();
  const [notice, setNotice] = useState("");
  const status = useRef<HTMLParagraphElement>(null);
  const isThere = whole !== undefined;
  useEffect(() => {
    if (whole && doing && movesOf(whole.reservation).includes(doing as Doing)) setOpen(doing as Doing);
  }, [isThere, doing]);
  if (!whole)
    return (
      <NotRead
        title={t("reservationNo", { id })}
        problem={problem}
        onRetry={read}
        list={linkTo("reservations")}
        listName={t("reservations")}
      />
    );
  const { reservation: of, documents, charges, history } = whole;
  const leave = () => {
    setOpen(undefined);
    if (doing) goInstead("reservations", id);
  };
  const say = (words: string) => {
    setNotice(words);
    status.current?.focus();
    return read();
  };
  const done = (after: Partial<Whole>, words: string) => {
    leave();
    setNotice(words);
    // A move answers the whole thing; what it causes, papers and entries, is read with it.
    if (after.reservation) setWhole(after as Whole);
    void read();
    status.current?.focus();
  };
  return (
    <main class="reservation">
      <p class="crumbs">
        <a href={linkTo("reservations")}>{t("reservations")}</a>
      </p>
      <div class="title">
        <h1>
          {t("reservationNo", { id: of.id })} · {isolated(of.customer_fullname)}
        </h1>
        <StateBadge of={of} />
        {of.reopened && (
          <span class="state" data-state="pending_confirmation">
            {t("openAgain")}
          </span>
        )}
        <span class="soft">
          {[
            of.agency_name,
            of.agency_reservation_id,
            of.sales_channel_name,
            t(of.kind === "rental" ? "kindRental" : "kindTransfer"),
          ]
            .filter(Boolean)
            .join(" · ")}
        </span>
      </div>
      <p class="done" role="status" ref={status} tabIndex={-1}>
        {notice}
      </p>
      <Older problem={problem} onRetry={read} />
      <Moves of={of} onOpen={setOpen} />
      <Trip of={of} />
      <div class="columns">
        <div class="column">
          <Price of={of} />
          <ReservationDocuments
            of={of}
            documents={documents}
            charges={charges}
            isTaking={doing === "money"}
            onDone={say}
            onLeave={leave}
          />
          <Correspondence id={of.id} version={of.version} />
          <Photos id={of.id} />
          <Timeline entries={history} papers={documents} />
        </div>
        <div class="column narrow">
          <Money of={of} />
          <Agent of={of} onDone={say} />
          <Customer of={of} />
          <Authorities of={of} onDone={say} />
          <Vehicles of={of} />
        </div>
      </div>
      {open && (
        <MoveSheet
          key={open}
          of={of}
          doing={open}
          onDone={done}
          onClose={(isOld) => {
            leave();
            if (isOld) void read();
          }}
        />
      )}
    </main>
  );
}

/**
 * The moves that it can make now and whoever is signed in may make; giving back what is owed among them, and last but
 * for what ends a contract what nobody owes.
 */
function movesOf(of: Reservation): readonly Doing[] {
  const isPaid = Number(of.total_paid) > 0;
  const possible = new Set<Doing>([...of.allowed, ...(isPaid ? (["refund"] as const) : [])]);
  const moves = orderOf(of).filter((one) => possible.has(one) && may(rightOf(one)));
  // Before its day nobody comes for it: it is prepared first. What has its vehicles is prepared.
  const later: readonly Doing[] = [
    ...(isAssigned(of) ? (["assign"] as const) : []),
    ...(of.date_from > nowThere().date ? (["deliver"] as const) : []),
  ];
  const sooner = moves.filter((one) => !later.includes(one));
  const ends = sooner.filter((one) => ENDS.has(one));
  return [...sooner.filter((one) => !ENDS.has(one)), ...later.filter((one) => moves.includes(one)), ...ends];
}

const isAssigned = ({ units }: Reservation) => units.every(({ reference }) => reference !== null);

function orderOf({ to_refund: owed }: Reservation): readonly Doing[] {
  if (Number(owed) > 0) return ORDER;
  const others: readonly Doing[] = ORDER.filter((one) => one !== "refund");
  return others.toSpliced(others.indexOf("no-show"), 0, "refund");
}

function Moves({ of, onOpen }: { readonly of: Reservation; readonly onOpen: (doing: Doing) => void }) {
  const moves = movesOf(of).filter((one) => one in FORMS);
  const withheld = of.allowed.filter((one: MoveName) => !moves.includes(one));
  return (
    <div class="moves">
      {moves.map((one, index) => (
        <button
          key={one}
          type="button"
          class={ENDS.has(one) ? "danger" : index === 0 ? "main" : ""}
          onClick={() => onOpen(one)}
        >
          {t(one === "assign" && isAssigned(of) ? "do.reassign" : `do.${one}`)}
        </button>
      ))}
      {moves.length === 0 && withheld.length === 0 && <p class="soft">{t("noMoves")}</p>}
      {withheld.length > 0 && (
        <p class="soft">{t("withheld", { moves: withheld.map((one) => t(`do.${one}`)).join(", ") })}</p>
      )}
      {of.kind === "rental" && (
        <a class="button quiet" href={linkWith({ from: of.date_from, storage: of.rental_storage_id }, "planning")}>
          {t("seeInPlanning")}
        </a>
      )}
    </div>
  );
}
