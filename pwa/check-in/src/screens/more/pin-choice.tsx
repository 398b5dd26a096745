import { useState } from "preact/hooks";
import { t } from "../../i18n/texts.ts";
import { isPin } from "../../offline/pin.ts";
import { choosePin, dropPin, hasPin, IDLE_MS } from "../../state/lock.ts";
import { Icon } from "../../ui/icon.tsx";
import { Field } from "../../ui/parts.tsx";

/** A PIN for this phone: asked for when nobody has touched it for a while. */
export function PinChoice() {
  const [pin, setPin] = useState("");
  const [isWrong, setIsWrong] = useState(false);
  const save = async (event: Event) => {
    event.preventDefault();
    setIsWrong(!isPin(pin));
    if (!isPin(pin)) return;
    await choosePin(pin);
    setPin("");
  };
  return (
    <section class="card">
      <h2>{t("lock")}</h2>
      <p class="soft">{t("lockWhy", { n: IDLE_MS / 60_000 })}</p>
      {hasPin.value ? (
        <>
          <p class="line" role="status">
            <Icon name="check" />
            {t("lockOn")}
          </p>
          <button type="button" class="other" onClick={() => void dropPin()}>
            {t("lockOff")}
          </button>
        </>
      ) : (
        <form onSubmit={(event) => void save(event)}>
          <Field label={t("pinNew")}>
            <input
              name="pin"
              type="password"
              inputMode="numeric"
              autocomplete="off"
              maxLength={12}
              value={pin}
              onInput={({ currentTarget }) => setPin(currentTarget.value)}
            />
          </Field>
          {isWrong && (
            <p class="note" data-tone="refused" role="alert">
              <Icon name="refused" />
              {t("pinShort")}
            </p>
          )}
          <button type="submit" class="other">
            <Icon name="key" />
            {t("lockSet")}
          </button>
        </form>
      )}
    </section>
  );
}
