import "#shared/tokens.css";
import "./style.css";
import "./desk.css";
import "./lists.css";
import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { shareSessionBetweenTabs } from "#shared/shared-session.ts";
import { SignIn } from "#shared/sign-in.tsx";
import { type Account, setAccount } from "./account.ts";
import {
  endSession,
  isSecondFactorDue,
  isSessionExpired,
  isSessionOpen,
  isSignedIn,
  signIn,
  signOut,
  TOKEN_STORAGE_KEY,
} from "./api.ts";
import { LoadErrorMessage } from "./desk/load-error.tsx";
import { bindFormDraftsToUser } from "./pages/form-drafts.ts";
import { readAccount } from "./read-account.ts";
import { OfficeShell } from "./shell.tsx";
import { chooseLanguage, loadTexts, t } from "./texts.ts";
import { applyThemeToPage, applyUserTheme, readTheme } from "./theme.ts";

async function applyLanguage(candidates: readonly (string | null | undefined)[]): Promise<void> {
  const language = chooseLanguage(candidates);
  await loadTexts(language);
  document.documentElement.lang = language;
  document.title = t("title");
}

const browserLanguages = navigator.languages.map((language) => language.slice(0, 2));

function App() {
  const [settings, setSettings] = useState<Partial<Account>>();
  const [isForStaff, setForStaff] = useState(false);
  const [isUnread, setUnread] = useState(false);
  const [turn, setTurn] = useState(0);
  const open = isSessionOpen.value;
  const needsSecondFactor = isSecondFactorDue.value;
  useEffect(() => {
    setUnread(false);
    if (!open || needsSecondFactor) setSettings(undefined);
    else
      readAccount()
        .then(async (body) => {
          if (body === "factor_missing") return;
          if (body === "not_staff") {
            setForStaff(true);
            return signOut();
          }
          await applyLanguage([body.user?.language, ...browserLanguages, body.default_language]);
          applyUserTheme(body.user?.theme);
          bindFormDraftsToUser(body.user?.user_id);
          setAccount(body);
          setSettings(body);
        })
        .catch(() => setUnread(true));
  }, [open, needsSecondFactor, turn]);
  if (isForStaff) return <ForStaff onOther={() => setForStaff(false)} />;
  if (!open) {
    const texts = {
      title: t("title"),
      username: t("username"),
      password: t("password"),
      signIn: t("signIn"),
      wrong: t("wrong"),
      failed: t("failed"),
      code: t("code"),
      codeWrong: t("codeWrong"),
      usePasskey: t("usePasskey"),
    };
    const notice = isSessionExpired.value ? t("sessionEnded") : "";
    return <SignIn texts={texts} notice={notice} signIn={signIn} onSignedIn={() => undefined} />;
  }
  if (needsSecondFactor) return <FactorFirst />;
  if (isUnread)
    return (
      <main class="status">
        <LoadErrorMessage problem={t("notLoaded")} onRetry={() => setTurn(turn + 1)} />
        <button type="button" onClick={() => signOut()}>
          {t("signOut")}
        </button>
      </main>
    );
  if (!settings) return <p class="status">{t("loading")}</p>;
  return <OfficeShell account={settings.account_name ?? ""} person={settings.user?.full_name ?? ""} />;
}

type SetUpFactor = typeof import("./pages/set-up-second-factor.tsx").default;

// Page to set up a second factor. Loads on demand, because most users never need it.
function FactorFirst() {
  const [loaded, setLoaded] = useState<{ readonly Page: SetUpFactor }>();
  const [hasFailed, setFailed] = useState(false);
  useEffect(() => {
    import("./pages/set-up-second-factor.tsx").then(
      (module) => setLoaded({ Page: module.default }),
      () => setFailed(true),
    );
  }, []);
  if (!loaded) return <p class="status">{hasFailed ? t("notLoaded") : `${t("loading")}`}</p>;
  return <loaded.Page />;
}

/** Notice for customers who sign in here, with a link to the right page. */
function ForStaff({ onOther }: { readonly onOther: () => void }) {
  return (
    <main class="status">
      <h1>{t("forStaff")}</h1>
      <p role="alert">{t("forStaffHelp")}</p>
      <p>
        <a href={`/?lang=${document.documentElement.lang}&rb=account`}>{t("toOwn")}</a>
      </p>
      <button type="button" onClick={onOther}>
        {t("signInOther")}
      </button>
    </main>
  );
}

applyThemeToPage(readTheme());
const place = document.getElementById("app");
await Promise.all([applyLanguage(browserLanguages), shareSessionBetweenTabs(TOKEN_STORAGE_KEY, endSession)]);
isSessionOpen.value = isSignedIn();
if (place) render(<App />, place);
