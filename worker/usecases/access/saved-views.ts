import { hasRight } from "#domain/access/rights.ts";
import { createReason } from "#domain/problems.ts";
import { err, ok, type Result } from "#domain/result.ts";
import {
  deleteSavedViewStatement,
  type NewSavedView,
  newSavedViewStatement,
  nextSavedViewIdQuery,
  savedViewQuery,
  savedViewsQuery,
} from "#worker/store/access/views.ts";
import type { QueryResults } from "#worker/store/database.ts";
import type { OfficeRefusal, OfficeWrite } from "#worker/usecases/office/office-context.ts";
import { runOfficeWriteOnce } from "#worker/usecases/office/office-write.ts";
import {
  getTokenUserId,
  readAsStaff,
  type StaffAnswer,
  type StaffRefusal,
  type StaffRequest,
} from "#worker/usecases/office/read-as-staff.ts";

type ViewRow = QueryResults<readonly [ReturnType<typeof savedViewsQuery>]>[0][number];

/** A saved view with whether the user may delete it. */
export interface SavedView extends Pick<ViewRow, "id" | "list" | "name" | "query"> {
  readonly isShared: boolean;
  readonly isOwn: boolean;
}

const toSavedView = ({ id, list, name, query, shared, userId }: ViewRow, reader: number): SavedView => ({
  ...{ id, list, name, query },
  isShared: shared === 1,
  isOwn: userId === reader,
});

/** Maximum number of views of a user. */
const MAX_VIEWS = 100;

/** Lists the user's own and the shared views. One round trip. */
export async function listOwnAndSharedViews(
  request: StaffRequest,
): Promise<Result<StaffAnswer<readonly SavedView[]>, StaffRefusal>> {
  const userId = await getTokenUserId(request);
  const read = await readAsStaff(request, () => [savedViewsQuery(request.tenant.db, userId)] as const);
  if (!read.ok) return read;
  const { freshToken, rows } = read.value;
  return ok({ value: rows[0].map((row) => toSavedView(row, userId)), freshToken });
}

/** Saves a view of a list. Sharing one needs a manager. Two round trips. */
export async function createSavedView(
  write: OfficeWrite,
  view: NewSavedView,
): Promise<Result<StaffAnswer<SavedView>, OfficeRefusal>> {
  const { db } = write.tenant;
  const userId = await getTokenUserId(write);
  return runOfficeWriteOnce(write, {
    right: view.isShared ? "manage" : "see",
    content: { view },
    read: () => [nextSavedViewIdQuery(db, userId)] as const,
    decide: ({ rows: [[next]], at }) => {
      const { id = 1, owned = 0 } = next ?? {};
      if (owned >= MAX_VIEWS)
        return err({ kind: "invalid", field: "name", reason: createReason("at_most", MAX_VIEWS) });
      return ok({ resource: String(id), statements: [newSavedViewStatement(db, view, { id, userId, at })] });
    },
    readBack: (id) => [savedViewQuery(db, Number(id), userId)] as const,
    answer: ([[row]]) => (row ? ok(toSavedView(row, userId)) : err({ kind: "viewNotFound" })),
  });
}

/** Deletes a user's own view, or any shared view if the user is a manager. Two round trips. */
export async function deleteSavedView(
  write: OfficeWrite,
  id: number,
): Promise<Result<StaffAnswer<undefined>, OfficeRefusal>> {
  const { db } = write.tenant;
  const userId = await getTokenUserId(write);
  return runOfficeWriteOnce(write, {
    right: "see",
    content: { deleteView: id },
    read: () => [savedViewQuery(db, id, userId)] as const,
    decide: ({ rows: [[row]], staff }) => {
      if (!row) return err({ kind: "viewNotFound" });
      if (row.userId !== userId && !hasRight(staff.role, "manage"))
        return err({ kind: "rightMissing", right: "manage" });
      return ok({ resource: String(id), statements: [deleteSavedViewStatement(db, id)] });
    },
    readBack: () => [] as const,
    answer: () => ok(undefined),
  });
}
