/** Ids from responses of examples for later examples, because documents can't contain them. */
export class IdsFromResponses {
  /** Id of the latest cart or booking. */
  freeAccessId = "";
  /** Path values by operation name. */
  readonly valuesByName: Record<string, unknown> = {};

  /** Stores the ids of a response that later operations need. */
  learn(operation: string, answer: unknown): void {
    const { shopping_cart, booking, reservation, free_access_id, data, invoices } = answer as {
      readonly shopping_cart?: { readonly free_access_id: string };
      readonly booking?: { readonly id?: number };
      readonly free_access_id?: string;
      readonly reservation?: { readonly id: number };
      readonly data?: readonly { readonly id: number }[];
      readonly invoices?: readonly { readonly id: number }[];
    };
    this.freeAccessId = free_access_id ?? shopping_cart?.free_access_id ?? this.freeAccessId;
    if (operation === "readBooking" && booking) this.valuesByName["draftDocument"] = booking.id;
    if (operation === "readReservation") this.valuesByName["cancelTransfer"] = booking?.id;
    const createdId =
      operation.startsWith("create") && Object.values(answer as object).find((item) => item?.version === 1)?.id;
    if (createdId) for (const name of followers(operation)) this.valuesByName[name] = createdId;
    if (operation === "createReservation") this.valuesByName["changeReservation"] = reservation?.id;
    // An exchanged document is fully credited, so its full invoice is the one to credit.
    if (operation === "exchangeDocument") this.valuesByName["creditDocument"] = invoices?.at(-1)?.id;
    const removal = REMOVED_BY[operation];
    if (removal)
      this.valuesByName[removal.by] = (answer as Readonly<Record<string, { readonly id: number }>>)[removal.member]?.id;
    if (operation === "listInternalBonds") {
      this.valuesByName["reportInternalBondProcessed"] = data?.[0]?.id;
      this.valuesByName["readInternalBond"] = data?.[0]?.id;
    }
  }
}

/** Operations that remove what another one created, with the member of its answer. */
const REMOVED_BY: Readonly<Record<string, { readonly by: string; readonly member: string }>> = {
  createView: { by: "removeView", member: "view" },
  copySeason: { by: "undoSeasonCopy", member: "season" },
};

const FOLLOWING_ACTIONS = ["show", "change", "remove", "print", "send", "duplicate", "decline"];

// Later examples refer to the item created by an example.
function followers(operation: string): readonly string[] {
  const resourceName = operation.replace(/^create/, "");
  return FOLLOWING_ACTIONS.map((action) => `${action}${resourceName}`).concat(`show${resourceName}History`);
}
