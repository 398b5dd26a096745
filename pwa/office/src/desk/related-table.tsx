import { t } from "../texts.ts";

/** A value changed by another user. */
export interface Difference {
  readonly name: string;
  readonly label: string;
  readonly seen: string;
  readonly now: string;
}

interface ConflictTableProps {
  readonly lead: string;
  readonly differences: readonly Difference[];
  /** Text shown if no compared field differs. */
  readonly otherwise: string;
}

/** Compares the values that the user saw with the current ones. */
export function ConflictTable({ lead, differences, otherwise }: ConflictTableProps) {
  return (
    <div class="notice waiting" role="alert">
      <p>{lead}</p>
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
              <td colSpan={3}>{otherwise}</td>
            </tr>
          )}
        </tbody>
      </table>
    </div>
  );
}
