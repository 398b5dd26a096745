import { useEffect, useState } from "preact/hooks";
import { Pick, type Wiring } from "./field.tsx";

interface Props {
  readonly label: string;
  readonly name: string;
  readonly value: string;
  /** What the times depend on; empty while that is not known. */
  readonly asked: string;
  readonly load: () => Promise<readonly string[]>;
  readonly wrong?: Partial<Wiring>;
  readonly onChange: (time: string) => void;
}

/** A time of those at which the company is there: one that is not offered becomes the next that is. */
export function TimePick({ label, name, value, asked, load, wrong = {}, onChange }: Props) {
  const [times, setTimes] = useState<readonly string[]>([value]);
  useEffect(() => {
    if (!asked) return;
    let isLate = false;
    // Without the list the time stays as it is: the search says whether it can be.
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
    <Pick
      label={label}
      name={name}
      value={value}
      wrong={wrong}
      options={times.map((time) => ({ value: time, label: time }))}
      onChange={onChange}
    />
  );
}
