import { listReferencedFileHashes, type OutboxItem } from "./items.ts";

/** The first layout lacked an operation's files and whether the server had accepted it. */
interface FirstLayout extends Omit<OutboxItem, "files" | "accepted" | "unposted" | "reason" | "layout"> {
  readonly layout?: undefined;
}

/** Converts an outbox item of an older app version to the current layout. The content is sent as it was recorded. */
export function upgradeOutboxItem(item: OutboxItem | FirstLayout): OutboxItem {
  if (item.layout === 2) return item;
  const accepted = item.state === "confirmed" || item.state === "sent";
  const reason = item.state === "blocked" ? "rejected" : null;
  return { ...item, files: listReferencedFileHashes(item.operation), accepted, unposted: false, reason, layout: 2 };
}
