/** A type whose members can't be changed, including nested objects and lists. */
export type Immutable<T> = { readonly [Member in keyof T]: Immutable<T[Member]> };
