import { useEffect, useState } from "preact/hooks";
import { type InputWiring, SelectField } from "./field.tsx";

interface Props {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  /** Values that determine the times. Empty while unknown. */
  readonly asked: string;
  readonly load: () => Promise<readonly string[]>;
  readonly wrong?: Partial<InputWiring>;
  readonly onChange: (time: string) => void;
}

/** Choice of a time within opening hours. An unavailable time changes to the next available one. */
export function TimePick({ label, name, value, asked, load, wrong = {}, onChange }: Props) {
  const [times, setTimes] = useState<readonly string[]>([value]);
  useEffect(() => {
    if (!asked) return;
    let isLate = false;
    // If the list can't be loaded, the time stays and the search validates it.
    void load().then(
      (offered) => {
        if (isLate || offered.length === 0) return;
        setTimes(offered);
        if (!offered.includes(value)) onChange(offered.find((time) => time >= value) ?? offered.at(-1) ?? value);
      },
      () => undefined,
    );
    return () => {
      isLate = true;
    };
  }, [asked]);
  return (
    <SelectField
      label={label}
      name={name}
      value={value}
      wrong={wrong}
      options={times.map((time) => ({ value: time, label: time }))}
      onChange={onChange}
    />
  );
}
