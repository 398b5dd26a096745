import { env } from "cloudflare:workers";
import { setUpCompany } from "#support/company.ts";
import { insertContracts } from "#support/contracts.ts";
import { openTestTenant } from "#support/databases.ts";
import { invoiceContract } from "#worker/usecases/documents/invoice-contract.ts";

/** Times in winter and summer, when the account's time zone is one and two hours ahead. */
const WINTER = Date.parse("2029-01-15T09:30:00.250Z");
const SUMMER = Date.parse("2029-07-15T09:30:00.250Z");
const NOW = Date.parse("2030-05-06T10:00:00Z");

/** Fills the test company with every returned column, two contracts (7, and 8 of a department) and their documents. */
export async function fillErpTestCompany(): Promise<void> {
  const { db } = await setUpCompany();
  const address = `address_street_address = 'Calle 1', address_city = 'Palma', address_state = 'Illes Balears', address_zip = '07001',
    address_country_code = 'ES', address_lat = 39.5, address_lng = 2.65, created_at = ${WINTER}, last_update = ${SUMMER}`;
  await db.batch([
    db.prepare("INSERT INTO classifiers VALUES (3, 'Blue brand')"),
    db.prepare("INSERT INTO families (id, code, name) VALUES (4, 'small', 'Small cars')"),
    db.prepare(`UPDATE branch_groups SET classifier_id = 3, external_code = 'ST-N', ${address} WHERE id = 1`),
    db.prepare(`UPDATE branches SET classifier_id = 3, external_code = 'LO-A', company_name = 'Test Rentals SL', document_id = 'B1', phone_number = '971',
      whatsapp_number = '972', email = 'air@example.com', emergency_number = '973', commercial_register = 'PM-1', ${address} WHERE code = 'AIR'`),
    db.prepare(`UPDATE pickup_places SET classifier_id = 3, iata = 'PMI', ${address} WHERE id = 1`),
    db.prepare(`UPDATE categories SET family_id = 4, created_at = ${WINTER}, last_update = ${SUMMER} WHERE code = 'A'`),
    db.prepare(`UPDATE vehicles SET brand = 'Fiat', model = '500', plate = '1234ABC', alias = 'Blue one', color = 'blue',
      characteristic_1 = 'petrol', characteristic_2 = 'manual', characteristic_3 = 'VIN1', characteristic_4 = 'blue',
      acquisition_mode = 'renting', acquisition_date = '2028-01-02', sold_release_date = '2032-01-02',
      purchase_price_cents = 1500050, purchase_units = 12, sale_price_cents = 700000,
      renting_monthly_fee_cents = 30000, insurance_monthly_fee_cents = 5000, renting_duration = 36,
      usage_units = 12345, usage_available_fuel = '7/8', fuel = 'petrol', tank_capacity_hundredths = 4550, created_at = ${WINTER}, last_update = ${SUMMER}
      WHERE reference = 'A-1'`),
    db.prepare(`INSERT INTO customers (id, customer_type, name, surname, document_id, document_id_date, document_id_expiration_date, origin_country, date_of_birth,
      branch_code, sales_channel_code, language, email, phone_number_prefix, phone_number, mobile_phone_prefix, mobile_phone, address_street,
      address_number, address_complement, address_city, address_state, address_country, address_zip, created_at, last_update)
      VALUES (9, 'legal_entity', 'Ana', 'Ruiz', 'X123', '2020-01-01', '2030-01-01', 'ES', '1990-02-03', 'AIR', 'WEB', 'es', 'ana@example.com', '34', '600111222',
        '34', '600333444', 'Mayor', '5', '2A', 'Inca', 'Illes Balears', 'ES', '07300', ${WINTER}, ${SUMMER})`),
    db.prepare(
      "INSERT INTO agents (id, name, commission_calculation, commission_basis_points) VALUES (2, 'Hotel Sol', 'percentage', 1000)",
    ),
  ]);
  await insertContracts([
    { id: 7, status: "done" },
    { id: 8, status: "done", customerType: "internal_department" },
  ]);
  await db.batch([
    db.prepare(
      `UPDATE booking_lines SET category_supplement_1_unit_cents = 0, product_deposit_unit_cents = 30000 WHERE booking_id = 7`,
    ),
    db.prepare(`UPDATE bookings SET customer_id = 9, customer_type = 'legal_entity', customer_email = 'ana@example.com', customer_phone_prefix = '34',
      customer_phone = '600111222', customer_document_id = 'X123', sales_channel_code = 'WEB', agency_id = 1, agency_reservation_id = 'REF-1', agent_id = 2,
      agent_commission_calculation = 'percentage', agent_commission_basis_points = 1000, agent_commission_base_cents = 9000, agent_commission_total_cents = 900,
      agent_commission_prepaid_cents = 100, agent_commission_paid = 1, agent_commission_payment_date = '2030-06-01', hours = 1, minutes = 30,
      product_deposit_cents = 30000, product_guarantee_cents = 10000, driver_age_deposit_cents = 500, total_deposit_cents = 40500,
      product_deposit_reduction_cents = 100, product_guarantee_reduction_cents = 50 WHERE id = 7`),
    insertCharge(7, "booking", "charge", "credit_card", 5000),
  ]);
  for (const id of [7, 8]) {
    const desk = {
      tenant: openTestTenant(env),
      staff: { userId: 1, role: "administrator" as const, branches: "all" as const },
      factor: "fresh" as const,
      now: NOW,
    };
    await invoiceContract(desk, { requestId: `request-${id}`, bookingId: id, advanceCents: undefined, issued: true });
  }
  await db.batch([insertCharge(7, "deposit_received", "charge", "cash", 30_000)]);
}

function insertCharge(id: number, source: string, type: string, method: string, cents: number): D1PreparedStatement {
  return env.TENANT_ACME.prepare(`INSERT INTO charges (booking_id, source_doc, payment_type, payment_method_id, date, amount_cents, currency, branch_code,
    sales_channel_code, external_operation_number, origin, offline_physical_device_id, created_at, last_update)
    VALUES (?, ?, ?, ?, ${SUMMER}, ?, 'EUR', 'AIR', 'WEB', 'OP-1', 'desk', 'TPV-1', ${SUMMER}, ${SUMMER})`).bind(
    id,
    source,
    type,
    method,
    cents,
  );
}
