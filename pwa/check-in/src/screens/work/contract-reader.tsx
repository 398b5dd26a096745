import { useState } from "preact/hooks";
import { PLATFORM_LANGUAGES, type PlatformLanguage } from "#domain/catalogue/languages.ts";
import { t } from "../../i18n/texts.ts";
import type { ContractText } from "../../state/contract.ts";
import { changeOpenWork } from "../../state/work.ts";
import { createLazyComponent } from "../../ui/lazy.tsx";
import { Field } from "../../ui/parts.tsx";

const ContractPrintout = createLazyComponent(() => import("./contract-printout.tsx"));

/** Shows the contract before signing, in a language of the customer's choice. */
export function ContractReader({
  contract,
  isOutdated,
}: {
  readonly contract: ContractText;
  readonly isOutdated: boolean;
}) {
  const [isOpen, setIsOpen] = useState(false);
  // Changing the language changes the text, so the signature becomes invalid.
  const choose = (language: string) =>
    void changeOpenWork({
      contract_language: PLATFORM_LANGUAGES.find((item) => item === language) ?? contract.language,
      signature: null,
      strokes: null,
    });
  return (
    <section class="contract-reader">
      {isOutdated && (
        <p class="note" data-tone="waiting" role="status">
          {t("contractOutdated")}
        </p>
      )}
      <Field label={t("contractLanguage")}>
        <select
          name="contract_language"
          value={contract.language}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        >
          {PLATFORM_LANGUAGES.map((language) => (
            <option key={language} value={language}>
              {NAMES[language]}
            </option>
          ))}
        </select>
      </Field>
      <button type="button" class="other" aria-expanded={isOpen} onClick={() => setIsOpen(!isOpen)}>
        {t(isOpen ? "closeContract" : "readContract")}
      </button>
      {isOpen && <ContractPrintout contract={contract} />}
      <p class="soft contract">{t("contract", { hash: contract.hash.slice(0, 12) })}</p>
    </section>
  );
}

const NAMES: Readonly<Record<PlatformLanguage, string>> = {
  ...{ es: "Español", ca: "Català", en: "English", de: "Deutsch" },
  ...{ fr: "Français", it: "Italiano", pt: "Português", nl: "Nederlands" },
};
