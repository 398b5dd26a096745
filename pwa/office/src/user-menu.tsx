import { useState } from "preact/hooks";
import { LANGUAGES } from "#shared/i18n.ts";
import type { Typed } from "#shared/typed-requests.ts";
import type { OwnSettingsRequest } from "#worker/api/office/own-settings-messages.ts";
import { account } from "./account.ts";
import { sendOfficeRequest, signOut, toOfficePath } from "./api.ts";
import { BranchSwitch } from "./branch-switch.tsx";
import { toRefusalTexts } from "./desk/refusals.ts";
import { useMediaQuery, WIDE_SCREEN } from "./desk/use-media-query.ts";
import { useDropdownMenu } from "./desk/use-menu.ts";
import { Icon } from "./icons.tsx";
import { linkTo } from "./route.ts";
import { t } from "./texts.ts";
import { readTheme, saveTheme, THEMES } from "./theme.ts";

interface PersonMenuProps {
  readonly person: string;
  readonly onKeys: () => void;
}

/** The user's own menu with language, theme, security, apps and sign-out. On small screens also the branch. */
export function UserMenu({ person, onKeys }: PersonMenuProps) {
  const { menu, close } = useDropdownMenu();
  const [problem, setProblem] = useState("");
  const isWide = useMediaQuery(WIDE_SCREEN);
  const [theme, setTheme] = useState(readTheme());
  const changeTheme = async (next: (typeof THEMES)[number]) => {
    saveTheme(next);
    setTheme(next);
    const body: OwnSettingsRequest = { theme: next === "auto" ? null : next };
    const answer = await sendOfficeRequest<object, OwnSettingsRequest>("PATCH", toOfficePath("/me"), { body }).catch(
      () => undefined,
    );
    if (!answer || answer.status >= 300) setProblem(answer ? toRefusalTexts(answer).notice : t("notSent"));
  };
  const changeLanguage = async (language: string) => {
    const body: Typed<OwnSettingsRequest> = { language: language || null };
    const answer = await sendOfficeRequest<object, Typed<OwnSettingsRequest>>("PATCH", toOfficePath("/me"), {
      body,
    }).catch(() => undefined);
    if (answer && answer.status < 300) return location.reload();
    setProblem(answer ? toRefusalTexts(answer).notice : t("notSent"));
  };
  return (
    <details class="new person" {...menu}>
      <summary>
        <Icon name="person" />
        <span class="unseen">{t("ownMenu")}</span>
        <span class="name">{person}</span>
      </summary>
      <div class="own">
        {!isWide && <BranchSwitch />}
        <label>
          {t("ownLanguage")}
          <select
            name="own_language"
            value={account.value.user?.language ?? ""}
            onChange={({ currentTarget }) => void changeLanguage(currentTarget.value)}
          >
            <option value="">{t("ownLanguageOfBrowser")}</option>
            {LANGUAGES.map((language) => (
              <option key={language} value={language} lang={language}>
                {LANGUAGE_NAMES[language]}
              </option>
            ))}
          </select>
        </label>
        {problem && (
          <p role="alert" class="problem">
            {problem}
          </p>
        )}
        <label>
          {t("theme")}
          <select
            name="theme"
            value={theme}
            onChange={({ currentTarget }) =>
              void changeTheme(THEMES.find((item) => item === currentTarget.value) ?? "auto")
            }
          >
            {THEMES.map((item) => (
              <option key={item} value={item}>
                {t(`theme.${item}`)}
              </option>
            ))}
          </select>
        </label>
        <a href={linkTo("security")} onClick={close}>
          {t("security")}
        </a>
        <a href="/checkin/">{t("checkInApp")}</a>
        <button
          type="button"
          class="key-hint"
          onClick={() => {
            close();
            onKeys();
          }}
        >
          {t("keys")}
        </button>
        <button type="button" onClick={() => signOut()}>
          {t("signOut")}
        </button>
      </div>
    </details>
  );
}

const LANGUAGE_NAMES = { es: "Español", ca: "Català", en: "English", de: "Deutsch" } as const;
