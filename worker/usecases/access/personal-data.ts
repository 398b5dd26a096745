import { ok, type Result, refuse } from "#domain/result.ts";
import { toHex } from "#worker/auth/bytes.ts";
import { tryUnseal } from "#worker/auth/sealing.ts";
import { officeCustomerQueries } from "#worker/store/access/customers.ts";
import { eraseStatements, toEraseQueries } from "#worker/store/access/erasure.ts";
import { readPersonalData } from "#worker/store/access/personal-data.ts";
import type {
  CustomerAnswer,
  OfficeAnswer,
  OfficeRefusal,
  OfficeWrite,
} from "#worker/usecases/bookings/moves/office-context.ts";
import { refuseWithout } from "#worker/usecases/bookings/moves/office-context.ts";
import { filePath } from "#worker/usecases/check-in/files.ts";
import { writeOnce } from "#worker/usecases/operations/office-write.ts";
import { answerCustomer } from "./office-customers.ts";
import { readAsStaff, type StaffRequest, userIdOf } from "./read-as-staff.ts";

/** All that is kept of a customer, table by table, for the person who asks for it. */
export async function exportCustomer(
  request: StaffRequest,
  id: number,
): Promise<Result<OfficeAnswer<Awaited<ReturnType<typeof readPersonalData>>>, OfficeRefusal>> {
  const userId = await userIdOf(request);
  const read = await readAsStaff(request, () => officeCustomerQueries(request.tenant.db, id, userId));
  if (!read.ok) return read;
  const { staff, freshToken, rows } = read.value;
  const missing = refuseWithout(staff, "administer");
  if (missing) return missing;
  if (rows[0][0]?.isOfUser !== 1) return refuse({ kind: "customerNotFound" });
  return ok({ value: await readPersonalData(request.tenant.db, id), freshToken });
}

/**
 * Erases a person, once for each key: photos, signatures, texts, names; issued documents and what the ministry was told
 * stay as long as the law keeps them. Refused while a contract of theirs is not over.
 */
export async function eraseCustomer(
  write: OfficeWrite,
  id: number,
  reason: string,
): Promise<Result<OfficeAnswer<CustomerAnswer>, OfficeRefusal>> {
  const { db, files, copies } = write.tenant;
  const userId = await userIdOf(write);
  return writeOnce(write, {
    ...answerCustomer(write, userId),
    right: "manage",
    content: { erase: id, reason },
    read: () => [...officeCustomerQueries(db, id, userId), ...toEraseQueries(db, id)] as const,
    decide: async ({ rows: [seen, , [customer], open, photos, contracts, [kept], mails], actor }) => {
      if (!customer || seen[0]?.isOfUser !== 1) return refuse({ kind: "customerNotFound" });
      const merged = seen[0].mergedIntoId;
      if (merged !== null) return refuse({ kind: "customerMerged", mergedIntoId: merged });
      if (open.length > 0) return refuse({ kind: "customerHasContracts", bookingIds: open.map((one) => one.id) });
      // The objects first: what no row names any more would stay for ever.
      for (const file of [...photos, ...contracts]) {
        await files.delete(filePath(file));
        await copies?.photos.delete(filePath(file));
      }
      const emails = JSON.parse(customer.emails) as readonly string[];
      const mailIds = await mailsTo(write, mails, emails);
      const about = { at: write.now, actor, reason, kept: { ...kept, backups: copies !== undefined }, mailIds, emails };
      await noteErasure(write, id);
      return ok({ resource: String(id), statements: eraseStatements(db, id, about) });
    },
  });
}

// Which mails under way are to somebody: one that cannot be opened is nobody's any more, and useless soon.
async function mailsTo(
  { tenant }: OfficeWrite,
  mails: readonly { readonly id: number; readonly sealed: string }[],
  emails: readonly string[],
): Promise<readonly number[]> {
  const opened = await Promise.all(
    mails.map(async ({ id, sealed }) => ({ id, text: await tryUnseal(tenant, sealed) })),
  );
  return opened.flatMap(({ id, text }) => {
    const { recipient } = Object(text === undefined ? {} : JSON.parse(text)) as { readonly recipient?: string };
    return recipient !== undefined && emails.includes(recipient.toLowerCase()) ? [id] : [];
  });
}

// Beside the backups, which hold the person until their time is over: whoever restores one erases these again.
async function noteErasure({ tenant, now }: OfficeWrite, id: number): Promise<void> {
  const bytes = new TextEncoder().encode(JSON.stringify({ customer_id: id, at: new Date(now).toISOString() }));
  const sha256 = toHex(new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)));
  await tenant.copies?.erasures.put(`${id}.json`, bytes, { sha256, contentType: "application/json" });
}
