import { branchName, dayText, isNothing, money, signedMoney } from "../../account.ts";
import { ask, office } from "../../api.ts";
import { AskSheet } from "../../desk/ask-sheet.tsx";
import type { AskedField, Said } from "../../desk/fields.ts";
import { t } from "../../texts.ts";
import { type Closing, differenceOf, expectedWith, type Register } from "./money.ts";

interface CloseSheetProps {
  readonly branch: string;
  readonly date: string;
  readonly cash: NonNullable<Register["cash"]>;
  readonly onDone: (closing: Closing) => void;
  readonly onClose: () => void;
}

/** Closes a branch's cash with what a person counted; the difference is shown before it is done. */
export function CloseSheet({ branch, date, cash, onDone, onClose }: CloseSheetProps) {
  const fields: readonly AskedField[] = [
    { name: "counted", kind: "money", required: true, hint: "countedHint" },
    // Asked where nobody has counted it before: afterwards the drawer opens with what was left.
    ...(isNothing(cash.opening) ? [{ name: "opening", kind: "money", hint: "openingHint" } as const] : []),
    { name: "taken_out", kind: "money", hint: "takenOutHint" },
    { name: "note", kind: "long", label: "in.notes" },
  ];
  return (
    <AskSheet
      title={`${t("closeCash")} · ${branchName(branch)}, ${dayText(date)}`}
      lead={t("aboutClosing")}
      draft={["close-cash", `${branch} ${date}`]}
      fields={fields}
      submit={t("closeCash")}
      outcome={(said) => <Outcome said={said} cash={cash} />}
      send={(body, key) =>
        ask("POST", office("/register/close"), { body: { ...body, rental_location_code: branch, date }, key })
      }
      onDone={({ body }) => onDone(body["closing"] as Closing)}
      onClose={onClose}
    />
  );
}

function Outcome({ said, cash }: { readonly said: Said; readonly cash: CloseSheetProps["cash"] }) {
  const expected = expectedWith(String(said["opening"] ?? ""), cash.expected);
  const difference = differenceOf(String(said["counted"] ?? ""), expected);
  return (
    <div class="quote" role="status">
      <dl class="outcome">
        <dt>{t("cash.expected")}</dt>
        <dd class="number">{money(expected)}</dd>
        <dt>{t("difference")}</dt>
        <dd class="number">
          <strong>{difference === undefined ? t("nothing") : signedMoney(difference)}</strong>
        </dd>
      </dl>
    </div>
  );
}
