import { t } from "../texts.ts";

/** One thing that is said otherwise by now. */
export interface Difference {
  readonly name: string;
  readonly label: string;
  readonly seen: string;
  readonly now: string;
}

interface ConflictTableProps {
  readonly lead: string;
  readonly differences: readonly Difference[];
  /** What is said where none of what is compared differs. */
  readonly otherwise: string;
}

/** What one saw and what it is now, side by side. */
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
