import type { FieldDescriptions } from "../describe-fields.ts";
import { describeDate, describeMoney, describeTime } from "./phrases.ts";

/** Texts of small interfaces: payments, promotion codes and pending tasks of operators. */
export const paymentFieldDescriptions: FieldDescriptions = {
  name: "payments",
  parameters: { outcome: "Result that the gateway names. Only its notification settles the payment" },
};

export const promotionCodeFieldDescriptions: FieldDescriptions = {
  name: "promotion codes",
  fields: {
    from: describeDate("Day of the pickup. Empty if unknown"),
    to: describeDate("Day of the return. Empty if unknown"),
  },
};

export const operationsFieldDescriptions: FieldDescriptions = {
  name: "operations",
  fields: {
    check_in: "Work of the check-in app",
    "check_in.refused": "Operations that conflict with the reservation",
    "check_in.held": "Collections that wait for their delivery",
    to_look_at: "Applied operations with warnings to review",
    files_missing: "Photos and signatures that haven't arrived",
    mails: "Emails that haven't been sent",
    unsent: "Number of unsent emails",
    "mails.last": "The last ones",
    "last.subject": "Subject of the email",
    "last.attempts": "Number of failed attempts",
    "last.error": "Error of the last attempt",
    documents: "Documents that the accounting system refused",
    not_integrated: "Number of these documents",
    "documents.last": "The last ones",
    "last.id": "Id of the document or reservation",
    "last.number": "Number of the document in its series. Null for a draft",
    bookings: "Reservations that were paid after their hold had expired",
    paid_after_expiry: "Number of these reservations",
    "bookings.last": "The last ones",
    stock: "Vehicles that are missing or late",
    overdue: "Number of vehicles that should be back",
    shortage: "Number of categories, extras and transfer vehicles that are short",
    last_overdue: "The last ones that should be back",
    "last_overdue.id": "Number of the reservation",
    last_shortage: "What is short, with its first time",
    resource: "What is short: a category, an extra or a transfer vehicle",
    extra_code: "Code of the extra. Null for others",
    "last_shortage.category_code": "Code of the category. Null for others",
    "last_shortage.rental_storage_id": "Id of the branch group. Null for transfers",
    transfer_vehicle_id: "Id of the transfer vehicle. Null for others",
    date: describeDate("Day from which units are short"),
    time: describeTime("Time from which units are short"),
    missing: "Number of missing units",
    payments: "Gateway notifications that don't match their payment",
    mismatching: "Number of these notifications",
    "payments.last": "The last ones",
    order: "Reference of the payment at the gateway",
    payment_method: "Online payment method",
    outcome: "What was wrong with the notification",
    amount: describeMoney("Amount of the notification. Null if it names none"),
  },
};
