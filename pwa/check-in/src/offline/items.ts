import type { FailureDetails } from "../api/client.ts";
import type { Operation, OperationResult } from "../api/messages.ts";
import type { SealedWork } from "./work-keys.ts";

/**
 * `queued`: pending. `sending`: in transit. `sent`: the server has the work, but not all photos. `confirmed`: the
 * server has everything. `blocked`: needs attention.
 */
export type OutboxItemState = "queued" | "sending" | "sent" | "confirmed" | "blocked";

/**
 * `conflict`: the server stores it as evidence. `rejected`: the server doesn't have it. `photos`: only some photos are
 * missing.
 */
export type OutboxBlockReason = "conflict" | "rejected" | "photos";

export interface OperationError {
  readonly status: number;
  readonly code: string;
  readonly message: string;
  /** Refused fields, if the server named them. */
  readonly detail?: FailureDetails["detail"];
}

/** Fields that the outbox adds to an operation. */
export type OperationEnvelope = Pick<Operation, "op_id" | "device_id" | "seq" | "clock_offset_ms">;

/** Operation that is queued or being sent to the server. */
export interface OutboxItem {
  readonly op_id: string;
  readonly seq: number;
  readonly booking_id: number;
  readonly kind: Operation["kind"];
  readonly author: string;
  /** Customer's full name. With the plate, it identifies the work on screens. */
  readonly label: string;
  readonly plate: string;
  readonly operation: Operation;
  readonly files: readonly string[];
  readonly state: OutboxItemState;
  readonly reason: OutboxBlockReason | null;
  /** Whether the server has accepted the operation. Its photos may still be missing there. */
  readonly accepted: boolean;
  /**
   * Whether the operation has never been sent, so that it may still be changed to name a shrunk photo by its new hash.
   */
  readonly unposted: boolean;
  /** Number of server errors. A missing network doesn't count. */
  readonly tries: number;
  readonly next_at: number;
  readonly trouble: OperationError | null;
  readonly result: OperationResult | null;
  readonly queued_at: number;
  readonly confirmed_at: number | null;
  /** Amount that this work adds to the contract, in minor units: extras sold and closing costs. */
  readonly added_cents?: number;
  /** Contract deposit remaining after the extras sold, in minor units. */
  readonly deposit_cents?: number;
  /** Whether the user has acknowledged that the server didn't book this work or a part of it. */
  readonly seen?: boolean;
  /** If encrypted: the number of the author's key, the encrypted content and the sequence fields. */
  readonly seal?: number;
  readonly sealed?: SealedWork;
  readonly numbered?: OperationEnvelope;
  /** Layout version of this record. */
  readonly layout: 2;
}

/** A photo or signature. Its bytes are stored separately, so that lists never load them. */
export interface StoredWorkFile {
  /** `<booking>/<sha-256>`. The same picture of two bookings is two files, as on the server. */
  readonly key: string;
  readonly booking_id: number;
  readonly hash: string;
  readonly type: string;
  readonly size: number;
  readonly arrived: boolean;
  /** Whether an upload was started. The server may have the file although this device got no response. */
  readonly attempted: boolean;
  readonly tries: number;
  readonly trouble: OperationError | null;
  /** Number of consecutive interrupted uploads. */
  readonly interruptions?: number;
  /** Whether the file was already shrunk after the server rejected it as too large. Happens only once. */
  readonly shrunk?: boolean;
}

/**
 * An extra sold on site: its price for the whole rental, and the contract's deposit that remains with it, in minor
 * units.
 */
export interface SoldExtra {
  readonly name: string;
  readonly cents: number;
  readonly deposit_cents?: number;
}

/** Work in progress, possibly incomplete. */
export interface WorkDraft {
  /** Key of the draft: `<booking>:<unit or 0>:<kind>`. */
  readonly key: string;
  readonly booking_id: number;
  readonly resource_id: number | null;
  readonly kind: Operation["kind"];
  readonly base_version: number;
  readonly label: string;
  readonly plate: string;
  readonly step: string;
  readonly author: string;
  /** Number of the author's key, if encrypted. */
  readonly seal?: number;
  readonly updated_at: number;
  /** The rejected operation that this draft repeats. */
  readonly replaces: string | null;
  readonly vehicle_reference: string;
  /** As typed by the user. */
  readonly kilometres: string;
  readonly fuel_eighths: number | null;
  /** Whether the user confirmed improbable kilometres. Not set in drafts of older versions. */
  readonly readings_confirmed?: boolean;
  readonly notes: string;
  /** A manager's reason to deliver although blocking checks aren't met. */
  readonly override_reason?: string;
  /** For an exchange, the outgoing vehicle as typed. */
  readonly exchange?: {
    readonly vehicle_reference: string;
    readonly kilometres: string;
    readonly fuel_eighths: number | null;
    readonly upgrade_price: string;
  };
  /** For a collection, the return branch if it differs from the agreed one. */
  readonly return_rental_location_code?: string | undefined;
  /** Parking location and needs of the vehicle, as far as specified. */
  readonly standing?: Operation["standing"];
  /** Data of the driver's documents, as typed. */
  readonly driver?: Operation["driver"];
  /** Expiry date of the passport or ID card with the scanned machine-readable zone. */
  readonly document_expires?: string;
  /** Data of persons for the authorities, as typed. */
  readonly authorities?: Operation["authorities"];
  readonly extras: NonNullable<Operation["extras"]>;
  /** Details of the extras sold. */
  readonly sold?: Readonly<Record<string, SoldExtra>>;
  /** Steps that the user marked as having nothing to record. */
  readonly nothing_at?: readonly string[];
  /** Open amount in minor units that the user accepted: an unpaid balance or a deposit that isn't held. */
  readonly open_confirmed?: number;
  /** Damage being described, until saved. */
  readonly open_damage?: NonNullable<Operation["damages"]>[number] | null;
  readonly damages: NonNullable<Operation["damages"]>;
  /** Prices of the damage, each with an amount as typed if the price list has none. */
  readonly surcharges?: NonNullable<Operation["surcharges"]>;
  readonly charges: NonNullable<Operation["charges"]>;
  readonly checks: NonNullable<Operation["checks"]>;
  readonly photos: NonNullable<Operation["photos"]>;
  readonly removed_photos: readonly string[];
  readonly signature: Operation["signature"] | null;
  /** Chosen signing method and values typed so far. */
  readonly signing?: {
    readonly method: NonNullable<Operation["signature"]>["method"];
    readonly name: string;
    readonly absent_reason?: string;
  };
  /** Language chosen for the contract. Defaults to the customer's language. */
  readonly contract_language?: NonNullable<Operation["signature"]>["contract_language"];
  /** Real time of a return, in ms of the device's clock. Not set if the vehicle comes back now. */
  readonly returned_at?: number | undefined;
  /** Return time stated in the signed text, in ms of the device's clock. */
  readonly signed_return_at?: number | undefined;
  /** Strokes of the signature, to redraw them after a rotation. */
  readonly strokes: unknown;
}

// Work as stored on the device.

/** Outbox item as stored: its operation and labels are encrypted for the author. */
export interface SealedItem extends Omit<OutboxItem, "operation" | "label" | "plate"> {
  readonly sealed: SealedWork;
  readonly numbered: OperationEnvelope;
}

/** Outbox item as stored: encrypted, or unencrypted if stored by an older version or without an encryption key. */
export type StoredItem = OutboxItem | SealedItem;

/** Draft as stored: its fields are encrypted for the author. */
export interface SealedDraft
  extends Pick<WorkDraft, "key" | "booking_id" | "resource_id" | "kind" | "author" | "updated_at"> {
  readonly files: readonly string[];
  readonly sealed: SealedWork;
}

/** Draft as stored, encrypted if its author's key is on the device. */
export type StoredDraft = WorkDraft | SealedDraft;

/** Bytes of a file, either plain or encrypted once for each author who captured the same file. */
export type StoredFileContent =
  | { readonly key: string; readonly bytes: ArrayBuffer }
  | { readonly key: string; readonly copies: readonly SealedWork[] };

/** A value that only the session key of this device can decrypt. */
export interface EncryptedData {
  readonly iv: Uint8Array<ArrayBuffer>;
  readonly bytes: ArrayBuffer;
}

interface OptionallySigned {
  readonly signature?: Operation["signature"] | null;
}

/** Returns when an operation was recorded, in epoch ms by the server's clock. */
export const getRecordedTime = ({ recorded_at, clock_offset_ms = 0 }: Operation): number =>
  Date.parse(recorded_at) + clock_offset_ms;

export const toFileKey = (bookingId: number, hash: string) => `${bookingId}/${hash}`;

/** Lists the unique files that an operation or draft refers to. */
export function listReferencedFileHashes(
  operation: Pick<Operation, "photos" | "damages"> & OptionallySigned,
): readonly string[] {
  const photos = (operation.photos ?? []).map(({ hash }) => hash);
  const damagePhotos = (operation.damages ?? []).flatMap(({ photos = [] }) => photos);
  const { hash: signature, contract_hash, contract_language } = operation.signature ?? {};
  // Without a language, the hash comes from an older version and has no file.
  const contract = contract_language ? contract_hash : undefined;
  return [...new Set([...photos, ...damagePhotos, signature, contract].filter((hash) => hash !== undefined))];
}
