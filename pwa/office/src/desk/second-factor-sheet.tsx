import { useEffect, useState } from "preact/hooks";
import { type PasskeyQuestion, requestPasskeyAssertion, supportsPasskeys } from "#shared/passkeys.ts";
import type { SecondFactorProofMessage, SecondFactorProofRequest } from "#worker/api/customer-access/messages.ts";
import { getSuccessfulContent, sendOfficeRequest } from "../api.ts";
import {
  getFactorRefusalText,
  NO_SECOND_FACTORS,
  SECOND_FACTOR_PATH,
  type SecondFactors,
} from "../pages/security/second-factors.ts";
import { t } from "../texts.ts";
import { Sheet } from "./sheet.tsx";

interface SecondFactorSheetProps {
  /** Called once with whether the second factor was provided. */
  readonly onEnd: (isProved: boolean) => void;
}

/** Dialog for the second factor, opened after a rejection: a passkey, an authenticator code or a recovery code. */
export default function SecondFactorSheet({ onEnd }: SecondFactorSheetProps) {
  const [factors, setFactors] = useState<SecondFactors>();
  const [problem, setProblem] = useState("");
  useEffect(() => {
    // If the available factors can't be loaded, asks for a code.
    sendOfficeRequest<SecondFactors>("GET", `${SECOND_FACTOR_PATH}/passkeys`).then(
      (answer) => setFactors(getSuccessfulContent(answer) ?? NO_SECOND_FACTORS),
      () => setFactors(NO_SECOND_FACTORS),
    );
    return () => onEnd(false);
  }, []);
  const prove = async (proof: SecondFactorProofRequest) => {
    const answer = await sendOfficeRequest<SecondFactorProofMessage, SecondFactorProofRequest>(
      "POST",
      `${SECOND_FACTOR_PATH}/prove`,
      { body: proof },
    );
    if (answer.body.proved === true) onEnd(true);
    else setProblem(answer.status === 200 ? t("codeWrong") : getFactorRefusalText(answer));
  };
  const sign = async () => {
    const answer = await sendOfficeRequest<PasskeyQuestion>("POST", `${SECOND_FACTOR_PATH}/passkeys/challenge`);
    const question = getSuccessfulContent(answer);
    if (!question) return setProblem(getFactorRefusalText(answer));
    const passkey = await requestPasskeyAssertion(question);
    if (passkey) await prove({ passkey });
    else setProblem(t("codeWrong"));
  };
  const doing = (work: Promise<void>) => {
    setProblem("");
    work.catch(() => setProblem(t("failed")));
  };
  const submit = (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const code = String(new FormData(form).get("code")).replaceAll(" ", "");
    doing(prove({ code }));
    form.reset();
  };
  if (!factors) return null;
  const hasPasskey = supportsPasskeys() && factors.passkeys.length > 0;
  return (
    <Sheet title={t("prove")} onClose={() => onEnd(false)}>
      <p class="lead">{t("proveHelp")}</p>
      {hasPasskey && (
        <button type="button" class="main begin" onClick={() => doing(sign())}>
          {t("usePasskey")}
        </button>
      )}
      <form onSubmit={submit}>
        <label>
          {t(factors.passkeys.length > 0 && !factors.authenticator ? "recoveryCode" : "proveCode")}
          <input name="code" autocomplete="one-time-code" autocapitalize="none" required maxLength={40} />
        </label>
        <div class="foot">
          <p role="alert">{problem}</p>
          <button type="button" onClick={() => onEnd(false)}>
            {t("leave")}
          </button>
          <button type="submit" class={hasPasskey ? "" : "main"}>
            {t("prove")}
          </button>
        </div>
      </form>
    </Sheet>
  );
}
