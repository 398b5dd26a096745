import type { ComponentChildren } from "preact";

interface FactListProps {
  /** Labels and values. Rows without a value are omitted. */
  readonly rows: readonly (readonly [name: string, text: ComponentChildren])[];
}

/** List of labels and values, one per line. */
export function LabelledValueList({ rows }: FactListProps) {
  return (
    <dl class="facts">
      {rows.map(([name, text]) =>
        text ? (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ) : null,
      )}
    </dl>
  );
}
