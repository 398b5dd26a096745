import { expect, test } from "vitest";
import { toRejectionReason } from "#domain/access/rejected-requests.ts";

const findReason = (message: string, ...detail: readonly (readonly [field: string, message: string])[]) =>
  toRejectionReason({ code: "invalid", message, detail: detail.map(([field, text]) => ({ field, message: text })) });

test.each([
  ["date_from", "date_from"],
  ["rows.12.price", "rows.price"],
  ["rows[3].prices[0]", "rows.prices"],
  ["customer[name]", "customer[name]"],
  ["", ""],
  ["ana@example.com", "…"],
  ["x".repeat(41), "…"],
  ["2fa", "…"],
])("counts a rejection of the field %s as %s", (field, counted) => {
  expect(findReason("wrong", [field, "is required"]).field).toBe(counted);
});

test("counts a rejected request without the field name if the client invented that name", () => {
  expect(findReason("x", ["colour", "is no field of it"]).field).toBe("");
  expect(findReason("x", ["colour", "is given more than once"]).field).toBe("");
  expect(findReason("ana@example.com: is required, ana@example.com", ["ana@example.com", "is required"])).toEqual({
    ...{ code: "invalid", field: "…" },
    ...{ message: "…: is required, …", kindOfMessage: "…: is required, …" },
  });
});

test("groups messages of rejected requests without their numbers, and stores at most 300 characters of each", () => {
  expect(toRejectionReason({ code: "not_found", message: "no booking 1042 of 7" })).toEqual({
    ...{ code: "not_found", field: "", message: "no booking 1042 of 7", kindOfMessage: "no booking # of #" },
  });
  expect(findReason("x".repeat(301)).message).toHaveLength(300);
});
