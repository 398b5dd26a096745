import { useLayoutEffect, useRef } from "preact/hooks";
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

/** Compares the values that the user saw with the current ones. Comes into view, because the form may be scrolled. */
export function ConflictTable({ message, differences, noDifferencesText }: ConflictTableProps) {
  const notice = useRef<HTMLDivElement>(null);
  const shown = differences.map(({ name, now }) => `${name}=${now}`).join();
  useLayoutEffect(() => notice.current?.scrollIntoView({ block: "nearest" }), [shown]);
  return (
    <div class="notice waiting" role="alert" ref={notice}>
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
