import { useEffect, useState } from "preact/hooks";
import { ask, contentOf, isFactorMissing, signOut } from "../api.ts";
import ProveSheet from "../desk/prove-sheet.tsx";
import { t } from "../texts.ts";
import { FACTOR, type Factors, hasFactor, NO_FACTORS } from "./security/factors.ts";
import { OwnFactors } from "./security.tsx";

/**
 * In the place of the office for whom the company asks for a second factor: who has none sets one up, who has one shows
 * it, and then goes on.
 */
export default function SetUpFactor() {
  const [hadOne, setHadOne] = useState<boolean>();
  const [isThere, setThere] = useState(false);
  const [isProving, setProving] = useState(true);
  useEffect(() => {
    ask("GET", `${FACTOR}/passkeys`).then(
      (answer) => setHadOne(hasFactor(contentOf<Factors>(answer) ?? NO_FACTORS)),
      () => setHadOne(false),
    );
  }, []);
  const goOn = () => {
    isFactorMissing.value = false;
  };
  const end = (isProved: boolean) => {
    setProving(false);
    if (isProved) goOn();
  };
  if (hadOne === undefined) return <p class="status">{t("loading")}…</p>;
  return (
    <main>
      <h1>{t("factorFirst")}</h1>
      <p class="lead">{t(hadOne ? "factorShow" : "factorFirstHelp")}</p>
      {hadOne && isProving && <ProveSheet onEnd={end} />}
      {!hadOne && <OwnFactors onKnown={setThere} />}
      <div class="moves">
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
