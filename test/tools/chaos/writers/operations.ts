import type { Operation } from "#tools/fuzz/operations.ts";
import { CATALOGUE_KINDS, NEVER_REMOVED_RESOURCES } from "./catalogue.ts";

const OFFICE = "/api/v1/office";
const API = "/api/v1";

/** Returns operations of a method below a path. */
const listOperations = (address: string, method: string, ...paths: readonly string[]) =>
  paths.map((path) => `${method} ${address}${path}`);
const listPosts = (...paths: readonly string[]) => listOperations(OFFICE, "POST", ...paths);
const listPatches = (...paths: readonly string[]) => listOperations(OFFICE, "PATCH", ...paths);
const listDeletes = (...paths: readonly string[]) => listOperations(OFFICE, "DELETE", ...paths);

const RENTALS = "/api/booking/frontend";
const TRANSFERS = "/api/booking-transfer/frontend";
const CART = "/shopping-cart/{free_access_id}";
const listReservationPosts = (...moves: readonly string[]) =>
  listPosts(...moves.map((move) => `/reservations/{id}/${move}`));
const ownActions = (...moves: readonly string[]) =>
  listOperations(`${API}/web-customer/reservations/{free_access_id}`, "POST", ...moves.map((move) => `/${move}`));
const PAID = "POST /charge-processed/{gateway}";
const INVOICED = `POST ${API}/booking/{id}/documents`;
const SIGNED_IN = `POST ${API}/login`;

/** Operations sent by each writer, named as in the OpenAPI documents. A run fails if a writer sends any other. */
export const OPERATIONS_BY_WRITER = {
  agency: listOperations("/api/booking/ota", "POST", "/booking", "/change-booking", "/cancel-booking"),
  website: [
    ...listOperations(RENTALS, "POST", "/shopping-cart", CART, `${CART}/set-product`, `${CART}/set-extra`),
    ...listOperations(RENTALS, "POST", `${CART}/remove-extra`, `${CART}/apply-promotion-code`, `${CART}/checkout`),
    ...listOperations(RENTALS, "PUT", CART, "/booking/{free_access_id}"),
    ...listOperations("", "POST", "/api/check-promotion-code", "/reserva/pagar", "/book/pay"),
    ...ownActions("quote", "change", "cancel"),
    PAID,
  ],
  transfers: [
    ...listOperations(TRANSFERS, "POST", "/shopping-cart", CART, `${CART}/set-product`, `${CART}/set-extra`),
    ...listOperations(TRANSFERS, "POST", `${CART}/remove-extra`, `${CART}/checkout`, "/reservation/{free_access_id}"),
    ...listOperations("", "POST", "/transfer/pagar", "/reserva-transfer/pagar"),
    ...listPosts("/transfers", "/transfers/quote"),
    ...listPatches("/reservations/{id}"),
    ...listReservationPosts("cancel"),
    `POST ${API}/booking/transfer-reservations/{id}/cancel`,
    ...ownActions("quote", "change"),
    PAID,
  ],
  phone: [
    ...listOperations(`${API}/booking`, "POST", "/check-in-operations", "/check-in-seals"),
    ...listOperations(`${API}/booking`, "PUT", "/{id}/check-in-files/{hash}", "/check-in-devices/{device_id}/report"),
  ],
  office: [`POST ${API}/booking/check-in-operations/{op_id}/resolution`],
  moves: [
    ...listPosts("/reservations"),
    ...listPatches("/reservations/{id}"),
    ...listReservationPosts("quote", "confirm", "assign", "cancel"),
    ...ownActions("quote", "cancel"),
  ],
  road: [
    ...listPosts("/vehicles", "/reservations", "/vehicles/{reference}/damages/{id}/repaired"),
    ...listPosts("/commissions/settle", "/commissions/unsettle"),
    ...listReservationPosts(
      "agent",
      "assign",
      "deliver",
      "extend",
      "early-return",
      "exchange",
      "collect",
      "surcharge",
      "reopen",
      "cancel",
    ),
  ],
  "no-show": [...listPosts("/vehicles", "/reservations"), ...listReservationPosts("no-show")],
  desk: [
    INVOICED,
    `POST ${API}/booking/{id}/charges`,
    ...listOperations(`${API}/documents/{id}`, "POST", "/issue", "/credit-note"),
  ],
  exchange: [
    ...listPosts("/reservations"),
    ...listPatches("/reservations/{id}"),
    INVOICED,
    `POST ${API}/documents/{id}/exchange`,
  ],
  money: [...listReservationPosts("refund"), ...listPosts("/register/close"), PAID],
  "second manager": listPosts("/refunds/{id}/approve", "/refunds/{id}/decline"),
  "stuck refunds": [
    ...listPosts("/gateway-refunds/{id}/again", "/gateway-refunds/{id}/drop", "/gateway-refunds/{id}/by-hand"),
    PAID,
  ],
  catalogue: [
    ...CATALOGUE_KINDS.flatMap((kind) => [
      ...listPosts(`/${kind}`),
      ...listPatches(`/${kind}/{id}`),
      ...(NEVER_REMOVED_RESOURCES.has(kind) ? [] : listDeletes(`/${kind}/{id}`)),
    ]),
    ...listPosts("/webhooks/{id}/rotate-secret", "/webhooks/{id}/test", "/webhooks/{id}/replay"),
    ...listPosts("/prices/preview", "/settings/dry-run", "/reservations/quote", "/gateways/{method}/test"),
    ...listPosts("/expenses"),
    ...listPatches("/expenses/{id}"),
    ...listDeletes("/expenses/{id}"),
    ...listPatches("/settings"),
    ...listOperations(OFFICE, "PUT", "/prices/table"),
  ],
  attention: listPosts("/attention/{id}/done", "/tax-records/retry"),
  "tax records": listPosts("/documents/{id}/verifactu/amend", "/documents/{id}/verifactu/annul"),
  "ministry reports": [
    ...listPatches("/reservations/{id}/ses"),
    ...listPosts("/ministry-reports/{id}/again", "/ministry-reports/{id}/annulled", "/ministry-reports/lists/refresh"),
  ],
  holds: listPosts("/holds/end"),
  quotes: [
    ...listPosts("/quotes", "/quotes/{id}/send", "/quotes/{id}/duplicate", "/quotes/{id}/decline"),
    ...listPatches("/quotes/{id}"),
  ],
  "company invoices": [
    ...listPosts("/customers", "/reservations", "/reservations/{id}/documents/quote"),
    ...listPosts("/documents/collective", "/documents/collective/quote", "/documents/{id}/charges"),
  ],
  "document checks": [
    ...listPosts("/documents/{id}/retry-integration"),
    `POST ${API}/documents/{id}/credit-note/quote`,
  ],
  notes: [
    ...listPosts("/customers", "/reservations", "/views", "/message-templates/preview"),
    ...listPosts(
      "/reservations/{id}/notes",
      "/reservations/{id}/tasks",
      "/customers/{id}/notes",
      "/customers/{id}/tasks",
    ),
    ...listPosts("/customers/{id}/files"),
    ...listDeletes("/customers/{id}/files/{file}"),
    ...listPosts("/reservations/{id}/messages", "/messages/{id}/resend"),
    ...listPatches("/tasks/{id}", "/me"),
    ...listOperations(OFFICE, "PUT", "/message-templates/{template}/{language}"),
    ...listDeletes("/message-templates/{template}/{language}", "/notes/{id}", "/views/{id}"),
  ],
  links: [
    ...listPosts("/reservations", "/reservations/{id}/payment-links", "/reservations/{id}/holds"),
    ...listPosts("/holds/{id}/capture", "/holds/{id}/release"),
    ...listDeletes("/payment-links/{id}", "/reservations/{id}/payment-links/{link_id}"),
    "POST /pay/{token}",
    PAID,
  ],
  imports: listPosts("/imports", "/imports/check", "/imports/{id}/undo"),
  fleet: [
    ...listPosts(
      "/vehicles",
      "/vehicles/{reference}/blocks",
      "/vehicles/{reference}/move",
      "/vehicles/{reference}/retire",
    ),
    ...listPatches("/vehicles/{reference}", "/blocks/{id}"),
    ...listDeletes("/blocks/{id}"),
  ],
  people: [
    ...listPosts("/customers", "/customers/{id}/consent", "/customers/{id}/merge", "/customers/{id}/erase"),
    ...listPatches("/customers/{id}"),
  ],
  sessions: [SIGNED_IN, ...listPosts("/sessions/{id}/end")],
  factors: [
    SIGNED_IN,
    ...listPosts("/users", "/users/{id}/forget-factors"),
    ...listOperations(
      `${API}/second-factor`,
      "POST",
      "",
      "/confirm",
      "/prove",
      "/recovery-codes",
      "/remove",
      "/passkeys/challenge",
      "/passkeys",
    ),
    ...listOperations(API, "DELETE", "/second-factor/passkeys/{id}", "/sessions", "/sessions/{id}"),
  ],
  customer: [
    SIGNED_IN,
    ...listOperations(
      API,
      "POST",
      "/signup/customer",
      "/web-customer/check-user-email",
      "/web-customer/password-forgotten",
    ),
    ...listOperations(`${API}/web-customer`, "POST", "/change-password", "/verification", "/verify-email"),
    `DELETE ${API}/logout`,
  ],
  ERP: listOperations(`${API}/integration`, "POST", "/invoice/{id}/processed", "/internal-bond/{id}/processed"),
} as const satisfies Readonly<Record<string, readonly string[]>>;

/** Names of writers. */
export type WriterName = keyof typeof OPERATIONS_BY_WRITER;

const REASONS = {
  link: "mails a link after the response and changes nothing (test/api/customer-access/own-downloads.test.ts)",
  week: "A week of opening hours is written like each of them. test/api/office/special-hours.test.ts repeats it",
  seasons: "A copied season is written like each of its parts. test/api/office/season-copies.test.ts repeats it",
  statements: "A paid commission moves no charge. test/api/office/agency-statements.test.ts repeats a payment",
  services: "Maintenance moves neither money nor stock. test/api/office/service-plans.test.ts writes it",
  invitations: "The chaos run reads no mails of staff. test/api/office/invitations.test.ts repeats one",
  photos: "A photo moves neither money nor stock. test/api/office/photos.test.ts repeats one",
  legal: "Terms and privacy move neither money nor stock. test/api/office/legal-texts.test.ts writes them",
  certificate: "A certificate moves neither money nor stock. test/api/office/signing-certificate.test.ts writes it",
  previews: "It writes nothing. test/api/office/money-previews.test.ts compares it with the operation",
  documentMails: "It moves neither money nor stock. test/api/office/payer-mails.test.ts mails documents",
  letterhead: "The logo moves neither money nor stock. test/api/office/letterhead.test.ts writes it",
};

/** Write operations without a writer, and the reason. */
export const UNWRITTEN_OPERATIONS: Readonly<Record<string, string>> = Object.fromEntries([
  ["POST /api/v1/web-customer/find-booking", REASONS.link],
  ["PUT /api/v1/office/opening-hours/week", REASONS.week],
  ["PUT /api/v1/office/letterhead", REASONS.letterhead],
  ["PUT /api/v1/office/signing-certificate", REASONS.certificate],
  ["DELETE /api/v1/office/signing-certificate", REASONS.certificate],
  ["POST /api/v1/office/photos", REASONS.photos],
  ["POST /api/v1/office/users/{id}/invitation", REASONS.invitations],
  ...[
    ...listPosts("/vehicle-services"),
    ...listPatches("/vehicle-services/{id}"),
    ...listDeletes("/vehicle-services/{id}"),
  ].map((operation) => [operation, REASONS.services]),
  ...[...listPosts("/legal-texts"), ...listPatches("/legal-texts/{id}"), ...listDeletes("/legal-texts/{id}")].map(
    (operation) => [operation, REASONS.legal],
  ),
  ["POST /api/v1/office/agencies/{id}/statement/pay", REASONS.statements],
  ...listPosts("/documents/{id}/mail").map((item) => [item, REASONS.documentMails]),
  ...listPosts("/holds/{id}/capture/quote", "/documents/{id}/charges/quote", "/reservations/{id}/return-record").map(
    (item) => [item, REASONS.previews],
  ),
  ...[...listPosts("/seasons/{id}/copy"), ...listDeletes("/seasons/{id}/copy")].map((item) => [item, REASONS.seasons]),
]);

/** Lists all write operations by name. */
export function listWriteOperations(operations: readonly Pick<Operation, "method" | "path">[]): readonly string[] {
  return operations.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
}

/** Lists write operations without a writer or an exception. */
export function listUncoveredOperations(writing: readonly string[]): readonly string[] {
  const coveredOperations = new Set<string>(Object.values(OPERATIONS_BY_WRITER).flat());
  return writing.filter(
    (operation) => !coveredOperations.has(operation) && !Object.hasOwn(UNWRITTEN_OPERATIONS, operation),
  );
}
