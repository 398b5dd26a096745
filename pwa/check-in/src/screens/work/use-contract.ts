import { useEffect, useState } from "preact/hooks";
import type { Draft } from "../../offline/items.ts";
import type { Contract } from "../../state/contract.ts";
import { bookingOf, keptExtras } from "../../state/day.ts";
import { clockOffsetMs } from "../../state/phone.ts";
import { settings } from "../../state/settings.ts";
import { closingOf, unitOfDraft, vehicleOf } from "./closing.ts";

/**
 * The text that is to be signed for the open work, written on the phone: `"none"` where what the phone has kept is of a
 * server that does not know of it, undefined while it is being written.
 */
export function useContract(draft: Draft): Contract | "none" | undefined {
  const [contract, setContract] = useState<Contract | "none" | undefined>(undefined);
  useEffect(() => {
    let isGone = false;
    const booking = bookingOf(draft.booking_id);
    const unit = unitOfDraft(draft);
    const known = settings.value;
    if (!booking || !unit || !known) return setContract("none");
    void Promise.all([import("../../state/contract.ts"), keptExtras(draft.booking_id)]).then(
      async ([{ contractOf }, extras]) => {
        const sources = { draft, booking, unit, vehicle: vehicleOf(draft), settings: known, extras };
        const clock = { now: Date.now(), clockOffsetMs: clockOffsetMs.peek() };
        const written = await contractOf({ ...sources, ...clock, closing: closingOf(draft) });
        if (!isGone) setContract(written ?? "none");
      },
    );
    return () => {
      isGone = true;
    };
  }, [draft, settings.value]);
  return contract;
}

/** Whether what was signed is not what the work says now. */
export function isOutdated({ signature }: Draft, contract: ReturnType<typeof useContract>): boolean {
  if (!signature?.contract_language || contract === undefined || contract === "none") return false;
  return signature.contract_hash !== contract.hash;
}
