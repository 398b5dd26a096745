import { desc, lte, max, sql } from "drizzle-orm";
import type { Database } from "#worker/store/database.ts";
import { developmentMails } from "#worker/store/schema/access.ts";

export interface DevelopmentMail {
  /** Time of sending, epoch ms. */
  readonly sentAt: number;
  readonly recipient: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

const MAX_STORED_MAILS = 50;

/** Stores a mail for the development mailbox, which keeps the newest fifty. */
export async function saveDevelopmentMail(db: Database, mail: DevelopmentMail): Promise<void> {
  const newest = db.select({ id: max(developmentMails.id) }).from(developmentMails);
  await db.batch([
    db.insert(developmentMails).values(mail),
    db.delete(developmentMails).where(lte(developmentMails.id, sql`${newest} - ${MAX_STORED_MAILS}`)),
  ]);
}

/** Lists the stored mails of an account, newest first. */
export async function listDevelopmentMails(db: Database): Promise<readonly DevelopmentMail[]> {
  const [mails] = await db.batch([db.select().from(developmentMails).orderBy(desc(developmentMails.id))]);
  return mails;
}
