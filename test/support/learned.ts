/** What the answers of examples tell the examples after them: ids that no document can know. */
export class LearnedValues {
  /** Of the cart or the booking that came last. */
  freeAccessId = "";
  /** What a path names, by the name of its operation. */
  readonly named: Record<string, unknown> = {};

  /** Keeps of an answer what the operations after it are asked of. */
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
    if (operation === "readBooking" && booking) this.named["draftDocument"] = booking.id;
    if (operation === "readReservation") this.named["cancelTransfer"] = booking?.id;
    const createdId =
      operation.startsWith("create") && Object.values(answer as object).find((item) => item?.version === 1)?.id;
    if (createdId) for (const name of followers(operation)) this.named[name] = createdId;
    if (operation === "createReservation") this.named["changeReservation"] = reservation?.id;
    // What was exchanged is credited whole: its full invoice is what there is to credit.
    if (operation === "exchangeDocument") this.named["creditDocument"] = invoices?.at(-1)?.id;
    if (operation === "listInternalBonds") this.named["reportInternalBondProcessed"] = data?.[0]?.id;
  }
}

// What was made by an example is what the examples after it are about.
function followers(operation: string): readonly string[] {
  const resourceName = operation.replace(/^create/, "");
  return [`show${resourceName}`, `show${resourceName}History`, `change${resourceName}`, `remove${resourceName}`];
}
