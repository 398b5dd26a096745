import { useEffect } from "preact/hooks";

/** Runs a loader whenever an input changes. It receives whether its inputs are still the current ones. */
export function useLatestLoad(inputs: readonly unknown[], load: (isCurrent: () => boolean) => void): void {
  useEffect(() => {
    let isCurrent = true;
    load(() => isCurrent);
    return () => {
      isCurrent = false;
    };
  }, inputs);
}
