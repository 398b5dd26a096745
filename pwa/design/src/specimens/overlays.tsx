import { BookingActionSheet } from "#office/desk/action-sheet.tsx";
import type { FormField } from "#office/desk/fields.ts";
import { FormSheet } from "#office/desk/form-sheet.tsx";
import SecondFactorSheet from "#office/desk/second-factor-sheet.tsx";
import { Sheet } from "#office/desk/sheet.tsx";
import KeyboardShortcutsDialog from "#office/keyboard-shortcuts-dialog.tsx";
import { t } from "#office/texts.ts";
import { LONG_NAME, LONG_WORD, sampleReservation } from "../content.ts";
import { ignoreEvent, type Specimen } from "../specimen.ts";
import { AutoSubmitted } from "../submitted.tsx";

interface RefundSpecimen {
  readonly amount: string;
  readonly date_from: string;
  readonly reason: string;
}

const FIELDS: readonly FormField<keyof RefundSpecimen>[] = [
  { name: "amount", kind: "money", required: true, label: "total" },
  { name: "date_from", kind: "date" },
  { name: "reason", kind: "long", hint: "seeBelow" },
];

const refusal = { error: "", code: "more_than_due" as const, detail: [{ field: "amount", message: "" }] };

type SheetProps = Partial<Parameters<typeof FormSheet<object, RefundSpecimen>>[0]>;

const form = (id: string, changes: SheetProps = {}) => (
  <FormSheet<object, RefundSpecimen>
    title={t("do.refund")}
    draft={["design", id]}
    fields={FIELDS}
    begin={{ amount: "10.00" }}
    submit={t("save")}
    send={async () => ({ status: 409, body: refusal })}
    onDone={ignoreEvent}
    onClose={ignoreEvent}
    {...changes}
  />
);

/** Panels that cover the page, each shown alone. */
export const OVERLAYS: readonly Specimen[] = [
  {
    name: "KeyboardShortcutsDialog",
    isOverlay: true,
    states: { normal: () => <KeyboardShortcutsDialog onClose={ignoreEvent} /> },
  },
  {
    name: "Sheet",
    isOverlay: true,
    states: {
      normal: () => (
        <Sheet title={t("customer")} onClose={ignoreEvent}>
          <p class="lead">{t("about.change")}</p>
          <div class="foot">
            <p />
            <button type="button" class="main">
              {t("save")}
            </button>
          </div>
        </Sheet>
      ),
      long: () => (
        <Sheet title={`${LONG_NAME} ${LONG_WORD}`} isWide onClose={ignoreEvent}>
          <p class="lead">{LONG_NAME}</p>
        </Sheet>
      ),
    },
  },
  {
    name: "FormSheet",
    isOverlay: true,
    states: {
      normal: () => form("normal"),
      busy: () => <AutoSubmitted>{form("busy", { send: () => new Promise(() => undefined) })}</AutoSubmitted>,
      error: () => <AutoSubmitted>{form("error")}</AutoSubmitted>,
      empty: () => <AutoSubmitted>{form("empty", { begin: {} })}</AutoSubmitted>,
      changed: () => (
        <AutoSubmitted>
          {form("changed", {
            originalValues: { version: 1, amount: "10.00" },
            thingOf: () => ({ version: 2, amount: "12.00" }),
            send: async () => ({ status: 409, body: { error: "", code: "changed_meanwhile" } }),
          })}
        </AutoSubmitted>
      ),
    },
  },
  {
    name: "BookingActionSheet",
    isOverlay: true,
    states: {
      error: () => (
        <BookingActionSheet of={sampleReservation} action="cancel" onDone={ignoreEvent} onClose={ignoreEvent} />
      ),
    },
  },
  { name: "SecondFactorSheet", isOverlay: true, states: { normal: () => <SecondFactorSheet onEnd={ignoreEvent} /> } },
];
