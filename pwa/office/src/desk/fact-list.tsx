import type { ComponentChildren } from "preact";

interface FactListProps {
  /** What each is called, and what is said; one of which nothing is said is left out. */
  readonly rows: readonly (readonly [name: string, text: ComponentChildren])[];
}

/** What is said of a thing, a line each. */
export function FactList({ rows }: FactListProps) {
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
