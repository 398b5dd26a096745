import { toOfficePath } from "../../api.ts";
import { LoadErrorMessage } from "../../desk/load-error.tsx";
import { useResource } from "../../desk/use-resource.tsx";
import { t } from "../../texts.ts";
import type { TaxDeclaration } from "./tax-record.ts";

/** Legal declaration of the software's producer about its invoicing software, always in Spanish, to read and print. */
export function ProducerDeclarationView() {
  const { whole, problem, retry } = useResource<TaxDeclaration>(toOfficePath("/tax-records/declaration"));
  return (
    <>
      <LoadErrorMessage problem={problem} onRetry={retry} />
      {whole && (
        <article class="panel declaration">
          {whole.missing.length > 0 && (
            <p role="alert" class="problem">
              {t("declarationMissing", { what: whole.missing.join(", ") })}
            </p>
          )}
          <h2 lang="es">{whole.title}</h2>
          <dl>
            {[...whole.points, ...whole.annex].map(({ letter, label, text }) => (
              <div key={letter}>
                <dt lang="es">
                  {letter}) {label}
                </dt>
                <dd lang={text === null ? undefined : "es"} class={text === null ? "problem" : ""}>
                  {text ?? t("declarationUnsaid")}
                </dd>
              </div>
            ))}
          </dl>
          <button type="button" onClick={() => print()}>
            {t("printIt")}
          </button>
        </article>
      )}
    </>
  );
}
