/**
 * A request with values as they are typed. Its members have the names of the request, but their values may be any text:
 * the server says what is wrong with them.
 */
export type Typed<Request> = Request extends readonly (infer Item)[]
  ? readonly Typed<Item>[]
  : Request extends null | undefined
    ? Request
    : Request extends object
      ? { readonly [Member in keyof Request]: Typed<Request[Member]> }
      : Request | string;

/** Returns a request without its undefined members, as it is sent. */
export function omitUndefined<Request extends object>(request: Request): Request {
  return Object.fromEntries(Object.entries(request).filter(([, value]) => value !== undefined)) as Request;
}
