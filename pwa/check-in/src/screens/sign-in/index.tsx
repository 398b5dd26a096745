import { useState } from "preact/hooks";
import { requestPasskeyAssertion, supportsPasskeys } from "#shared/passkeys.ts";
import type { TextKey } from "../../i18n/texts.ts";
import { t } from "../../i18n/texts.ts";
import {
  isSigningIn,
  passkeyQuestion,
  type SecondFactorInput,
  type SignInOutcome,
  signIn,
} from "../../state/account.ts";
import { isDatabaseWiped, isSecondFactorMissing, session } from "../../state/device-session.ts";
import { isOnline, otherUsersWorkCounts, unsentItemCount } from "../../state/outbox.ts";
import { Icon } from "../../ui/icon.tsx";
import { Field } from "../../ui/parts.tsx";
import { StatusBar } from "../../ui/status-bar.tsx";
import { LanguageChoice } from "../more/language-choice.tsx";

const REFUSALS: Readonly<Record<Exclude<SignInOutcome, "ok">, TextKey>> = {
  wrong: "signInWrong",
  code_required: "signInCodeRequired",
  code_wrong: "signInCodeWrong",
  not_staff: "signInNotStaff",
  too_many: "signInTooMany",
  unreachable: "signInUnreachable",
  no_room: "signInNoRoom",
};

/** Shows how much work is pending on a device without a signed-in user. */
function UnsentWorkNotice() {
  const unsentCount = [...otherUsersWorkCounts.value.values()].reduce(
    (sum, count) => sum + count,
    unsentItemCount.value,
  );
  if (unsentCount === 0) return null;
  return (
    <p class="note" data-tone="waiting" role="status">
      <Icon name="clock" />
      {t("signInWaits", { n: unsentCount })}
    </p>
  );
}

/** Notice that the company requires a second factor, which is set up in the office. */
function FactorMissing() {
  if (!isSecondFactorMissing.value) return null;
  return (
    <p class="note" data-tone="refused" role="alert">
      <Icon name="refused" />
      <span>
        {t("signInFactorMissing")} <a href="/office/">{t("signInToOffice")}</a>
      </span>
    </p>
  );
}

/** Sign-in with a passkey, if the user and browser have passkeys. */
function PasskeyButton({ onSign }: { readonly onSign: () => Promise<void> }) {
  if (!passkeyQuestion.value || !supportsPasskeys()) return null;
  return (
    <button type="button" class="other" disabled={isSigningIn.value} onClick={() => void onSign()}>
      <Icon name="key" />
      {t("signInPasskey")}
    </button>
  );
}

/** Sign-in screen. Pending work is retained, whichever user signs in. */
export default function SignInScreen() {
  const before = session.value;
  const [username, setUsername] = useState(before?.username ?? "");
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [isCodeAsked, setCodeAsked] = useState(false);
  const [refusal, setRefusal] = useState<TextKey | undefined>(undefined);

  async function attempt(proof: SecondFactorInput): Promise<void> {
    const outcome = await signIn(username, password, proof);
    if (outcome === "ok") return;
    // A code is good once.
    setCode("");
    if (outcome === "code_required" || outcome === "code_wrong") setCodeAsked(true);
    setRefusal(REFUSALS[outcome]);
  }

  function submit(event: Event): void {
    event.preventDefault();
    void attempt({ code });
  }

  async function sign(): Promise<void> {
    const question = passkeyQuestion.value;
    const passkey = question && (await requestPasskeyAssertion(question));
    if (passkey) await attempt({ passkey });
    else setRefusal("signInPasskeyFailed");
  }

  const isOther = before && username.trim().toLowerCase() !== before.username && unsentItemCount.value > 0;
  return (
    <div class="screen sign-in">
      <header class="top">{before && <StatusBar />}</header>
      <main>
        <div class="mark">
          <Icon name="key" size={36} />
        </div>
        <h1>{t("appName")}</h1>
        <p class="lead">{t(before ? "signInAgain" : "signInLead")}</p>
        {!before && <UnsentWorkNotice />}
        <FactorMissing />
        {isDatabaseWiped() && (
          <p class="note" data-tone="refused" role="status">
            <Icon name="refused" />
            {t("signInWiped")}
          </p>
        )}
        <form onSubmit={submit} id="sign-in">
          <Field label={t("username")}>
            <input
              name="username"
              autocomplete="username"
              autocapitalize="none"
              required
              value={username}
              onInput={({ currentTarget }) => setUsername(currentTarget.value)}
            />
          </Field>
          <Field label={t("password")}>
            <input
              name="password"
              type="password"
              autocomplete="current-password"
              required
              value={password}
              onInput={({ currentTarget }) => setPassword(currentTarget.value)}
            />
          </Field>
          {isCodeAsked && (
            <Field label={t("signInCode")}>
              <input
                name="code"
                autocomplete="one-time-code"
                autocapitalize="none"
                maxLength={40}
                required
                value={code}
                onInput={({ currentTarget }) => setCode(currentTarget.value)}
              />
            </Field>
          )}
          <PasskeyButton onSign={sign} />
          {isOther && (
            <p class="note" data-tone="waiting">
              <Icon name="clock" />
              {t("signInOther", { n: unsentItemCount.value, name: before.full_name || before.username })}
            </p>
          )}
          {refusal && (
            <p class="note" data-tone="refused" role="alert">
              <Icon name="refused" />
              {t(refusal)}
            </p>
          )}
          {!isOnline.value && (
            <p class="note" data-tone="offline" role="status">
              <Icon name="offline" />
              {t("signInOffline")}
            </p>
          )}
        </form>
        <LanguageChoice />
      </main>
      <footer class="action">
        <button type="submit" form="sign-in" class="main" disabled={isSigningIn.value}>
          {t(isSigningIn.value ? "signingIn" : "signIn")}
        </button>
      </footer>
    </div>
  );
}
