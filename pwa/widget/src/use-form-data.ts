import { useEffect } from "preact/hooks";
import type { BookingFlow } from "./use-booking-flow.ts";

/** Loads data of a form whenever an input changes. Ignores responses and failures for earlier inputs. */
export function useFormData<Data>(
  shop: BookingFlow,
  inputs: readonly unknown[],
  load: (() => Promise<Data>) | false,
  show: (data: Data) => void,
): void {
  useEffect(() => {
    let isCurrent = true;
    if (load)
      shop.ask(
        async () => {
          const data = await load();
          if (isCurrent) show(data);
        },
        () => isCurrent,
      );
    return () => {
      isCurrent = false;
    };
  }, [shop.client, shop.attempt, ...inputs]);
}
