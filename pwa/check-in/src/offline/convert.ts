import { listFilesValue, type OutboxItem } from "./items.ts";

/** The first layout named neither the files of an operation nor whether the server had it. */
interface FirstLayout extends Omit<OutboxItem, "files" | "accepted" | "unposted" | "reason" | "layout"> {
  readonly layout?: undefined;
}

/**
 * Work that an older version of the app left in the outbox, as this one keeps it; its content is sent as it was
 * recorded.
 */
export function toCurrentItem(item: OutboxItem | FirstLayout): OutboxItem {
  if (item.layout === 2) return item;
  const accepted = item.state === "confirmed" || item.state === "sent";
  const reason = item.state === "blocked" ? "rejected" : null;
  return { ...item, files: listFilesValue(item.operation), accepted, unposted: false, reason, layout: 2 };
}
