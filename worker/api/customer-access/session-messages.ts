import { z } from "zod";
import type { ListedSession } from "#domain/access/sessions.ts";

const session = z
  .object({
    id: z.string(),
    user_id: z.int(),
    full_name: z.string(),
    created_at: z.string(),
    last_used_at: z.string(),
    device: z.string().nullable().meta({ description: "Device name sent at sign-in" }),
    is_current: z.boolean(),
  })
  .meta({ id: "Session" });

export const sessionList = z.object({ data: z.array(session), total: z.int() });
export type SessionListMessage = z.output<typeof sessionList>;

/** Converts sessions to a list with times in UTC. */
export function toSessionsMessage(
  sessions: readonly ListedSession[],
  currentSessionId: string,
): z.output<typeof sessionList> {
  const data = sessions.map((session) => ({
    id: session.id,
    user_id: session.userId,
    full_name: session.fullName,
    created_at: new Date(session.createdAt).toISOString(),
    last_used_at: new Date(session.lastUsedAt ?? session.createdAt).toISOString(),
    device: session.device,
    is_current: session.id === currentSessionId,
  }));
  return { data, total: data.length };
}
