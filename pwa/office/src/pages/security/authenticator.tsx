import { useState } from "preact/hooks";
import { encode } from "uqr";
import type {
  AuthenticatorSetupMessage,
  RecoveryCodesMessage,
  SecondFactorCodeRequest,
  SecondFactorProofMessage,
  SecondFactorProofRequest,
} from "#worker/api/customer-access/messages.ts";
import { getSuccessfulContent, sendOfficeRequest } from "../../api.ts";
import { t } from "../../texts.ts";
import { getFactorRefusalText, SECOND_FACTOR_PATH, type SecondFactorProps } from "./second-factors.ts";

const WRONG = 400;

/** Authenticator app: set up by QR code and a first code, removed with a code. */
export function Authenticator({ isOn, onCodes, doing }: SecondFactorProps & { readonly isOn: boolean }) {
  const [setup, setSetup] = useState<AuthenticatorSetupMessage>();
  const begin = doing(async () => {
    const answer = await sendOfficeRequest<AuthenticatorSetupMessage>("POST", SECOND_FACTOR_PATH);
    const content = getSuccessfulContent(answer);
    if (!content) return getFactorRefusalText(answer);
    setSetup(content);
    return "";
  });
  const withCode = (work: (code: string) => Promise<string>) => (event: SubmitEvent) => {
    event.preventDefault();
    const form = event.currentTarget as HTMLFormElement;
    const code = String(new FormData(form).get("code")).replaceAll(" ", "");
    doing(() => work(code))();
    form.reset();
  };
  const confirm = withCode(async (code) => {
    const answer = await sendOfficeRequest<RecoveryCodesMessage, SecondFactorCodeRequest>(
      "POST",
      `${SECOND_FACTOR_PATH}/confirm`,
      {
        body: { code },
      },
    );
    if (answer.status === WRONG) return t("codeWrong");
    if (answer.status !== 200) return getFactorRefusalText(answer);
    setSetup(undefined);
    onCodes(answer.body.recovery_codes ?? []);
    return t("authenticatorOn");
  });
  const remove = withCode(async (code) => {
    const answer = await sendOfficeRequest<SecondFactorProofMessage, SecondFactorProofRequest>(
      "POST",
      `${SECOND_FACTOR_PATH}/remove`,
      {
        body: { code },
      },
    );
    if (answer.status !== 200) return getFactorRefusalText(answer);
    return answer.body.proved === true ? t("authenticatorOff") : t("codeWrong");
  });
  return (
    <section class="panel" aria-labelledby="authenticator">
      <h2 id="authenticator">{t("authenticator")}</h2>
      <p class="soft">{t(isOn ? "authenticatorOn" : "authenticatorLead")}</p>
      {!isOn && !setup && (
        <button type="button" class="begin" onClick={begin}>
          {t("authenticatorSet")}
        </button>
      )}
      {!isOn && setup && (
        <>
          <p>{t("authenticatorScan")}</p>
          <Code text={setup.uri} />
          <p>
            {t("authenticatorKey")}: <code class="secret">{setup.secret.replace(/(.{4})/g, "$1 ").trim()}</code>
          </p>
          <CodeForm submit={t("authenticatorConfirm")} onSubmit={confirm} />
        </>
      )}
      {isOn && <CodeForm submit={t("authenticatorRemove")} onSubmit={remove} />}
    </section>
  );
}

interface CodeFormProps {
  readonly submit: string;
  readonly onSubmit: (event: SubmitEvent) => void;
}

function CodeForm({ submit, onSubmit }: CodeFormProps) {
  return (
    <form class="asks" onSubmit={onSubmit}>
      <label>
        {t("code")}
        <input name="code" autocomplete="one-time-code" inputMode="numeric" required maxLength={40} />
      </label>
      <button type="submit" class="begin">
        {submit}
      </button>
    </form>
  );
}

/** QR code, always dark on light, because scanners need it. */
function Code({ text }: { readonly text: string }) {
  const { data, size } = encode(text, { ecc: "M", border: 4 });
  const path = data.flatMap((row, y) => row.flatMap((isDark, x) => (isDark ? [`M${x} ${y}h1v1h-1z`] : []))).join("");
  return (
    <svg class="qr" viewBox={`0 0 ${size} ${size}`} role="img" aria-label={t("authenticatorScan")}>
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  );
}
