import { useState } from "preact/hooks";
import { dayText, may } from "../../account.ts";
import { ask, office } from "../../api.ts";
import { type Refused, refusedBy } from "../../desk/refusals.ts";
import { useSending } from "../../desk/sending.ts";
import { Sheet } from "../../desk/sheet.tsx";
import { linkWith } from "../../route.ts";
import { t } from "../../texts.ts";
import { keepDraft, readDraft } from "../drafts.ts";
import type { BoardChange } from "./board-changes.ts";
import type { Done } from "./change-sheet.tsx";
import type { Block } from "./planning.ts";

const REASONS = ["workshop", "transfer", "other"] as const;

interface StretchSheetProps {
  readonly change: Extract<BoardChange, { kind: "stretch" }>;
  readonly onDone: (done: Done) => void;
  readonly onClose: () => void;
}

/** What is made of a free stretch of a vehicle: a block, or a reservation of its category. */
export function StretchSheet({ change: { vehicle, date_from, date_to }, onDone, onClose }: StretchSheetProps) {
  // Of this stretch alone: another one of the vehicle is another block.
  const draft = ["stretch", `${vehicle.reference} ${date_from} ${date_to}`] as const;
  const [said, setSaid] = useState({
    from: `${date_from}T08:00`,
    to: `${date_to}T20:00`,
    reason: "workshop",
    note: "",
    ...readDraft(...draft),
  });
  const [wrong, setWrong] = useState<Refused>({ fields: {}, notice: "" });
  const title = `${vehicle.stock_plate ?? vehicle.reference} · ${vehicle.name}`;
  const words = t("blockedNow", { vehicle: vehicle.reference });
  const { isBusy, send } = useSending({
    draft,
    title,
    said: () => words,
    take: (answer) => {
      if (!answer) return setWrong({ fields: {}, notice: t("notSent") });
      if (answer.status >= 300) return setWrong(refusedBy(answer));
      onDone({ words, undo: { kind: "unblock", block: answer.body["block"] as Block } });
    },
  });
  const say = (name: keyof typeof said) => (event: { readonly currentTarget: { readonly value: string } }) => {
    setWrong({ fields: {}, notice: "" });
    const next = { ...said, [name]: event.currentTarget.value };
    keepDraft(...draft, next);
    setSaid(next);
  };
  // A block takes effect whatever is sold: who loses the vehicle is said before.
  const losing = vehicle.contracts.filter(
    (one) =>
      one.status === "confirmed" &&
      `${one.date_from}T${one.time_from}` < said.to &&
      `${one.date_to}T${one.time_to}` > said.from,
  );
  const block = () => {
    if (said.to <= said.from)
      return setWrong({ fields: { to: t("problem.later", { 0: t("field.date_from") }) }, notice: "" });
    const path = `/vehicles/${encodeURIComponent(vehicle.reference)}/blocks`;
    return send(said, (key) => ask("POST", office(path), { body: said, key }));
  };
  const field = (name: "from" | "to") => (
    <label>
      {t(name === "from" ? "field.date_from" : "field.date_to")}
      <input
        type="datetime-local"
        value={said[name]}
        aria-invalid={wrong.fields[name] !== undefined}
        onInput={say(name)}
      />
      {wrong.fields[name] && <span class="problem">{wrong.fields[name]}</span>}
    </label>
  );
  return (
    <Sheet title={title} onClose={onClose}>
      <p class="lead">
        {dayText(date_from)} – {dayText(date_to)}
      </p>
      {!may("sell") && <p role="alert">{t("refused.right_missing", { right: t("right.sell") })}</p>}
      {may("sell") && (
        <>
          <a
            class="button"
            href={linkWith({ date_from, date_to, category_code: vehicle.category_code }, "reservations", "new")}
          >
            {t("bookHere")}
          </a>
          <form
            noValidate
            onSubmit={(event) => {
              event.preventDefault();
              void block();
            }}
          >
            <h3 class="wide">{t("blockHere")}</h3>
            {field("from")}
            {field("to")}
            <label>
              {t("in.reason")}
              <select value={said.reason} onChange={say("reason")}>
                {REASONS.map((one) => (
                  <option key={one} value={one}>
                    {t(`block.${one}`)}
                  </option>
                ))}
              </select>
            </label>
            <label>
              {t("in.notes")}
              <input value={said.note} maxLength={500} autocomplete="off" onInput={say("note")} />
            </label>
            {losing.length > 0 && (
              <p class="notice waiting wide">
                {t("losing", { who: losing.map(({ customer_fullname }) => customer_fullname).join(", ") })}
              </p>
            )}
            <div class="foot">
              <p role="alert">{wrong.notice}</p>
              <button type="submit" class="main" disabled={isBusy}>
                {t("blockHere")}
              </button>
            </div>
          </form>
        </>
      )}
    </Sheet>
  );
}
