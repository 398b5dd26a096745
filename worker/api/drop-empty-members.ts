import { createMiddleware } from "hono/factory";
import type { AppEnvironment } from "./environment.ts";
import { replaceBody } from "./request-body.ts";

type IsEmpty = (member: unknown, name: string) => boolean;

const isEmpty: IsEmpty = (member) => member === "" || member === null;
const isEmptyText: IsEmpty = (member) => member === "";

/**
 * Removes empty members of a JSON body at any depth, which clients send for missing values
 * (docs/interfaces/conventions.md#empty-values). Runs after the body checks.
 */
export const dropEmptyBodyMembers = drop(isEmpty);

/** Removes members with empty texts but keeps `null`, for routes on which `null` has a meaning. */
export const dropEmptyTexts = drop(isEmptyText);

/** Removes empty members except for an empty promotion code, which removes the code of a booking. */
export const dropEmptyExceptPromotionCode = drop(
  (member, name) => isEmpty(member, name) && !(name === "promotion_code" && member === ""),
);

/** Removes empty members except a `discount` of `null`, which turns off the customer's own discount. */
export const dropEmptyExceptDiscount = drop(
  (member, name) => isEmpty(member, name) && !(name === "discount" && member === null),
);

function drop(isAbsent: IsEmpty) {
  return createMiddleware<AppEnvironment>(async (c, next) => {
    const text = await c.req.text();
    if (!(text.includes('""') || text.includes("null"))) return next();
    replaceBody(c, JSON.stringify(removeMembers(isAbsent, JSON.parse(text))));
    return next();
  });
}

/** Returns a JSON value without members that are `null` or empty text. */
export const removeEmptyMembers = (value: unknown): unknown => removeMembers(isEmpty, value);

function removeMembers(isAbsent: IsEmpty, value: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => removeMembers(isAbsent, item));
  if (typeof value !== "object" || value === null) return value;
  const presentEntries = Object.entries(value).filter(([name, member]) => !isAbsent(member, name));
  return Object.fromEntries(presentEntries.map(([name, member]) => [name, removeMembers(isAbsent, member)]));
}
