import { useEffect, useState } from "preact/hooks";
import { t } from "../../i18n/texts.ts";
import { readStorageSpace, requestPersistentStorage } from "../../offline/storage.ts";
import { signOut, switchUser } from "../../state/account.ts";
import { database, session } from "../../state/device-session.ts";
import { installPrompt, isInstalled, offerInstall } from "../../state/install.ts";
import { ownLockedWork, unsentItemCount, visibleDrafts } from "../../state/outbox.ts";
import { chooseTheme, type Theme, theme } from "../../state/preferences.ts";
import { storageSpace } from "../../ui/banners.tsx";
import { Icon } from "../../ui/icon.tsx";
import { Choice } from "../../ui/parts.tsx";
import { Screen } from "../../ui/screen.tsx";
import { downloadUnsentWorkFile } from "../outbox/index.tsx";
import { LanguageChoice } from "./language-choice.tsx";
import { LockChoice } from "./lock-choice.tsx";

const THEMES: readonly Theme[] = ["auto", "light", "dark"];
const MEGABYTE = 1024 * 1024;

/** Signed-in user, appearance and language, app lock, and status of stored data. */
export default function MoreScreen() {
  return (
    <Screen title={session.value?.full_name || t("navMore")} eyebrow={session.value?.username}>
      <Choice
        legend={t("theme")}
        name="theme"
        options={THEMES.map((theme) => [theme, t(`theme_${theme}`)] as const)}
        value={theme.value}
        onChange={chooseTheme}
      />
      <LanguageChoice />
      <Storage />
      <Install />
      <LockChoice />
      <SwitchUserButton />
      <SignOut />
    </Screen>
  );
}

function Storage() {
  useEffect(() => void refreshStorageInfo(), []);
  const keep = async () => {
    await requestPersistentStorage();
    await refreshStorageInfo();
  };
  const known = storageSpace.value;
  return (
    <section class="card">
      <h2>{t("storage")}</h2>
      {known && (
        <p>
          {t("storageUsed", {
            used: Math.ceil(known.usedBytes / MEGABYTE),
            free: Math.floor(known.freeBytes / MEGABYTE),
          })}
        </p>
      )}
      {known?.isPersistent ? (
        <p class="line">
          <Icon name="check" />
          {t("storageKept")}
        </p>
      ) : (
        <>
          <p class="soft">{t("storageNotKept")}</p>
          <button type="button" class="other" onClick={() => void keep()}>
            {t("storageAsk")}
          </button>
        </>
      )}
    </section>
  );
}

async function refreshStorageInfo(): Promise<void> {
  storageSpace.value = await readStorageSpace(database);
}

function Install() {
  if (isInstalled()) return null;
  return (
    <section class="card">
      <h2>{t("install")}</h2>
      <p class="soft">{t("installWhy")}</p>
      {installPrompt.value ? (
        <button type="button" class="other" onClick={() => void offerInstall()}>
          <Icon name="down" />
          {t("installNow")}
        </button>
      ) : (
        <p>{t("installByHand")}</p>
      )}
    </section>
  );
}

/** Hands the device to another user with two taps and hides all data of the current user. */
function SwitchUserButton() {
  return (
    <section class="card">
      <h2>{t("handOn")}</h2>
      <p class="soft">{t("handOnWhy")}</p>
      <button type="button" class="other" onClick={() => void switchUser()}>
        <Icon name="key" />
        {t("handOnNow")}
      </button>
    </section>
  );
}

/** Signs out and clears the device. Unsent work must be exported and the sign-out confirmed first. */
function SignOut() {
  const [isAsking, setIsAsking] = useState(false);
  const [isExported, setIsExported] = useState(false);
  const closed = ownLockedWork.value.length;
  const unsentCount =
    unsentItemCount.value + visibleDrafts.value.size + ownLockedWork.value.filter(({ isDraft }) => isDraft).length;
  if (!isAsking) {
    return (
      <button type="button" class="other" onClick={() => (unsentCount === 0 ? void signOut() : setIsAsking(true))}>
        <Icon name="key" />
        {t("signOut")}
      </button>
    );
  }
  return (
    <section class="card" role="alertdialog" aria-label={t("signOut")}>
      <p class="note" data-tone="refused">
        <Icon name="refused" />
        {t("signOutUnsent", { n: unsentCount })} {closed > 0 && t("ownLocked", { n: closed })}
      </p>
      <button type="button" class="other" onClick={() => void downloadUnsentWorkFile().then(() => setIsExported(true))}>
        <Icon name="down" />
        {t("exportUnsent")}
      </button>
      <button type="button" class="other danger" disabled={!isExported || closed > 0} onClick={() => void signOut()}>
        {t("signOutAnyway")}
      </button>
      <button type="button" class="other" onClick={() => setIsAsking(false)}>
        {t("cancel")}
      </button>
    </section>
  );
}
