import { fieldBuilders } from "./fields.ts";
import type { Resource } from "./resource.ts";
import { checkServicePlan, checkVehicleService } from "./rule-checks.ts";

const NULLABLE = { nullable: true } as const;
const REQUIRED = { required: true } as const;
const SERVICED = { tag: "Fleet", readRight: "see", writeRight: "manage", isRemovable: true } as const;
const MAX_EXPENSE_ID = 999_999_999_999;
const MAX_UNITS = 9_999_999;
const VEHICLE = { form: "vehicle" } as const;

/** Service plans of vehicles, and their maintenance. */
export const VEHICLE_SERVICE_RESOURCES = [
  {
    ...SERVICED,
    name: "service-plans",
    singular: "service_plan",
    vehicleField: "vehicle_reference",
    about: "Service intervals of vehicles in kilometres or months, whichever comes first",
    key: ["id"],
    isCounted: true,
    fields: [
      fieldBuilders.text("name", "name", 80, REQUIRED),
      fieldBuilders.reference("category_code", "categoryCode", "categories", {
        ...NULLABLE,
        about: "Without category and vehicle it applies to all vehicles",
      }),
      fieldBuilders.text("vehicle_reference", "vehicleReference", 50, { ...NULLABLE, ...VEHICLE }),
      fieldBuilders.whole("every_units", "everyUnits", [1, MAX_UNITS], {
        ...NULLABLE,
        about: "Kilometres, or hours, by the kind of vehicle",
      }),
      fieldBuilders.whole("every_months", "everyMonths", [1, 240], NULLABLE),
      fieldBuilders.flag("active", "active", true),
    ],
    check: checkServicePlan,
  },
  {
    ...SERVICED,
    name: "vehicle-services",
    singular: "vehicle_service",
    about: "Services of vehicles with their cost. One of a plan sets the next due date",
    key: ["id"],
    isCounted: true,
    vehicleField: "vehicle_reference",
    fields: [
      fieldBuilders.text("vehicle_reference", "vehicleReference", 50, { ...REQUIRED, ...VEHICLE }),
      fieldBuilders.date("date", "date", REQUIRED),
      fieldBuilders.whole("usage_units", "usageUnits", [0, MAX_UNITS], {
        ...REQUIRED,
        about: "Kilometres, or hours, by the kind of vehicle",
      }),
      fieldBuilders.text("work", "work", 200, REQUIRED),
      fieldBuilders.reference("service_plan_id", "servicePlanId", "service-plans", {
        ...NULLABLE,
        isNumber: true,
      }),
      fieldBuilders.money("cost", "costCents", { initial: { is: 0 } }),
      fieldBuilders.flag("in_expenses", "inExpenses", false),
      fieldBuilders.text("note", "note", 500, { initial: { is: "" } }),
      fieldBuilders.whole("expense_id", "expenseId", [1, MAX_EXPENSE_ID], {
        ...NULLABLE,
        isReadOnly: true,
      }),
    ],
    check: checkVehicleService,
  },
] as const satisfies readonly Resource[];
