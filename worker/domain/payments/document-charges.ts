import type { Cents } from "#domain/money.ts";

/**
 * Splits a payment over the contracts of a document, in their order, each up to what it owes. The last one gets what no
 * contract owes. Contracts without a share are left out.
 */
export function splitPaymentOverContracts<Contract extends { readonly pendingCents: Cents }>(
  contracts: readonly Contract[],
  cents: Cents,
): readonly (Contract & { readonly cents: Cents })[] {
  let rest = cents;
  const shares = contracts.map((contract) => {
    const share = Math.min(rest, contract.pendingCents);
    rest -= share;
    return { ...contract, cents: share };
  });
  const last = shares.length - 1;
  return shares
    .map((share, index) => (index === last ? { ...share, cents: share.cents + rest } : share))
    .filter((share) => share.cents > 0);
}
