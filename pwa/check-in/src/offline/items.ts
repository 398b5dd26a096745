import type { Operation, OperationResult } from "../api/messages.ts";
import type { SealedWork } from "./sealed.ts";

/**
 * `queued`: waits for its turn. `sending`: on its way. `sent`: the server has the work, and not yet all its photos.
 * `confirmed`: the server has all of it. `blocked`: it needs a person.
 */
export type ItemState = "queued" | "sending" | "sent" | "confirmed" | "blocked";

/**
 * `conflict`: the server keeps it as evidence. `rejected`: the server does not have it. `photos`: it has all but some
 * photos.
 */
export type BlockReason = "conflict" | "rejected" | "photos";

export interface OperationError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
}

/** What the outbox gives an operation. */
export type Numbered = Pick<Operation, "op_id" | "device_id" | "seq" | "clock_offset_ms">;

/** One piece of work on its way to the server. */
export interface OutboxItem {
  readonly op_id: string;
  readonly seq: number;
  readonly booking_id: number;
  readonly kind: Operation["kind"];
  readonly author: string;
  /** The customer's name and the plate, to be recognised by. */
  readonly label: string;
  readonly plate: string;
  readonly operation: Operation;
  readonly files: readonly string[];
  readonly state: ItemState;
  readonly reason: BlockReason | null;
  /** Whether the server has the operation itself. */
  readonly accepted: boolean;
  /** The operation itself has never left the phone, so that its photos may still change their names. */
  readonly unposted: boolean;
  /** How often the server answered with a fault; an absent network counts nothing. */
  readonly tries: number;
  readonly next_at: number;
  readonly trouble: OperationError | null;
  readonly result: OperationResult | null;
  readonly queued_at: number;
  readonly confirmed_at: number | null;
  /** What this work adds to the contract, in minor units: extras that were sold, what closing it charges. */
  readonly added_cents?: number;
  /** What is left of the contract's deposit by extras that were sold, in minor units. */
  readonly deposit_cents?: number;
  /** A person has seen that some of it was not booked, and acted on it. */
  readonly seen?: boolean;
  /** The number of its author's key, where it is sealed; what it says as it lies on the phone, and its numbers. */
  readonly seal?: number;
  readonly sealed?: SealedWork;
  readonly numbered?: Numbered;
  /** The layout of this record. */
  readonly layout: 2;
}

/** A photo or a signature; its bytes lie apart, so that lists never load them. */
export interface StoredFile {
  /** `<booking>/<sha-256>`: the same picture of two bookings is two files, as it is on the server. */
  readonly key: string;
  readonly booking_id: number;
  readonly hash: string;
  readonly type: string;
  readonly size: number;
  readonly arrived: boolean;
  /** A PUT may have reached the server without its answer reaching us. */
  readonly attempted: boolean;
  readonly tries: number;
  readonly trouble: OperationError | null;
  /** How often in a row its upload broke on the way. */
  readonly breaks?: number;
  /** The server called it too large, and it was made smaller: once. */
  readonly shrunk?: boolean;
}

/** An extra that is sold: what one costs for the whole rental, and what it leaves of the deposit; in minor units. */
export interface SoldExtra {
  readonly name: string;
  readonly cents: number;
  readonly deposit_cents?: number;
}

/** Work in progress: an operation of which anything may still be missing. */
export interface Draft {
  /** `<booking>:<unit or 0>:<kind>` */
  readonly key: string;
  readonly booking_id: number;
  readonly resource_id: number | null;
  readonly kind: Operation["kind"];
  readonly base_version: number;
  readonly label: string;
  readonly plate: string;
  readonly step: string;
  readonly author: string;
  /** The number of its author's key, where it is sealed. */
  readonly seal?: number;
  readonly updated_at: number;
  /** The refused operation that this one does again. */
  readonly replaces: string | null;
  readonly vehicle_reference: string;
  /** As typed. */
  readonly kilometres: string;
  readonly fuel_eighths: number | null;
  /** Somebody looked again at kilometres that seem improbable; drafts of older versions do not say it. */
  readonly readings_confirmed?: boolean;
  readonly notes: string;
  /** Of an exchange: the vehicle that goes out, as typed. */
  readonly exchange?: {
    readonly vehicle_reference: string;
    readonly kilometres: string;
    readonly fuel_eighths: number | null;
    readonly upgrade_price: string;
  };
  /** Of a collection: the branch where it came back, where that is not the agreed one. */
  readonly return_rental_location_code?: string | undefined;
  /** Where the vehicle is left and what it needs, as far as somebody said it. */
  readonly standing?: Operation["standing"];
  /** What was read from the driver's papers, as typed. */
  readonly driver?: Operation["driver"];
  /** The end of the passport or card whose machine-readable zone was read. */
  readonly document_expires?: string;
  /** What was said of the people for the authorities, as typed. */
  readonly authorities?: Operation["authorities"];
  readonly extras: NonNullable<Operation["extras"]>;
  /** Of the extras that are sold. */
  readonly sold?: Readonly<Record<string, SoldExtra>>;
  /** Steps at which the person said that there is nothing to record. */
  readonly nothing_at?: readonly string[];
  /** The person hands over or takes back although so much is not paid or held, in minor units. */
  readonly open_confirmed?: number;
  /** Damage that is being described: none before it is kept. */
  readonly open_damage?: NonNullable<Operation["damages"]>[number] | null;
  readonly damages: NonNullable<Operation["damages"]>;
  readonly charges: NonNullable<Operation["charges"]>;
  readonly checks: NonNullable<Operation["checks"]>;
  readonly photos: NonNullable<Operation["photos"]>;
  readonly removed_photos: readonly string[];
  readonly signature: Operation["signature"] | null;
  /** How somebody is about to sign, and what was typed for it so far. */
  readonly signing?: {
    readonly method: NonNullable<Operation["signature"]>["method"];
    readonly name: string;
    readonly absent_reason?: string;
  };
  /** The language that was chosen for the contract; else it is the customer's. */
  readonly contract_language?: NonNullable<Operation["signature"]>["contract_language"];
  /** When the vehicle came back by the text that was signed, in ms of this phone's clock. */
  readonly signed_return_at?: number | undefined;
  /** The strokes of the signature, to draw them again after a rotation. */
  readonly strokes: unknown;
}

// Work as it lies on the phone.

export interface SealedItem extends Omit<OutboxItem, "operation" | "label" | "plate"> {
  readonly sealed: SealedWork;
  readonly numbered: Numbered;
}

/** Older versions, and phones that could not ask for a key, keep it as it is. */
export type StoredItem = OutboxItem | SealedItem;

export interface SealedDraft
  extends Pick<Draft, "key" | "booking_id" | "resource_id" | "kind" | "author" | "updated_at"> {
  readonly files: readonly string[];
  readonly sealed: SealedWork;
}

export type StoredDraft = Draft | SealedDraft;

/** The bytes of a file: as they are, or once for each author who took the same. */
export type StoredContent =
  | { readonly key: string; readonly bytes: ArrayBuffer }
  | { readonly key: string; readonly copies: readonly SealedWork[] };

/** A value that only this phone's key of the session opens. */
export interface Sealed {
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly bytes: ArrayBuffer;
}

interface Signed {
  readonly signature?: Operation["signature"] | null;
}

export const fileKey = (bookingId: number, hash: string) => `${bookingId}/${hash}`;

/** The files that an operation or a draft speaks of, each once. */
export function listFilesValue(operation: Pick<Operation, "photos" | "damages"> & Signed): readonly string[] {
  const photos = (operation.photos ?? []).map(({ hash }) => hash);
  const damagePhotos = (operation.damages ?? []).flatMap(({ photos = [] }) => photos);
  const { hash: signature, contract_hash, contract_language } = operation.signature ?? {};
  // Without a language the hash is that of older versions, which no file has.
  const contract = contract_language ? contract_hash : undefined;
  return [...new Set([...photos, ...damagePhotos, signature, contract].filter((hash) => hash !== undefined))];
}
