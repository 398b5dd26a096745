import type { CodeList, ListEntries } from "#domain/communications/lists.ts";
import type { CommunicatedRental, CommunicationKind } from "#domain/communications/rental.ts";

/** What an authority says of what was sent: the lot that it works on, or why it refuses. */
export interface SentAnswer {
  readonly lot: string | undefined;
  readonly error: string | undefined;
  /** It has the very same already: its first answer was lost, and the lot's name with it. */
  readonly isKnown: boolean;
}

/** What became of a lot; `works`: it is asked again later. */
export interface LotAnswer {
  readonly state: "works" | "done" | "failed";
  /** The authority's own name of what it keeps. */
  readonly code: string | undefined;
  readonly error: string | undefined;
}

/** A company's way to an authority. What gets no answer throws, and is tried again. */
export interface RegisterChannel {
  send(kind: CommunicationKind, text: string): Promise<SentAnswer>;
  /** Takes back what the authority keeps, by its own name of it. */
  annul(code: string): Promise<SentAnswer>;
  /** Undefined where it does not know the lot yet. */
  ask(lot: string): Promise<LotAnswer | undefined>;
  list(list: CodeList): Promise<ListEntries>;
  /** Asks something that registers nothing. */
  try(): Promise<void>;
}

/** A register of rentals at an authority: what it wants to be told, in what form, and how. */
export interface RentalRegister {
  /** What a rental lacks for it, by the names of the contract data and of the fleet. */
  missing(kind: CommunicationKind, rental: CommunicatedRental): readonly string[];
  /** The communication of a rental that lacks nothing. */
  write(kind: CommunicationKind, rental: CommunicatedRental): string;
  /** `ask` posts a request and answers its text. */
  open(account: { readonly lessor: string; readonly ask: (body: string) => Promise<string> }): RegisterChannel;
}
