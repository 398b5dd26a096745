import { useState } from "preact/hooks";
import { MAX_DATE_TIME } from "#shared/max-date.ts";
import type { Typed } from "#shared/typed-requests.ts";
import type { VehicleBlockMessage, VehicleBlockRequest } from "#worker/api/office/vehicle-messages.ts";
import { formatDayRange, hasUserRight } from "../../account.ts";
import { sendOfficeRequest, toOfficePath } from "../../api.ts";
import { formatMissingRight, type RefusalTexts, toRefusalTexts } from "../../desk/refusals.ts";
import { Sheet } from "../../desk/sheet.tsx";
import { useSubmitOnce } from "../../desk/submit-once.ts";
import { linkToWithQuery } from "../../route.ts";
import { t } from "../../texts.ts";
import { readFormDraft, saveFormDraft } from "../form-drafts.ts";
import type { BoardChange } from "./board-changes.ts";
import type { BoardChangeResult } from "./change-sheet.tsx";
import { listDisplacedContracts } from "./displaced-contracts.ts";

const REASONS = ["workshop", "transfer", "other"] as const;

interface StretchSheetProps {
  readonly change: Extract<BoardChange, { kind: "stretch" }>;
  readonly onDone: (done: BoardChangeResult) => void;
  readonly onClose: () => void;
}

/** Creates a block or a reservation in a free period of a vehicle. */
export function FreePeriodSheet({ change: { vehicle, date_from, date_to }, onDone, onClose }: StretchSheetProps) {
  // The draft belongs to this period. Another one is another block.
  const draft = ["stretch", `${vehicle.reference} ${date_from} ${date_to}`] as const;
  const [input, setInput] = useState({
    from: `${date_from}T08:00`,
    to: `${date_to}T20:00`,
    reason: "workshop",
    note: "",
    ...readFormDraft(...draft),
  });
  const [wrong, setWrong] = useState<RefusalTexts>({ fields: {}, notice: "" });
  const title = `${vehicle.stock_plate ?? vehicle.reference} · ${vehicle.name}`;
  const successText = t("blockedNow", { vehicle: vehicle.reference });
  const { isBusy, send } = useSubmitOnce<VehicleBlockMessage>({
    draft,
    title,
    formatNotice: () => successText,
    take: (answer) => {
      if (!answer) return setWrong({ fields: {}, notice: t("notSent") });
      if (answer.status >= 300) return setWrong(toRefusalTexts(answer));
      const { block } = answer.body;
      onDone({ words: successText, ...(block && { undo: { kind: "unblock", block, restored: losing } }) });
    },
  });
  const handleInput = (name: keyof typeof input) => (event: { readonly currentTarget: { readonly value: string } }) => {
    setWrong({ fields: {}, notice: "" });
    const next = { ...input, [name]: event.currentTarget.value };
    saveFormDraft(...draft, next);
    setInput(next);
  };
  // A block takes effect despite existing contracts, so list the affected ones first.
  const losing = listDisplacedContracts(vehicle.contracts, input.from, input.to);
  const block = () => {
    if (input.to <= input.from)
      return setWrong({ fields: { to: t("problem.later", { limit: t("field.date_from") }) }, notice: "" });
    const path = `/vehicles/${encodeURIComponent(vehicle.reference)}/blocks`;
    return send(input, (key) =>
      sendOfficeRequest<VehicleBlockMessage, Typed<VehicleBlockRequest>>("POST", toOfficePath(path), {
        body: input,
        key,
      }),
    );
  };
  const field = (name: "from" | "to") => (
    <label>
      {t(name === "from" ? "field.date_from" : "field.date_to")}
      <input
        type="datetime-local"
        max={MAX_DATE_TIME}
        value={input[name]}
        aria-invalid={wrong.fields[name] !== undefined}
        onInput={handleInput(name)}
      />
      {wrong.fields[name] && <span class="problem">{wrong.fields[name]}</span>}
    </label>
  );
  return (
    <Sheet title={title} onClose={onClose}>
      <p class="lead">{formatDayRange(date_from, date_to)}</p>
      {!hasUserRight("sell") && <p role="alert">{formatMissingRight("sell")}</p>}
      {hasUserRight("sell") && (
        <>
          <a
            class="button"
            href={linkToWithQuery({ date_from, date_to, category_code: vehicle.category_code }, "reservations", "new")}
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
              <select value={input.reason} onChange={handleInput("reason")}>
                {REASONS.map((reason) => (
                  <option key={reason} value={reason}>
                    {t(`block.${reason}`)}
                  </option>
                ))}
              </select>
            </label>
            <label>
              {t("in.notes")}
              <input value={input.note} autocomplete="off" onInput={handleInput("note")} />
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
