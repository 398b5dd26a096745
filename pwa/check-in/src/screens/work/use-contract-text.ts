import { useEffect, useState } from "preact/hooks";
import type { WorkDraft } from "../../offline/items.ts";
import type { ContractText } from "../../state/contract.ts";
import { findLoadedBooking, loadStoredExtras } from "../../state/day.ts";
import { clockOffsetMs } from "../../state/device-session.ts";
import { getReplacementVehicle } from "../../state/exchange.ts";
import { isOnline } from "../../state/outbox.ts";
import { settings } from "../../state/settings.ts";
import { calculateDraftClosingCosts, getDraftUnit, getDraftVehicle } from "./closing-costs.ts";

/**
 * `"none"`: the cached data comes from a server without contract support. `"missing"`: the code to write it isn't on
 * the device. Undefined while loading.
 */
type Written = ContractText | "none" | "missing" | undefined;

/**
 * Creates the contract text of the open work on the device. Returns it with a retry function in case the contract
 * module couldn't be downloaded.
 */
export function useContractText(draft: WorkDraft): { readonly contract: Written; readonly onRetry: () => void } {
  const [contract, setContract] = useState<Written>(undefined);
  const [tries, setTries] = useState(0);
  useEffect(() => {
    let isUnmounted = false;
    const booking = findLoadedBooking(draft.booking_id);
    const unit = getDraftUnit(draft);
    const known = settings.value;
    if (!booking || !unit || !known) return setContract("none");
    void Promise.all([import("../../state/contract.ts"), loadStoredExtras(draft.booking_id)]).then(
      async ([{ buildContractText: contractOf }, extras]) => {
        const sources = { draft, booking, unit, vehicle: getContractVehicle(draft), settings: known, extras };
        const clock = { now: Date.now(), clockOffsetMs: clockOffsetMs.peek() };
        const contractText = await contractOf({ ...sources, ...clock, closing: calculateDraftClosingCosts(draft) });
        if (!isUnmounted) setContract(contractText ?? "none");
      },
      () => !isUnmounted && setContract("missing"),
    );
    return () => {
      isUnmounted = true;
    };
  }, [draft, settings.value, isOnline.value, tries]);
  return { contract, onRetry: () => setTries(tries + 1) };
}

/** Returns the vehicle that the customer signs for. */
const getContractVehicle = (draft: WorkDraft) =>
  draft.kind === "exchange" ? getReplacementVehicle(draft) : getDraftVehicle(draft);

/** Whether the signed text differs from the current work. */
export function isSignedTextOutdated({ signature }: WorkDraft, contract: Written): boolean {
  if (!signature?.contract_language || typeof contract !== "object") return false;
  return signature.contract_hash !== contract.hash;
}
