import { t } from "../texts.ts";

/** A value changed by another user. */
export interface Difference {
  readonly name: string;
  readonly label: string;
  readonly seen: string;
  readonly now: string;
}

interface ConflictTableProps {
  readonly message: string;
  readonly differences: readonly Difference[];
  /** Text shown if no compared field differs. */
  readonly noDifferencesText: string;
}

/** Compares the values that the user saw with the current ones. */
export function ConflictTable({ message, differences, noDifferencesText }: ConflictTableProps) {
  return (
    <div class="notice waiting" role="alert">
      <p>{message}</p>
      <table class="beside-table">
        <thead>
          <tr>
            <td />
            <th scope="col">{t("youSaw")}</th>
            <th scope="col">{t("isNow")}</th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ name, label, seen, now }) => (
            <tr key={name}>
              <th scope="row">{label}</th>
              <td>{seen}</td>
              <td>
                <strong>{now}</strong>
              </td>
            </tr>
          ))}
          {differences.length === 0 && (
            <tr>
              <td colSpan={3}>{noDifferencesText}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
