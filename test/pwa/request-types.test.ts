import "./page.ts";
import { expectTypeOf, test } from "vitest";
import type { ReservationChangeRequest, VehicleAssignmentRequest } from "#worker/api/office/request-messages.ts";
import type { sendOfficeRequest } from "../../pwa/office/src/api.ts";
import type { FormField } from "../../pwa/office/src/desk/fields.ts";
import type { ActionField, MemberPathIn } from "../../pwa/office/src/desk/form-field.ts";
import type { Typed } from "../../pwa/shared/typed-requests.ts";

/** Body that a call with these types accepts. */
type RequestBody<Call extends (...call: never[]) => unknown> = NonNullable<NonNullable<Parameters<Call>[2]>["body"]>;

test("requires at compile time that a request's body has the members of its message", () => {
  type Accepted = RequestBody<typeof sendOfficeRequest<object, VehicleAssignmentRequest>>;
  expectTypeOf<{ expected_version: number; reference: string }>().toExtend<Accepted>();
  expectTypeOf<{ reference: string }>().not.toExtend<Accepted>();
  // @ts-expect-error: a renamed member isn't one of the message.
  const renamed: Accepted = { expected_version: 1, vehicle: "A-1" };
  expectTypeOf(renamed).toExtend<object>();
});

test("rejects at compile time a request's body without the type of its message", () => {
  expectTypeOf<RequestBody<typeof sendOfficeRequest<object>>>().toBeNever();
});

test("accepts as names of form fields only members of their request and paths to them", () => {
  type Path = MemberPathIn<ReservationChangeRequest>;
  expectTypeOf<"customer.address.city">().toExtend<Path>();
  expectTypeOf<"transfer.outward.date">().toExtend<Path>();
  // @ts-expect-error: no member has this name.
  const misnamed: ActionField<Path> = { name: "customer.address.town", kind: "text" };
  // @ts-expect-error: no member has this name.
  const unknown: FormField<keyof VehicleAssignmentRequest> = { name: "vehicle", kind: "text" };
  expectTypeOf([misnamed, unknown]).toExtend<readonly object[]>();
});

test("allows any text as the value of a typed form field, but only the request's member names", () => {
  expectTypeOf<{ expected_version: string; reference: string; unit_id: string }>().toExtend<
    Typed<VehicleAssignmentRequest>
  >();
  expectTypeOf<{ expected_version: number; vehicle: string }>().not.toExtend<Typed<VehicleAssignmentRequest>>();
});
