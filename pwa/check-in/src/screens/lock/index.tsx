import { useState } from "preact/hooks";
import { type TextKey, t } from "../../i18n/texts.ts";
import { lockKind, signOutLockedApp, unlockWithDevice, unlockWithPin } from "../../state/app-lock.ts";
import { session } from "../../state/device-session.ts";
import { Icon } from "../../ui/icon.tsx";
import { AlertMessage, Field } from "../../ui/parts.tsx";
import { StatusBar } from "../../ui/status-bar.tsx";

/** Lock screen that hides all data. Pending work is still sent, and the status bar shows the progress. */
export default function LockScreen() {
  const [pin, setPin] = useState("");
  const [wrong, setWrong] = useState<TextKey>();
  const [isBusy, setIsBusy] = useState(false);
  const byPin = async () => {
    const outcome = await unlockWithPin(pin);
    setPin("");
    setWrong(outcome === "wrong" ? "pinWrong" : undefined);
  };
  const byDevice = async () => setWrong((await unlockWithDevice()) ? undefined : "lockDeviceFailed");
  const submit = async (event: Event) => {
    event.preventDefault();
    setIsBusy(true);
    await (lockKind.peek() === "device" ? byDevice() : byPin());
    setIsBusy(false);
  };
  return (
    <div class="screen sign-in">
      <header class="top">
        <StatusBar />
      </header>
      <main>
        <div class="mark">
          <Icon name="key" size={36} />
        </div>
        <h1>{session.value?.full_name || session.value?.username}</h1>
        <p class="lead">{t("lockLead")}</p>
        <form id="unlock" onSubmit={(event) => void submit(event)}>
          {lockKind.value === "pin" && (
            <Field label={t("pin")}>
              <input
                name="pin"
                type="password"
                inputMode="numeric"
                autocomplete="off"
                pattern="[0-9]{4,12}"
                required
                value={pin}
                onInput={({ currentTarget }) => setPin(currentTarget.value)}
              />
            </Field>
          )}
          {wrong && <AlertMessage>{t(wrong)}</AlertMessage>}
        </form>
      </main>
      <footer class="action">
        <button type="submit" form="unlock" class="main" disabled={isBusy}>
          {t("unlock")}
        </button>
        <button type="button" class="other" onClick={() => void signOutLockedApp()}>
          {t("unlockByPassword")}
        </button>
      </footer>
    </div>
  );
}
