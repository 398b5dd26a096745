import { t } from "../texts.ts";
import { type AskedField, labelOf, type Said, wordsFor } from "./fields.ts";

interface BesideProps {
  readonly seen: Said;
  readonly now: Said;
  readonly fields: readonly AskedField[];
}

/** What somebody else changed meanwhile, beside what one saw. */
export function Beside({ seen, now, fields }: BesideProps) {
  const changed = fields.filter((one) => wordsFor(one, seen[one.name]) !== wordsFor(one, now[one.name]));
  return (
    <div class="notice waiting" role="alert">
      <p>{t("changedMeanwhile")}</p>
      <table class="beside-table">
        <thead>
          <tr>
            <td />
            <th scope="col">{t("youSaw")}</th>
            <th scope="col">{t("isNow")}</th>
          </tr>
        </thead>
        <tbody>
          {changed.map((one) => (
            <tr key={one.name}>
              <th scope="row">{labelOf(one)}</th>
              <td>{wordsFor(one, seen[one.name])}</td>
              <td>
                <strong>{wordsFor(one, now[one.name])}</strong>
              </td>
            </tr>
          ))}
          {changed.length === 0 && (
            <tr>
              <td colSpan={3}>{t("changedOtherwise")}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
