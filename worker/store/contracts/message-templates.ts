import { and, eq, sql } from "drizzle-orm";
import type { Database, Query } from "#worker/store/database.ts";
import { selectRowToInsert } from "#worker/store/new-rows.ts";
import { bookings } from "#worker/store/schema/bookings.ts";
import { officeHistory } from "#worker/store/schema/office-history.ts";
import { messageTemplates } from "#worker/store/schema/outgoing-mails.ts";

/** Returns the query for the templates whose text the company wrote itself. */
export const messageTemplatesQuery = (db: Database) => db.select().from(messageTemplates);
export type MessageTemplateRow = Awaited<ReturnType<typeof messageTemplatesQuery>>[number];

/** Returns the query for the telephone of a reservation's customer. */
export const bookingCustomerPhoneQuery = (db: Database, bookingId: number) =>
  db
    .select({ prefix: bookings.customerPhonePrefix, number: bookings.customerPhone })
    .from(bookings)
    .where(eq(bookings.id, bookingId));

type TemplateKey = Pick<MessageTemplateRow, "template" | "language">;
type TemplateText = Pick<MessageTemplateRow, "subject" | "text">;

/** A change of a template. Without a text, the platform's text applies again. */
interface TemplateChange {
  readonly before: TemplateText;
  readonly after: TemplateText;
  readonly isReset: boolean;
  readonly actor: string;
  readonly at: number;
}

const matches = ({ template, language }: TemplateKey) =>
  and(eq(messageTemplates.template, template), eq(messageTemplates.language, language));

/** Returns the statements that store the company's text of a template or delete it, and add the history entry. */
export function changeTemplateStatements(
  db: Database,
  key: TemplateKey,
  { before, after, isReset, actor, at }: TemplateChange,
): readonly Query[] {
  const resourceId = `${key.template}~${key.language}`;
  const version = sql`(SELECT coalesce(max(version), 0) + 1 FROM office_history WHERE resource = 'message-templates' AND resource_id = ${resourceId})`;
  const detail = JSON.stringify({ before, after });
  return [
    isReset
      ? db.delete(messageTemplates).where(matches(key))
      : db
          .insert(messageTemplates)
          .values({ ...key, ...after })
          .onConflictDoUpdate({ target: [messageTemplates.template, messageTemplates.language], set: after }),
    db.insert(officeHistory).select(
      selectRowToInsert(officeHistory, {
        ...{ resource: "message-templates", resourceId, version, at, actor },
        ...{ event: isReset ? "removed" : "changed", detail },
      }),
    ),
  ];
}
