import { useEffect, useState } from "preact/hooks";
import { createPasskey, type PasskeyCreationChallenge, supportsPasskeys } from "#shared/passkeys.ts";
import type { NewPasskeyRegistration, RecoveryCodesMessage } from "#worker/api/customer-access/messages.ts";
import { formatCompanyMoment } from "../account.ts";
import { getSuccessfulContent, sendOfficeRequest } from "../api.ts";
import { LoadErrorMessage } from "../desk/load-error.tsx";
import { SettingsCrumbs } from "../desk/settings-crumbs.tsx";
import { t } from "../texts.ts";
import { Authenticator } from "./security/authenticator.tsx";
import {
  getFactorRefusalText,
  hasSecondFactor,
  type Passkey,
  SECOND_FACTOR_PATH,
  type SecondFactorProps,
  type SecondFactors,
} from "./security/second-factors.ts";
import { Sessions } from "./security/sessions.tsx";

/** The user's second factors and sessions: passkeys, authenticator app and signed-in devices. */
export default function Security() {
  return (
    <main>
      <SettingsCrumbs />
      <h1>{t("security")}</h1>
      <OwnSecondFactors />
      <Sessions />
    </main>
  );
}

/** The user's passkeys and authenticator app. Calls `onKnown` with whether there's a second factor. */
export function OwnSecondFactors({ onKnown }: { readonly onKnown?: (isThere: boolean) => void }) {
  const [factors, setFactors] = useState<SecondFactors>();
  const [codes, setCodes] = useState<readonly string[]>([]);
  const [text, setSaid] = useState("");
  const read = () =>
    sendOfficeRequest<SecondFactors>("GET", `${SECOND_FACTOR_PATH}/passkeys`).then(
      (answer) => {
        const content = getSuccessfulContent(answer);
        if (!content) return setSaid(getFactorRefusalText(answer));
        setFactors((before) => {
          // Clear the error of an earlier load.
          if (!before) setSaid("");
          return content;
        });
        onKnown?.(hasSecondFactor(content));
      },
      () => setSaid(t("failed")),
    );
  useEffect(() => void read(), []);
  const doing = (work: () => Promise<string>) => () => {
    setSaid("");
    work()
      .then(setSaid, () => setSaid(t("failed")))
      .finally(() => void read());
  };
  const known = { onCodes: setCodes, doing };
  return (
    <>
      {factors ? <p role="alert">{text}</p> : <LoadErrorMessage problem={text} onRetry={read} />}
      {codes.length > 0 && <NewRecoveryCodes codes={codes} />}
      {!factors && text === "" && <p>{t("loading")}</p>}
      {factors && <Passkeys passkeys={factors.passkeys} {...known} />}
      {factors && <Authenticator isOn={factors.authenticator} {...known} />}
      {factors && hasSecondFactor(factors) && <RecoveryCodes left={factors.recovery_codes_left} {...known} />}
    </>
  );
}

function Passkeys({ passkeys, onCodes, doing }: SecondFactorProps & { readonly passkeys: readonly Passkey[] }) {
  const add = async (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const name = String(new FormData(form).get("name"));
    doing(async () => {
      const challenge = await sendOfficeRequest<PasskeyCreationChallenge>(
        "POST",
        `${SECOND_FACTOR_PATH}/passkeys/challenge`,
      );
      const question = getSuccessfulContent(challenge);
      if (!question) return getFactorRefusalText(challenge);
      const createdPasskey = await createPasskey(question, location.hostname);
      if (!createdPasskey) return t("failed");
      const answer = await sendOfficeRequest<RecoveryCodesMessage, NewPasskeyRegistration>(
        "POST",
        `${SECOND_FACTOR_PATH}/passkeys`,
        {
          body: { name, ...createdPasskey },
        },
      );
      if (answer.status !== 200) return getFactorRefusalText(answer);
      onCodes(answer.body.recovery_codes ?? []);
      form.reset();
      return t("saved");
    })();
  };
  const remove = (id: string) =>
    doing(async () => {
      const answer = await sendOfficeRequest("DELETE", `${SECOND_FACTOR_PATH}/passkeys/${encodeURIComponent(id)}`);
      return answer.status === 200 ? "" : getFactorRefusalText(answer);
    });
  return (
    <section class="panel" aria-labelledby="passkeys">
      <h2 id="passkeys">{t("passkeys")}</h2>
      {passkeys.length === 0 && <p class="soft">{t("noPasskeys")}</p>}
      <ul class="cards">
        {passkeys.map(({ id, name, last_used_at: used }) => (
          <li key={id}>
            <strong>{name}</strong> {used && t("passkeyUsed", { at: formatCompanyMoment(used) })}{" "}
            <button type="button" onClick={remove(id)}>
              {t("remove")}
            </button>
          </li>
        ))}
      </ul>
      {supportsPasskeys() ? (
        <form class="asks" onSubmit={(event) => void add(event)}>
          <label>
            {t("passkeyName")}
            <input name="name" required />
          </label>
          <button type="submit" class="main begin">
            {t("passkeyAdd")}
          </button>
        </form>
      ) : (
        <p>{t("passkeyUnknown")}</p>
      )}
    </section>
  );
}

/** Number of remaining recovery codes, with a button for new ones. */
function RecoveryCodes({ left, onCodes, doing }: SecondFactorProps & { readonly left: number }) {
  const renew = doing(async () => {
    const answer = await sendOfficeRequest<RecoveryCodesMessage, NewPasskeyRegistration>(
      "POST",
      `${SECOND_FACTOR_PATH}/recovery-codes`,
    );
    if (answer.status !== 200) return getFactorRefusalText(answer);
    onCodes(answer.body.recovery_codes ?? []);
    scrollTo({ top: 0 });
    return t("recoveryRenewed");
  });
  return (
    <section class="panel" aria-labelledby="recovery-left">
      <h2 id="recovery-left">{t("recovery")}</h2>
      <p class="soft">{t("recoveryLeft", { count: left })}</p>
      <button type="button" class="begin" onClick={renew}>
        {t("recoveryRenew")}
      </button>
    </section>
  );
}

function NewRecoveryCodes({ codes }: { readonly codes: readonly string[] }) {
  return (
    <section class="panel" aria-labelledby="recovery">
      <h2 id="recovery">{t("recoveryNew")}</h2>
      <p>{t("recoveryHelp")}</p>
      <ul>
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ul>
    </section>
  );
}
