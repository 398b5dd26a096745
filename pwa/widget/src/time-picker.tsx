import { useState } from "preact/hooks";
import { type InputWiring, SelectField } from "./field.tsx";
import { useLatestLoad } from "./use-latest.ts";

interface Props {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  /** Values that determine the times. Empty while unknown. */
  readonly loadKey: string;
  readonly load: () => Promise<readonly string[]>;
  /** Agreed time of the day, which stays selectable even if it's not offered. Empty if there is none. */
  readonly agreed?: string | undefined;
  readonly errorAttributes?: Partial<InputWiring>;
  readonly onChange: (time: string) => void;
}

/** Choice of a time within opening hours. An unavailable time changes to the next available one. */
export function TimePicker({ label, name, value, loadKey, load, agreed, errorAttributes, onChange }: Props) {
  const [times, setTimes] = useState<readonly string[]>([value]);
  useLatestLoad([loadKey], (isCurrent) => {
    if (!loadKey) return;
    // If the list can't be loaded, the time stays and the search validates it.
    void load().then(
      (open) => {
        if (!isCurrent()) return;
        // A day without offered times keeps the time, and the server refuses the day.
        const offered = [...new Set([...open, agreed || open[0] || value])].sort();
        setTimes(offered);
        if (!offered.includes(value)) onChange(offered.find((time) => time >= value) ?? offered.at(-1) ?? value);
      },
      () => undefined,
    );
  });
  return (
    <SelectField
      label={label}
      name={name}
      value={value}
      {...errorAttributes}
      options={times.map((time) => ({ value: time, label: time }))}
      onChange={onChange}
    />
  );
}
