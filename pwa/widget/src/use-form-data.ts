import type { BookingFlow } from "./use-booking-flow.ts";
import { useLatestLoad } from "./use-latest.ts";

/** Loads data of a form whenever an input changes. Ignores responses and failures for earlier inputs. */
export function useFormData<Data>(
  shop: BookingFlow,
  inputs: readonly unknown[],
  load: (() => Promise<Data>) | false,
  show: (data: Data) => void,
): void {
  useLatestLoad([shop.client, shop.attempt, ...inputs], (isCurrent) => {
    if (!load) return;
    shop.ask(async () => {
      const data = await load();
      if (isCurrent()) show(data);
    }, isCurrent);
  });
}
