import { useState } from "preact/hooks";
import { isSecondFactorDue, signOut } from "../api.ts";
import { LoadErrorMessage } from "../desk/load-error.tsx";
import SecondFactorSheet from "../desk/second-factor-sheet.tsx";
import { useResource } from "../desk/use-resource.tsx";
import { t } from "../texts.ts";
import { hasSecondFactor, SECOND_FACTOR_PATH, type SecondFactors } from "./security/second-factors.ts";
import { OwnSecondFactors } from "./security.tsx";

/** Replaces the office if the company requires a second factor: users set one up, or enter an existing one. */
export default function SetUpFactor() {
  const { whole: factors, problem, retry } = useResource<SecondFactors>(`${SECOND_FACTOR_PATH}/passkeys`);
  const [isThere, setThere] = useState(false);
  const [isProving, setProving] = useState(true);
  const goOn = () => {
    isSecondFactorDue.value = false;
  };
  const end = (isProved: boolean) => {
    setProving(false);
    if (isProved) goOn();
  };
  if (!factors)
    return (
      <main class="status">
        {problem === "" && <p>{t("loading")}</p>}
        <LoadErrorMessage problem={problem} onRetry={retry} />
        <button type="button" onClick={() => signOut()}>
          {t("signOut")}
        </button>
      </main>
    );
  // Whether the user had a factor when the page opened. A factor set up here isn't asked for at once.
  const hadOne = hasSecondFactor(factors);
  return (
    <main>
      <h1>{t("factorFirst")}</h1>
      <p class="lead">{t(hadOne ? "factorShow" : "factorFirstHelp")}</p>
      {hadOne && isProving && <SecondFactorSheet onEnd={end} />}
      {!hadOne && <OwnSecondFactors onKnown={setThere} />}
      <div class="buttons">
        {hadOne && (
          <button type="button" class="main begin" onClick={() => setProving(true)}>
            {t("prove")}
          </button>
        )}
        {isThere && (
          <button type="button" class="main begin" onClick={goOn}>
            {t("factorGoOn")}
          </button>
        )}
        <button type="button" class="begin" onClick={() => signOut()}>
          {t("signOut")}
        </button>
      </div>
    </main>
  );
}
