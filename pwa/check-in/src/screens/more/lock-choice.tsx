import { useEffect, useState } from "preact/hooks";
import { t } from "../../i18n/texts.ts";
import { supportsDeviceLock } from "../../offline/device-lock.ts";
import { isPin } from "../../offline/pin.ts";
import { enableDeviceLock, LOCK_AFTER_IDLE_MS, lockKind, removeAppLock, setPinLock } from "../../state/app-lock.ts";
import { Icon } from "../../ui/icon.tsx";
import { AlertMessage, Field } from "../../ui/parts.tsx";

/** Chooses the lock for an idle app: a PIN or the device lock. */
export function LockChoice() {
  const kind = lockKind.value;
  return (
    <section class="card">
      <h2>{t("lock")}</h2>
      <p class="soft">{t("lockWhy", { n: LOCK_AFTER_IDLE_MS / 60_000 })}</p>
      {kind ? (
        <>
          <p class="line" role="status">
            <Icon name="check" />
            {t(kind === "pin" ? "lockOn" : "lockOnDevice")}
          </p>
          <button type="button" class="other" onClick={() => void removeAppLock()}>
            {t("lockOff")}
          </button>
        </>
      ) : (
        <>
          <DeviceChoice />
          <PinChoice />
        </>
      )}
    </section>
  );
}

function DeviceChoice() {
  const [isThere, setIsThere] = useState(false);
  const [isFailed, setIsFailed] = useState(false);
  useEffect(() => void supportsDeviceLock().then(setIsThere), []);
  if (!isThere) return null;
  return (
    <>
      <button type="button" class="other" onClick={() => void enableDeviceLock().then((isSet) => setIsFailed(!isSet))}>
        <Icon name="key" />
        {t("lockDevice")}
      </button>
      <p class="soft">{t("lockDeviceWhy")}</p>
      {isFailed && <AlertMessage>{t("lockDeviceFailed")}</AlertMessage>}
    </>
  );
}

function PinChoice() {
  const [pin, setPin] = useState("");
  const [isWrong, setIsWrong] = useState(false);
  const save = async (event: Event) => {
    event.preventDefault();
    setIsWrong(!isPin(pin));
    if (!isPin(pin)) return;
    await setPinLock(pin);
    setPin("");
  };
  return (
    <form onSubmit={(event) => void save(event)}>
      <Field label={t("pinNew")}>
        <input
          name="pin"
          type="password"
          inputMode="numeric"
          autocomplete="off"
          value={pin}
          onInput={({ currentTarget }) => setPin(currentTarget.value)}
        />
      </Field>
      {isWrong && <AlertMessage>{t("pinShort")}</AlertMessage>}
      <button type="submit" class="other">
        <Icon name="key" />
        {t("lockSet")}
      </button>
    </form>
  );
}
