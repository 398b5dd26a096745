import { useEffect, useState } from "preact/hooks";
import type { Draft } from "../../offline/items.ts";
import type { Contract } from "../../state/contract.ts";
import { bookingOf, keptExtras } from "../../state/day.ts";
import { settings } from "../../state/settings.ts";
import { closingOf, unitOfDraft, vehicleOf } from "./closing.ts";

/**
 * The text that is to be signed for the open work, written on the phone: undefined until it is there, and where the
 * server is too old to know of it.
 */
export function useContract(draft: Draft): Contract | undefined {
  const [contract, setContract] = useState<Contract | undefined>(undefined);
  const isOfHandOver = draft.kind === "delivery" || draft.kind === "collection";
  useEffect(() => {
    let isGone = false;
    const booking = bookingOf(draft.booking_id);
    const unit = unitOfDraft(draft);
    const known = settings.value;
    if (!isOfHandOver || !booking || !unit || !known) return;
    void Promise.all([import("../../state/contract.ts"), keptExtras(draft.booking_id)]).then(
      async ([{ contractOf }, extras]) => {
        const sources = { draft, booking, unit, vehicle: vehicleOf(draft), settings: known, extras };
        const written = await contractOf({ ...sources, closing: closingOf(draft) });
        if (!isGone) setContract(written);
      },
    );
    return () => {
      isGone = true;
    };
  }, [draft, settings.value]);
  return contract;
}

/** Whether what was signed is not what the work says now. */
export function isOutdated({ signature }: Draft, contract: Contract | undefined): boolean {
  return !!signature?.contract_language && contract !== undefined && signature.contract_hash !== contract.hash;
}
