type FormValues = Readonly<Record<string, unknown>>;

const toDraftKey = (list: string, id: string | undefined) => `office-draft:${list}:${id ?? "new"}`;
const SECRETS = ["password", "secret"];

/** Whether the values contain a secret, which drafts don't store. */
export const hasSecretField = (values: object) => SECRETS.some((name) => name in values);

/** Stores unsaved values to survive a reload or network failure. Secrets must be typed again. */
export function saveFormDraft(list: string, id: string | undefined, values: FormValues): void {
  const safeEntries = Object.entries(values).filter(([name]) => !SECRETS.includes(name));
  sessionStorage.setItem(toDraftKey(list, id), JSON.stringify(Object.fromEntries(safeEntries)));
}

/** Returns the typed values of a form in this tab. Empty if there are none. */
export function readFormDraft(list: string, id: string | undefined): FormValues {
  return JSON.parse(sessionStorage.getItem(toDraftKey(list, id)) ?? "{}") as FormValues;
}

const TYPED_BY = "office-drafts-by";

/** Binds drafts to a user by id. Another user on the same tab starts without them. */
export function bindFormDraftsToUser(id: number | undefined): void {
  const user = String(id ?? "");
  const isOthers = sessionStorage.getItem(TYPED_BY) !== user;
  for (const name of isOthers ? Object.keys(sessionStorage) : [])
    if (name.startsWith("office-draft:")) sessionStorage.removeItem(name);
  sessionStorage.setItem(TYPED_BY, user);
}

/** Deletes the typed values of a form in this tab. `id` is not set for a new record. */
export function deleteFormDraft(list: string, id: string | undefined): void {
  sessionStorage.removeItem(toDraftKey(list, id));
}
