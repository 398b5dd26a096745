import type { Operation } from "#tools/fuzz/operations.ts";
import { CATALOGUE_KINDS, NEVER_REMOVED_RESOURCES } from "./catalogue.ts";

const OFFICE = "/api/v1/office";
const API = "/api/v1";

/** Returns operations of a method below a path. */
const below = (address: string, method: string, ...paths: readonly string[]) =>
  paths.map((path) => `${method} ${address}${path}`);
const posts = (...paths: readonly string[]) => below(OFFICE, "POST", ...paths);
const patches = (...paths: readonly string[]) => below(OFFICE, "PATCH", ...paths);
const removals = (...paths: readonly string[]) => below(OFFICE, "DELETE", ...paths);

const RENTALS = "/api/booking/frontend";
const TRANSFERS = "/api/booking-transfer/frontend";
const CART = "/shopping-cart/{free_access_id}";
const listReservationPosts = (...moves: readonly string[]) =>
  posts(...moves.map((move) => `/reservations/{id}/${move}`));
const ownActions = (...moves: readonly string[]) =>
  below(`${API}/web-customer/reservations/{free_access_id}`, "POST", ...moves.map((move) => `/${move}`));
const PAID = "POST /charge-processed/{gateway}";
const INVOICED = `POST ${API}/booking/{id}/documents`;
const SIGNED_IN = `POST ${API}/login`;

/** Operations sent by each writer, named as in the OpenAPI documents. A run fails if a writer sends any other. */
export const OPERATIONS_BY_WRITER = {
  agency: below("/api/booking/ota", "POST", "/booking", "/change-booking", "/cancel-booking"),
  website: [
    ...below(RENTALS, "POST", "/shopping-cart", CART, `${CART}/set-product`, `${CART}/set-extra`),
    ...below(RENTALS, "POST", `${CART}/remove-extra`, `${CART}/apply-promotion-code`, `${CART}/checkout`),
    ...below(RENTALS, "PUT", CART, "/booking/{free_access_id}"),
    ...below("", "POST", "/api/check-promotion-code", "/reserva/pagar", "/book/pay"),
    ...ownActions("quote", "change", "cancel"),
    PAID,
  ],
  transfers: [
    ...below(TRANSFERS, "POST", "/shopping-cart", CART, `${CART}/set-product`, `${CART}/set-extra`),
    ...below(TRANSFERS, "POST", `${CART}/remove-extra`, `${CART}/checkout`, "/reservation/{free_access_id}"),
    ...below("", "POST", "/transfer/pagar", "/reserva-transfer/pagar"),
    ...posts("/transfers", "/transfers/quote"),
    ...patches("/reservations/{id}"),
    ...listReservationPosts("cancel"),
    `POST ${API}/booking/transfer-reservations/{id}/cancel`,
    ...ownActions("quote", "change"),
    PAID,
  ],
  phone: [
    ...below(`${API}/booking`, "POST", "/check-in-operations", "/check-in-seals"),
    ...below(`${API}/booking`, "PUT", "/{id}/check-in-files/{hash}", "/check-in-devices/{device_id}/report"),
  ],
  office: [`POST ${API}/booking/check-in-operations/{op_id}/resolution`],
  moves: [
    ...posts("/reservations"),
    ...patches("/reservations/{id}"),
    ...listReservationPosts("quote", "confirm", "assign", "cancel"),
    ...ownActions("quote", "cancel"),
  ],
  road: [
    ...posts("/vehicles", "/reservations", "/vehicles/{reference}/damages/{id}/repaired"),
    ...posts("/commissions/settle", "/commissions/unsettle"),
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
  "no-show": [...posts("/vehicles", "/reservations"), ...listReservationPosts("no-show")],
  desk: [
    INVOICED,
    `POST ${API}/booking/{id}/charges`,
    ...below(`${API}/documents/{id}`, "POST", "/issue", "/credit-note"),
  ],
  exchange: [
    ...posts("/reservations"),
    ...patches("/reservations/{id}"),
    INVOICED,
    `POST ${API}/documents/{id}/exchange`,
  ],
  money: [...listReservationPosts("refund"), ...posts("/register/close"), PAID],
  "second manager": posts("/refunds/{id}/approve", "/refunds/{id}/decline"),
  "stuck refunds": [
    ...posts("/gateway-refunds/{id}/again", "/gateway-refunds/{id}/drop", "/gateway-refunds/{id}/by-hand"),
    PAID,
  ],
  catalogue: [
    ...CATALOGUE_KINDS.flatMap((kind) => [
      ...posts(`/${kind}`),
      ...patches(`/${kind}/{id}`),
      ...(NEVER_REMOVED_RESOURCES.has(kind) ? [] : removals(`/${kind}/{id}`)),
    ]),
    ...posts("/webhooks/{id}/rotate-secret", "/webhooks/{id}/test", "/webhooks/{id}/replay"),
    ...posts("/prices/preview", "/settings/dry-run", "/reservations/quote", "/gateways/{method}/test"),
    ...posts("/expenses"),
    ...patches("/expenses/{id}"),
    ...removals("/expenses/{id}"),
    ...patches("/settings"),
    ...below(OFFICE, "PUT", "/prices/table"),
  ],
  attention: posts("/attention/{id}/done", "/tax-records/retry"),
  "tax records": posts("/documents/{id}/verifactu/amend", "/documents/{id}/verifactu/annul"),
  "ministry reports": [
    ...patches("/reservations/{id}/ses"),
    ...posts("/ministry-reports/{id}/again", "/ministry-reports/{id}/annulled", "/ministry-reports/lists/refresh"),
  ],
  holds: posts("/holds/end"),
  quotes: [
    ...posts("/quotes", "/quotes/{id}/send", "/quotes/{id}/duplicate", "/quotes/{id}/decline"),
    ...patches("/quotes/{id}"),
  ],
  "company invoices": [
    ...posts("/customers", "/reservations", "/reservations/{id}/documents/quote"),
    ...posts("/documents/collective", "/documents/collective/quote", "/documents/{id}/charges"),
  ],
  "document checks": [...posts("/documents/{id}/retry-integration"), `POST ${API}/documents/{id}/credit-note/quote`],
  notes: [
    ...posts("/customers", "/reservations", "/views", "/message-templates/preview"),
    ...posts("/reservations/{id}/notes", "/reservations/{id}/tasks", "/customers/{id}/notes", "/customers/{id}/tasks"),
    ...posts("/customers/{id}/files"),
    ...removals("/customers/{id}/files/{file}"),
    ...posts("/reservations/{id}/messages", "/messages/{id}/resend"),
    ...patches("/tasks/{id}", "/me"),
    ...below(OFFICE, "PUT", "/message-templates/{template}/{language}"),
    ...removals("/message-templates/{template}/{language}", "/notes/{id}", "/views/{id}"),
  ],
  links: [
    ...posts("/reservations", "/reservations/{id}/payment-links", "/reservations/{id}/holds"),
    ...posts("/holds/{id}/capture", "/holds/{id}/release"),
    ...removals("/payment-links/{id}", "/reservations/{id}/payment-links/{link_id}"),
    "POST /pay/{token}",
    PAID,
  ],
  imports: posts("/imports", "/imports/check", "/imports/{id}/undo"),
  fleet: [
    ...posts("/vehicles", "/vehicles/{reference}/blocks", "/vehicles/{reference}/move", "/vehicles/{reference}/retire"),
    ...patches("/vehicles/{reference}", "/blocks/{id}"),
    ...removals("/blocks/{id}"),
  ],
  people: [
    ...posts("/customers", "/customers/{id}/consent", "/customers/{id}/merge", "/customers/{id}/erase"),
    ...patches("/customers/{id}"),
  ],
  sessions: [SIGNED_IN, ...posts("/sessions/{id}/end")],
  factors: [
    SIGNED_IN,
    ...posts("/users", "/users/{id}/forget-factors"),
    ...below(
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
    ...below(API, "DELETE", "/second-factor/passkeys/{id}", "/sessions", "/sessions/{id}"),
  ],
  customer: [
    SIGNED_IN,
    ...below(API, "POST", "/signup/customer", "/web-customer/check-user-email", "/web-customer/password-forgotten"),
    ...below(`${API}/web-customer`, "POST", "/change-password", "/verification", "/verify-email"),
    `DELETE ${API}/logout`,
  ],
  ERP: below(`${API}/integration`, "POST", "/invoice/{id}/processed", "/internal-bond/{id}/processed"),
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
  ...[...posts("/vehicle-services"), ...patches("/vehicle-services/{id}"), ...removals("/vehicle-services/{id}")].map(
    (operation) => [operation, REASONS.services],
  ),
  ...[...posts("/legal-texts"), ...patches("/legal-texts/{id}"), ...removals("/legal-texts/{id}")].map((operation) => [
    operation,
    REASONS.legal,
  ]),
  ["POST /api/v1/office/agencies/{id}/statement/pay", REASONS.statements],
  ...posts("/documents/{id}/mail").map((item) => [item, REASONS.documentMails]),
  ...posts("/holds/{id}/capture/quote", "/documents/{id}/charges/quote", "/reservations/{id}/return-record").map(
    (item) => [item, REASONS.previews],
  ),
  ...[...posts("/seasons/{id}/copy"), ...removals("/seasons/{id}/copy")].map((item) => [item, REASONS.seasons]),
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
