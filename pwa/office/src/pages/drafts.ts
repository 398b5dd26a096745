type Said = Readonly<Record<string, unknown>>;

const nameOf = (list: string, id: string | undefined) => `office-draft:${list}:${id ?? "new"}`;
const SECRETS = ["password", "secret"];

/** Whether something in it is not kept. */
export const hasSecret = (said: object) => SECRETS.some((name) => name in said);

/** Keeps what was typed and not saved, through a reload or a lost network; secrets are typed again. */
export function keepDraft(list: string, id: string | undefined, said: Said): void {
  const kept = Object.entries(said).filter(([name]) => !SECRETS.includes(name));
  sessionStorage.setItem(nameOf(list, id), JSON.stringify(Object.fromEntries(kept)));
}

export function readDraft(list: string, id: string | undefined): Said {
  return JSON.parse(sessionStorage.getItem(nameOf(list, id)) ?? "{}") as Said;
}

const TYPED_BY = "office-drafts-by";

/** Keeps drafts for whoever typed them: another person on the same tab begins without them. */
export function claimDrafts(person: string): void {
  const isOthers = sessionStorage.getItem(TYPED_BY) !== person;
  for (const name of isOthers ? Object.keys(sessionStorage) : [])
    if (name.startsWith("office-draft:")) sessionStorage.removeItem(name);
  sessionStorage.setItem(TYPED_BY, person);
}

export function dropDraft(list: string, id: string | undefined): void {
  sessionStorage.removeItem(nameOf(list, id));
}
