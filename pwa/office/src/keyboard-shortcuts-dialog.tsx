import { useEffect, useRef, useState } from "preact/hooks";
import { CheckBox } from "./desk/inputs.tsx";
import { areSingleKeyShortcutsEnabled, saveSingleKeyShortcutsEnabled } from "./single-key-shortcuts.ts";
import { type TextKey, t } from "./texts.ts";

/** Dialog with the keyboard shortcuts. */
export default function KeyboardShortcutsDialog({ onClose }: { readonly onClose: () => void }) {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} onClose={onClose}>
      <h2>{t("keys")}</h2>
      <dl class="keys">
        {KEYS.map(([keys, what]) => (
          <div key={keys}>
            <dt>
              <kbd>{keys}</kbd>
            </dt>
            <dd>{t(what)}</dd>
          </div>
        ))}
      </dl>
      <SingleKeys />
      <form method="dialog">
        <button type="submit">{t("cancel")}</button>
      </form>
    </dialog>
  );
}

// Setting to disable single-letter shortcuts, for speech input users and typing accidents.
function SingleKeys() {
  const [isOn, setOn] = useState(areSingleKeyShortcutsEnabled());
  return (
    <CheckBox
      label={t("singleKeys")}
      name="single_keys"
      checked={isOn}
      onChange={(isChecked) => {
        saveSingleKeyShortcutsEnabled(isChecked);
        setOn(isChecked);
      }}
    />
  );
}

const KEYS: readonly (readonly [string, TextKey])[] = [
  ["/ · Ctrl K", "keySearch"],
  ["n", "keyNew"],
  ["Ctrl S", "keySave"],
  ["g t", "keyToday"],
  ["g p", "keyPlanning"],
  ["g r", "keyReservations"],
  ["g f", "keyFleet"],
  ["g c", "keyCustomers"],
  ["g m", "keyMoney"],
  ["g e", "expenses"],
  ["← ↑ → ↓", "keyArrows"],
  ["Enter", "keyEnter"],
  ["m", "keyMove"],
  ["e", "keyEnd"],
  ["Esc", "keyEscape"],
  ["Ctrl Z", "keyUndo"],
  ["?", "keyHelp"],
];
