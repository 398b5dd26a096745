import { expectTypeOf, test } from "vitest";
import type { ResourceAnswer } from "#domain/catalogue/resources/answer-types.ts";
import type { Account } from "../../pwa/office/src/account.ts";
import type { OfficeResponse } from "../../pwa/office/src/api.ts";
import type {
  ActionQuote,
  NewTransferQuote,
  Quote,
  SaleQuote,
  TransferQuote,
} from "../../pwa/office/src/desk/quote.ts";
import type {
  HistoryEntry,
  Reservation,
  ReservationDocument,
  ReservationListItem,
  Transfer,
} from "../../pwa/office/src/desk/reservation.ts";
import type { PlaceOption } from "../../pwa/office/src/desk/use-options.ts";
import type { CustomerDetail } from "../../pwa/office/src/pages/customers/customer.ts";
import type { Expense } from "../../pwa/office/src/pages/expenses/expense.ts";
import type { VehicleDetail } from "../../pwa/office/src/pages/fleet/vehicle.ts";
import type { ImportProblem } from "../../pwa/office/src/pages/imports/import-calls.ts";
import type { CashRegister, ListedCharge, ListedDocument } from "../../pwa/office/src/pages/money/money.ts";
import type { TaxSummary } from "../../pwa/office/src/pages/money/tax-record.ts";
import type { PlannedVehicle } from "../../pwa/office/src/pages/planning/planning.ts";
import type { PriceTable } from "../../pwa/office/src/pages/price-cells.ts";
import type { Report } from "../../pwa/office/src/pages/reports/report-tables.ts";
import type { AttentionTask } from "../../pwa/office/src/pages/today/task-resolutions.ts";
import type { WebhookDeliveryItem } from "../../pwa/office/src/pages/webhook-delivery.tsx";
import type { SetupState } from "../../pwa/office/src/setup-state.ts";
import type {
  OwnActionQuote,
  OwnReservationListItem as OwnBooking,
  Settings as WidgetSettings,
} from "../../pwa/widget/src/model.ts";

/** Whether a type has only known members: neither `any` nor an index signature. */
type HasOnlyKnownMembers<T> = string extends keyof T ? false : true;

// TypeScript checks these expectations, not the test runner.
test("declares a type for every response field that pages read", () => {
  expectTypeOf<HasOnlyKnownMembers<ReservationListItem>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<Reservation>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<Transfer>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<ReservationDocument>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<HistoryEntry>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<Quote>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<SaleQuote>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<ActionQuote>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<TransferQuote>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<NewTransferQuote>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<CustomerDetail["customer"]>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<VehicleDetail["vehicle"]>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<PlannedVehicle>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<Report>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<Expense>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<ListedDocument>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<ListedCharge>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<CashRegister>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<TaxSummary>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<PriceTable>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<AttentionTask>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<ImportProblem>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<WebhookDeliveryItem>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<SetupState["steps"][number]>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<Account>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<PlaceOption>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<ResourceAnswer<"settings">>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<WidgetSettings>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<OwnBooking>>().toEqualTypeOf<true>();
  expectTypeOf<HasOnlyKnownMembers<OwnActionQuote>>().toEqualTypeOf<true>();
});

test("types a response without a message schema as an error only", () => {
  expectTypeOf<keyof OfficeResponse["body"]>().toEqualTypeOf<"error" | "code" | "params" | "detail">();
});
