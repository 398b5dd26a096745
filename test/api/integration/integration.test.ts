import { env } from "cloudflare:workers";
import { beforeAll, describe, expect, test } from "vitest";
import { openTestTenant } from "#support/databases.ts";
import { getAsErp, listAsErp, reportAsErp } from "#support/erp-client.ts";
import { fillErpTestCompany } from "#support/integration.ts";
import { requestWorker } from "#support/worker.ts";
import { encryptSecret } from "#worker/auth/secret-encryption.ts";

const CREATED = "2029-01-15 10:30:00.250+01:00";
const TIMESTAMP = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\+0[12]:00$/;
const NO_REASONS = {
  tax_reason_1: null,
  tax_reason_2: null,
  tax_reason_3: null,
  tax_reason_4: null,
  tax_reason_5: null,
};
const SERIE = "A-AIR-30";
const CHANGED = "2029-07-15 11:30:00.250+02:00";
const ADDRESS = {
  address_street_address: "Calle 1",
  address_city: "Palma",
  address_state: "Illes Balears",
  address_zip: "07001",
  address_country_code: "ES",
  address_lat: 39.5,
  address_lng: "2.65",
};

beforeAll(async () => {
  await fillErpTestCompany();
});

const first = async (path: string) => (await listAsErp(path)).data[0];

describe("every field of the interface", () => {
  // Proves "integration.md: booking": Booking: id, object, status
  // Proves "integration.md: booking": Booking: date_from, time_from, date_to, time_to
  // Proves "integration.md: booking": Booking: pickup_place, pickup_place_id, return_place, return_place_id
  // Proves "integration.md: booking": Booking: customer_type, customer_id
  // Proves "integration.md: booking": Booking: customer_fullname, customer_email, customer_phone, customer_document_id
  // Proves "integration.md: booking": Booking: rental_location_code, rental_storage_id, sales_channel_code
  // Proves "integration.md: booking": Booking: agency_id, agency_reservation_id
  // Proves "integration.md: booking": Booking: agent_id, agent_comission_calculation (sic)
  // Proves "integration.md: booking": Booking: agent_comission_fixed_amount, _percentage, _base_amount, _total,
  //   _prepaid_amount
  // Proves "integration.md: booking": Booking: agent_comission_paid, agent_comission_payment_date
  // Proves "integration.md: booking": Booking: customer_language; days, hours, minutes
  // Proves "integration.md: booking": Booking: item_cost, extras_cost
  // Proves "integration.md: booking": Booking: time_from_cost, time_to_cost, pickup_place_cost, return_place_cost,
  //   driver_age_cost
  // Proves "integration.md: booking": Booking: category_supplement_1_cost to 3, supplement_1_cost to 3, total_cost
  // Proves "integration.md: booking": Booking: product_deposit_cost, product_guarantee_cost, driver_age_deposit
  // Proves "integration.md: booking": Booking: product_deposit_reduction_amount, product_guarantee_reduction_amount,
  //   total_deposit
  // Proves "integration.md: booking": Booking: total_paid, total_pending
  // Proves "integration.md: booking": Booking: reservation_lines, reservation_extras, charges
  // Proves "integration.md: booking": BookingLine: every field; reservation_line_resources
  // Proves "integration.md: booking": BookingLineResource: id, object, reference, stock_plate
  // Proves "integration.md: booking": BookingExtra: every field
  // Proves "integration.md: booking": BookingCharge: id, object, date, amount, currency, payment_method_id
  // Proves "integration.md: operations": GET reservations, reservation/:id
  test("returns a contract with its lines, vehicles, extras and charges", async () => {
    const { data, total } = await listAsErp("reservations");
    expect(total).toBe(2);
    const cost = (text: string) => text;
    expect(data[0]).toEqual({
      id: 7,
      object: "reservation",
      status: "done",
      date_from: "2030-05-03",
      time_from: "10:00",
      pickup_place: "Aeropuerto",
      pickup_place_id: 1,
      date_to: "2030-05-06",
      time_to: "10:00",
      return_place: "Aeropuerto",
      return_place_id: 1,
      customer_type: "legal_entity",
      customer_id: 9,
      customer_fullname: "Ana Ruiz",
      customer_email: "ana@example.com",
      customer_phone: "+34 600111222",
      customer_document_id: "X123",
      rental_location_code: "AIR",
      rental_storage_id: 1,
      sales_channel_code: "WEB",
      agency_id: 1,
      agency_reservation_id: "REF-1",
      agent_id: 2,
      agent_comission_calculation: "percentage",
      agent_comission_fixed_amount: "0.00",
      agent_comission_percentage: "10.00",
      agent_comission_base_amount: "90.00",
      agent_comission_total: "9.00",
      agent_comission_prepaid_amount: "1.00",
      agent_comission_paid: true,
      agent_comission_payment_date: "2030-06-01",
      customer_language: "es",
      creation_date: expect.stringMatching(TIMESTAMP),
      last_update: expect.stringMatching(TIMESTAMP),
      days: 3,
      hours: 1,
      minutes: 30,
      item_cost: "90.00",
      extras_cost: "20.00",
      time_from_cost: "0.00",
      time_to_cost: "0.00",
      pickup_place_cost: "11.00",
      return_place_cost: "0.00",
      driver_age_cost: "0.00",
      category_supplement_1_cost: "0.00",
      category_supplement_2_cost: "0.00",
      category_supplement_3_cost: "0.00",
      supplement_1_cost: "0.00",
      supplement_2_cost: "0.00",
      supplement_3_cost: "0.00",
      total_cost: "121.00",
      product_deposit_cost: "300.00",
      product_guarantee_cost: "100.00",
      driver_age_deposit: "5.00",
      product_deposit_reduction_amount: "1.00",
      product_guarantee_reduction_amount: "0.50",
      total_deposit: "405.00",
      total_paid: cost("0.00"),
      total_pending: cost("120.00"),
      reservation_lines: [
        {
          id: 7,
          object: "reservation_line",
          item_id: "A",
          item_description: "Coche pequeño",
          item_unit_cost_base: "90.00",
          item_unit_cost: "90.00",
          item_cost: "90.00",
          quantity: 1,
          product_deposit_unit_cost: "300.00",
          product_deposit_cost: "300.00",
          category_supplement_1_unit_cost: "0.00",
          category_supplement_1_cost: "0.00",
          category_supplement_2_unit_cost: "0.00",
          category_supplement_2_cost: "0.00",
          category_supplement_3_unit_cost: "0.00",
          category_supplement_3_cost: "0.00",
          reservation_line_resources: [
            { id: expect.any(Number), object: "reservation_line_resource", reference: "A-1", stock_plate: "1234ABC" },
          ],
        },
      ],
      reservation_extras: [
        {
          id: expect.any(Number),
          object: "reservation_extra",
          extra_id: "GPS",
          extra_description: "Navegador",
          extra_unit_cost: "20.00",
          extra_cost: "20.00",
          quantity: 1,
        },
      ],
      charges: [
        {
          id: expect.any(Number),
          object: "charge",
          date: CHANGED,
          amount: "50.00",
          currency: "EUR",
          payment_method_id: "credit_card",
        },
      ],
    });
    expect(await (await getAsErp("/api/v1/integration/reservation/7")).json()).toEqual(data[0]);
  });

  // Proves "integration.md: lists and filters": Money NN.NN, dates AAAA-MM-DD, timestamps AAAA-MM-DD HH:mm:SS.LLL+HH:MM
  //   in winter and summer
  // Proves "integration.md: organization, fleet, customers": RentalStorage: id, object, name, classifier_id,
  //   classifier_name (text), timezone, address, lat number, lng text, dates
  // Proves "integration.md: operations": GET rental-storages
  test("returns a branch group with every field", async () => {
    expect(await first("rental-storages")).toEqual({
      id: 1,
      object: "rental_storage",
      name: "North",
      classifier_id: 3,
      classifier_name: "Blue brand",
      timezone: "Europe/Madrid",
      ...ADDRESS,
      creation_date: CREATED,
      last_update: CHANGED,
    });
  });

  // Proves "integration.md: organization, fleet, customers": RentalLocation: code, object, name, classifier,
  //   place_type, timezone, currency, rental_storage_id
  // Proves "integration.md: organization, fleet, customers": RentalLocation: company_name, document_id, phones, email,
  //   commercial_register, address, dates
  // Proves "integration.md: operations": GET rental-locations
  test("returns a branch with every field", async () => {
    expect(await first("rental-locations")).toEqual({
      code: "AIR",
      object: "rental_location",
      name: "Airport branch",
      classifier_id: 3,
      classifier_name: "Blue brand",
      place_type: "airport",
      timezone: "Europe/Madrid",
      currency: "EUR",
      rental_storage_id: 1,
      company_name: "Test Rentals SL",
      document_id: "B1",
      phone_number: "971",
      whatsapp_number: "972",
      email: "air@example.com",
      emergency_number: "973",
      commercial_register: "PM-1",
      ...ADDRESS,
      creation_date: CREATED,
      last_update: CHANGED,
    });
  });

  // Proves "integration.md: organization, fleet, customers": PickupPlace: id, object 'pickup_return_place', name,
  //   classifier, place_type, is_pickup, is_return, web_public, price, branch, iata, address, dates
  // Proves "integration.md: operations": GET pickup-places
  test("returns a pickup and return place with every field", async () => {
    expect(await first("pickup-places")).toEqual({
      id: 1,
      object: "pickup_return_place",
      name: "Aeropuerto",
      classifier_id: 3,
      classifier_name: "Blue brand",
      place_type: "airport",
      is_pickup: true,
      is_return: true,
      web_public: true,
      price: "0.00",
      rental_location_code: "AIR",
      iata: "PMI",
      ...ADDRESS,
      creation_date: CREATED,
      last_update: CHANGED,
    });
  });

  // Proves "integration.md: organization, fleet, customers": BookingCategory: code, object, name, family_id,
  //   family_name, active, web_public, dates
  // Proves "integration.md: operations": GET booking-categories
  test("returns a category with every field", async () => {
    expect(await first("booking-categories")).toEqual({
      code: "A",
      object: "booking_category",
      name: "Coche pequeño",
      family_id: 4,
      family_name: "Small cars",
      active: true,
      web_public: true,
      creation_date: CREATED,
      last_update: CHANGED,
    });
  });

  const VEHICLE = {
    reference: "A-1",
    object: "booking_item",
    name: "A 1",
    category_code: "A",
    rental_storage_id: 1,
    owner_rental_storage_id: 1,
    rental_location_code: "AIR",
    stock_brand: "Fiat",
    stock_model: "500",
    stock_plate: "1234ABC",
    stock_reference: "Blue one",
    stock_color: "blue",
    characteristic_1: "petrol",
    characteristic_2: "manual",
    characteristic_3: "VIN1",
    characteristic_4: "blue",
    purchasable_acquisition_mode: "renting",
    purchasable_adquisition_date: "2028-01-02",
    purchasable_sold_release_date: "2032-01-02",
    purchasable_purchase_price: "15000.50",
    purchasable_purchase_units: 12,
    purchasable_sale_price: "7000.00",
    purchasable_renting_monthly_fee: "300.00",
    purchasable_insurance_monthly_fee: "50.00",
    purchasable_renting_duration: 36,
    usage_units: 12345,
    usage_available_fuel: "7/8",
    fuel: "petrol",
    tank_capacity: "45.50",
    active: true,
    assignable: true,
    creation_date: CREATED,
    last_update: CHANGED,
  };

  // Proves "integration.md: organization, fleet, customers": BookingItem: reference, object, name, category, branch
  //   groups, branch
  // Proves "integration.md: organization, fleet, customers": BookingItem: stock_brand, _model, _plate, _reference,
  //   _color; characteristic_1 to 4
  // Proves "integration.md: organization, fleet, customers": BookingItem: purchasable_ fields, adquisition (sic),
  //   renting_duration
  // Proves "integration.md: organization, fleet, customers": BookingItem: usage_units, usage_available_fuel, fuel,
  //   tank_capacity, active, assignable, dates
  // Proves "integration.md: operations": GET booking-items
  test("returns a vehicle with every field", async () => {
    expect(await first("booking-items")).toEqual(VEHICLE);
  });

  // Proves "integration.md: operations": GET /api/booking-items: extended
  test("returns a vehicle in the extended list, with display names", async () => {
    expect(await first("/api/booking-items")).toEqual({
      id: expect.any(Number),
      ...VEHICLE,
      category_name: "Coche pequeño",
      rental_storage_name: "North",
      owner_rental_storage_name: "North",
      rental_location_name: "Airport branch",
    });
  });

  // Proves "integration.md: operations": GET /api/booking/reservation-report: extended, the latest contracts
  test("returns a contract in the report, with display names, latest first", async () => {
    const { data, total } = await listAsErp("/api/booking/reservation-report");
    expect(total).toBe(2);
    expect(data.map(({ id }) => id)).toEqual([8, 7]);
    expect(data[1]).toMatchObject({
      object: "reservation",
      payment_status: expect.any(String),
      rental_location_name: "Airport branch",
      return_rental_location_code: "AIR",
      return_rental_location_name: "Airport branch",
      rental_storage_name: "North",
      sales_channel_name: "Web",
      agency_name: "First Agency",
      agent_name: "Hotel Sol",
      creation_date: "2023-11-14 23:13:20.000+01:00",
      last_update: expect.stringMatching(/^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\.\d{3}\+0[12]:00$/),
    });
  });

  test("filters the reservation report by the days that existing clients send as from and to", async () => {
    const readTotal = async (query: string) => (await listAsErp(`/api/booking/reservation-report?${query}`)).total;
    expect(await readTotal("from=2030-05-03&to=2030-05-03")).toBe(2);
    expect([await readTotal("from=2030-05-04"), await readTotal("to=2030-05-02")]).toEqual([0, 0]);
    expect(await readTotal("from=&to=&search_type=&date_filter=")).toBe(2);
    expect((await getAsErp("/api/booking/reservation-report?from=soon")).status).toBe(400);
  });

  // Proves "integration.md: organization, fleet, customers": Customer: every field
  // Proves "integration.md: operations": GET customers
  test("returns a customer with every field", async () => {
    expect(await first("customers")).toEqual({
      id: 9,
      object: "customer",
      customer_type: "legal_entity",
      full_name: "Ana Ruiz",
      name: "Ana",
      surname: "Ruiz",
      document_id: "X123",
      document_id_date: "2020-01-01",
      document_id_expiration_date: "2030-01-01",
      origin_country: "ES",
      date_of_birth: "1990-02-03",
      rental_location_code: "AIR",
      sales_channel_code: "WEB",
      language: "es",
      email: "ana@example.com",
      phone_number_prefix: "34",
      phone_number: "600111222",
      mobile_phone_prefix: "34",
      mobile_phone: "600333444",
      address_street: "Mayor",
      address_number: "5",
      address_complement: "2A",
      address_city: "Inca",
      address_state: "Illes Balears",
      address_country: "ES",
      address_zip: "07300",
      merged_into_id: null,
      creation_date: CREATED,
      last_update: CHANGED,
    });
  });

  const unused = (n: number) => ({
    [`total_without_taxes_${n}`]: null,
    [`discount_${n}`]: null,
    [`subtotal_${n}`]: null,
    [`vat_${n}`]: null,
    [`taxes_${n}`]: null,
  });

  // Proves "integration.md: invoices, internal bonds, charges": Invoice: id, company_id, object, rental_location_code,
  //   external codes, sales_channel_code
  // Proves "integration.md: invoices, internal bonds, charges": Invoice: invoice_type, invoice_mode, invoice_status,
  //   serie, number, date, concept
  // Proves "integration.md: invoices, internal bonds, charges": Invoice: customer_id, customer_type, name, document and
  //   address
  // Proves "integration.md: invoices, internal bonds, charges": Invoice: payment_status, total_paid,
  //   agent_comission_prepaid_amount, total_pending
  // Proves "integration.md: invoices, internal bonds, charges": Invoice: reference_source, reference, _detail, _dates,
  //   _subtype_id, _subtype_name, _agency
  // Proves "integration.md: invoices, internal bonds, charges": Invoice: currency; total_without_taxes_1, vat_1,
  //   taxes_1 to 5; total_without_taxes, total_taxes, total
  // Proves "integration.md: invoices, internal bonds, charges": Invoice: discount_type, discount_tp, discount_1 to 5,
  //   subtotal_1 to 5, discount, subtotal, accounting_processed
  // Proves "integration.md: invoices, internal bonds, charges": Invoice: items with concepto and concept, prices,
  //   taxes, external_code
  // Proves "integration.md: invoices, internal bonds, charges": Invoice: charges with every field
  // Proves "integration.md: operations": GET invoices
  test("returns an invoice with its rates, items and charges", async () => {
    expect(await first("invoices")).toEqual({
      id: expect.any(Number),
      company_id: 1,
      object: "invoice",
      rental_location_code: "AIR",
      rental_storage_external_code: "ST-N",
      rental_location_external_code: "LO-A",
      sales_channel_code: "WEB",
      invoice_type: "invoice",
      invoice_mode: "reservation_breakdown",
      invoice_status: "invoice",
      serie: SERIE,
      number: "1",
      document_kind: "full",
      corrected_invoice_id: null,
      corrected_invoice_number: null,
      corrected_invoice_serie: null,
      exchanged_invoice_id: null,
      replaced_by_invoice_id: null,
      replaced_by_invoice_number: null,
      replaced_by_invoice_serie: null,
      missing: [],
      total_settled_by_credit: "0.00",
      creation_date: expect.stringMatching(TIMESTAMP),
      last_update: expect.stringMatching(TIMESTAMP),
      due_date: "2030-05-06",
      operation_date: null,
      ...NO_REASONS,
      tax_record: null,
      account_codes: { customers: "43000000", sales: "70500000", taxes: "47700000" },
      date: "2030-05-06",
      concept: "Contrato 7",
      customer_id: 9,
      customer_type: "legal_entity",
      customer_full_name: "Ana Ruiz",
      customer_document_id: "X123",
      customer_address_street: "Mayor",
      customer_address_number: "5",
      customer_address_complement: "2A",
      customer_address_city: "Inca",
      customer_address_state: "Illes Balears",
      customer_address_country: "ES",
      customer_address_zip: "07300",
      payment_status: "pending",
      total_paid: "50.00",
      agent_comission_prepaid_amount: "1.00",
      total_pending: "70.00",
      reference_source: "booking",
      reference: "7",
      reference_detail: "1234ABC",
      reference_dates: "2030-05-03 10:00 - 2030-05-06 10:00",
      reference_subtype_id: 1,
      reference_subtype_name: "rental",
      reference_agency: "First Agency",
      currency: "EUR",
      discount_type: "none",
      discount_tp: null,
      total_without_taxes_1: "83.47",
      discount_1: "0.00",
      subtotal_1: "83.47",
      vat_1: "21.00",
      taxes_1: "17.53",
      total_without_taxes_2: "18.18",
      discount_2: "0.00",
      subtotal_2: "18.18",
      vat_2: "10.00",
      taxes_2: "1.82",
      ...unused(3),
      ...unused(4),
      ...unused(5),
      total_without_taxes: "101.65",
      discount: "0.00",
      subtotal: "101.65",
      total_taxes: "19.35",
      total: "121.00",
      accounting_processed: false,
      items: expect.arrayContaining([
        {
          id: expect.any(Number),
          object: "invoice_item",
          concepto: "Alquiler Coche pequeño, 3 días (1234ABC)",
          concept: "Alquiler Coche pequeño, 3 días (1234ABC)",
          quantity: 1,
          vat_percentage: "21.00",
          taxes_included: true,
          price_without_taxes: "74.38",
          unit_taxes: "15.62",
          price: "90.00",
          total_without_taxes: "74.38",
          subtotal: "74.38",
          taxes: "15.62",
          total: "90.00",
          external_code: null,
        },
      ]),
      charges: [
        {
          id: expect.any(Number),
          object: "charge",
          payment_type: "charge",
          rental_location_code: "AIR",
          sales_channel_code: "WEB",
          date: CHANGED,
          amount: "50.00",
          currency: "EUR",
          status: "done",
          payment_method_id: "credit_card",
          external_operation_number: "OP-1",
          origin: "desk",
          deposit_kept: false,
          offline_physical_device_id: "TPV-1",
        },
      ],
    });
  });

  // Proves "integration.md: invoices, internal bonds, charges": InternalBond: the same fields, without tax information
  // Proves "integration.md: operations": GET internal-bonds
  test("returns an internal bond, which has no tax", async () => {
    const bond = await first("internal-bonds");
    expect(bond).toMatchObject({
      object: "internal_bond",
      invoice_mode: "reservation_breakdown",
      customer_type: "internal_department",
      serie: SERIE.replace("A-", "B-"),
      number: "1",
      total_taxes: "0.00",
      total: "121.00",
      ...unused(1),
      items: expect.arrayContaining([
        expect.objectContaining({ object: "internal_bond_item", vat_percentage: "0.00", taxes: "0.00" }),
      ]),
    });
    expect(Object.keys(bond ?? {}).sort()).toEqual(Object.keys((await first("invoices")) ?? {}).sort());
  });

  // Proves "integration.md: invoices, internal bonds, charges": ChargeDocument: every field; source_id, serie and
  //   document_serie; date with T
  // Proves "integration.md: invoices, internal bonds, charges": ChargeDocument: virtual of deposit_received and
  //   deposit_returned
  // Proves "integration.md: operations": GET charges
  test("returns a charge document of a real charge and of a virtual one", async () => {
    const { data } = await listAsErp("charges");
    expect(data[0]).toEqual({
      id: expect.any(Number),
      object: "charge_document",
      amount: "50.00",
      date: CHANGED.replace(" ", "T"),
      payment_type: "charge",
      payment_method_id: "credit_card",
      rental_location_code: "AIR",
      sales_channel_code: "WEB",
      external_operation_number: "OP-1",
      offline_physical_device_id: "TPV-1",
      source_doc: "booking",
      source_id: "7",
      serie: SERIE,
      document_serie: SERIE,
      document_number: "1",
      allocations: [{ document_id: expect.any(Number), document_serie: SERIE, document_number: "1", amount: "50.00" }],
      customer_fullname: "Ana Ruiz",
      customer_document_id: "X123",
      charge_accounting_processed: false,
      accounting_processed: false,
      virtual: false,
      deposit_kept: false,
      creation_date: expect.stringMatching(TIMESTAMP),
      last_update: expect.stringMatching(TIMESTAMP),
      account_code: "57200001",
    });
    expect(data[1]).toMatchObject({
      source_doc: "deposit_received",
      source_id: "7",
      virtual: true,
      account_code: "56000000",
      serie: null,
      document_number: null,
    });
  });
});

describe("authorization", () => {
  // Proves "integration.md: lists and filters": Base address of the account; signed by API key and secret, scope
  //   integration
  test("accepts only requests that are signed with a key of the required scope", async () => {
    const path = "/api/v1/integration/customers";
    expect((await requestWorker(`http://acme.localhost:8787${path}`)).status).toBe(401);
    expect((await getAsErp(path, { secret: "wrong" })).status).toBe(401);
    expect((await getAsErp(path, { apiKey: "agency", secret: "agency-secret" })).status).toBe(403);
    expect((await getAsErp(path)).status).toBe(200);
  });

  // Proves "integration.md: lists and filters": Invoices, bonds and charges with the API key alone, if the account
  //   allows it (conventions.md)
  test("accepts unsigned requests of a partner that may send only its key, for invoices, bonds and charges only", async () => {
    await env.TENANT_ACME.prepare(`INSERT INTO partner_keys (api_key, name, secret_sealed, scope_integration, key_only, created_at)
      VALUES ('books', 'Accounting', ?, 1, 1, 1)`)
      .bind(await encryptSecret(env.MASTER_KEY, "acme", "books-secret"))
      .run();
    await openTestTenant(env).freshSnapshot();
    const bare = (path: string, method = "GET", key = "books") =>
      requestWorker(`http://acme.localhost:8787/api/v1/integration/${path}`, {
        method,
        headers: { Authorization: key },
      });
    for (const path of ["invoices", "internal-bonds", "charges"]) {
      expect((await bare(path)).status, path).toBe(200);
      expect((await bare(path, "GET", "erp")).status, path).toBe(401);
    }
    expect((await bare("customers")).status).toBe(401);
    expect((await bare("reservation/7")).status).toBe(401);
    expect((await bare("invoice/999/processed", "POST")).status).toBe(404);
    expect((await getAsErp("/api/v1/integration/customers", { apiKey: "books", secret: "books-secret" })).status).toBe(
      200,
    );
  });
});

// Proves "integration.md: lists and filters": A wrong page, size, filter, date or id is 400 and names the parameter
describe("invalid input", () => {
  test.each([
    ["page=-1", "page"],
    ["page=1.5", "page"],
    ["page_size=0", "page_size"],
    ["page_size=501", "page_size"],
    ["page_size=100000", "page_size"],
    ["status=open", "status"],
    ["updated_from=yesterday", "updated_from"],
    ["updated_from=2026-02-30", "updated_from"],
    ["updated_from=2026-02-03+25:00:00", "updated_from"],
    ["date_from=03/05/2030", "date_from"],
    ["date_to=2030-02-30", "date_to"],
    ["rental_location_code=NOWHERE", "rental_location_code"],
    ["rental_storage_id=99", "rental_storage_id"],
    ["rental_storage_id=x", "rental_storage_id"],
    ["after=x", "after"],
    ["after=1&page=1", "after"],
    ["page=1&page=2", "page"],
  ])("rejects the query %s, naming the field", async (query, field) => {
    const answer = await getAsErp(`/api/v1/integration/reservations?${query}`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: "invalid_input", detail: [{ field }] });
  });

  // Proves "security, privacy and operation": A cursor returns a vehicle that there is not is 400
  test.each([
    "/api/v1/integration/booking-items",
    "/api/booking-items",
    "/api/v1/integration/rental-locations",
    "/api/v1/integration/booking-categories",
    "/api/v1/integration/charges",
  ])("rejects a cursor of an unknown row of %s", async (path) => {
    const answer = await getAsErp(`${path}?after=ZZZZ`);
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({ code: "invalid_input", detail: [{ field: "after" }] });
  });

  test.each(["0", "501"])("rejects page_size=%s with the allowed sizes", async (size) => {
    const answer = await getAsErp(`/api/v1/integration/reservations?page_size=${size}`);
    expect(await answer.json()).toMatchObject({ error: "page_size: must be a whole number from 1 to 500" });
  });

  test.each(["invoices", "internal-bonds", "charges"])(
    "accepts only true or false as accounting_processed of %s",
    async (path) => {
      const answer = await getAsErp(`/api/v1/integration/${path}?accounting_processed=maybe`);
      expect(await answer.json()).toMatchObject({ detail: [{ field: "accounting_processed" }] });
      expect((await listAsErp(`${path}?accounting_processed=false`)).total).toBeGreaterThan(0);
      expect((await listAsErp(`${path}?accounting_processed=true`)).total).toBe(0);
    },
  );

  // Proves "integration.md: lists and filters": Unknown id and path 404, other methods 405
  test("rejects an invalid ID, an unknown ID and an unknown path", async () => {
    expect((await getAsErp("/api/v1/integration/reservation/seven")).status).toBe(400);
    expect((await getAsErp("/api/v1/integration/reservation/999")).status).toBe(404);
    expect((await getAsErp("/api/v1/integration/nothing")).status).toBe(404);
    expect((await reportAsErp("/api/v1/integration/reservations")).status).toBe(405);
    expect((await reportAsErp("/api/v1/integration/invoice/one/processed")).status).toBe(400);
    expect((await reportAsErp("/api/v1/integration/invoice/999/processed")).status).toBe(404);
  });

  test("rejects a report of failed accounting whose message is missing or too long", async () => {
    const createAndReadDetail = async (changes: object) => {
      const body = JSON.stringify({ status: "error", ...changes });
      return (await (await reportAsErp("/api/v1/integration/invoice/1/processed", body)).json<{ detail: unknown }>())
        .detail;
    };
    expect(await createAndReadDetail({})).toEqual([{ field: "message", code: "missing", message: "is required" }]);
    expect(await createAndReadDetail({ message: 7 })).toEqual([
      { field: "message", code: "text", message: "must be text" },
    ]);
    expect(await createAndReadDetail({ message: "x".repeat(1001) })).toEqual([
      { field: "message", code: "too_long", params: { max: 1000 }, message: "must have at most 1000 characters" },
    ]);
  });
});

describe("paging", () => {
  // Proves "integration.md: lists and filters": Lists answer {data, total}; total counts what the filter matches
  // Proves "integration.md: lists and filters": Default sizes 100, 20 and 10; page from 0, page_size 1 to 500
  test("uses the default page size of each list, and returns the number of filter matches", async () => {
    const sizes = {
      reservations: 100,
      "rental-storages": 100,
      customers: 100,
      invoices: 20,
      "internal-bonds": 20,
      charges: 20,
    };
    const { paths } = await (await getAsErp("/api/v1/integration/openapi.json")).json<{
      paths: Record<string, { get: { parameters: { name: string; schema: { default?: number } }[] } }>;
    }>();
    const readSize = (path: string) =>
      paths[path]?.get.parameters.find(({ name }) => name === "page_size")?.schema.default;
    for (const [path, size] of Object.entries(sizes)) expect(readSize(`/v1/integration/${path}`), path).toBe(size);
    expect(readSize("/booking-items")).toBe(10);
    expect(readSize("/booking/reservation-report")).toBe(10);
    expect(await listAsErp("reservations?page_size=1")).toMatchObject({ data: [{ id: 7 }], total: 2 });
    expect(await listAsErp("reservations?page_size=1&page=1")).toMatchObject({ data: [{ id: 8 }], total: 2 });
    expect(await listAsErp("reservations?page=5")).toEqual({ data: [], total: 2 });
    expect(await listAsErp("reservations?after=7")).toMatchObject({ data: [{ id: 8 }], total: 2 });
    expect((await listAsErp("booking-items?after=A-2&page_size=1")).data).toMatchObject([{ reference: "A-3" }]);
    expect((await listAsErp("rental-locations?after=AIR")).data.map(({ code }) => code)).toEqual(["ISLE", "TOWN"]);
    expect((await listAsErp("/api/booking/reservation-report?after=8")).data.map(({ id }) => id)).toEqual([7]);
  });

  // Proves "integration.md: lists and filters": Filters updated_from, date_from, date_to, status, accounting_processed,
  //   rental_location_code, rental_storage_id
  test("filters each list by its own fields", async () => {
    const totals = async (path: string) => (await listAsErp(path)).total;
    expect(
      await totals(
        "reservations?status=done&date_from=2030-05-03&date_to=2030-05-03&rental_location_code=AIR&rental_storage_id=1",
      ),
    ).toBe(2);
    expect(await totals("reservations?status=confirmed")).toBe(0);
    expect(await totals("reservations?date_from=2030-05-04")).toBe(0);
    expect(await totals("invoices?date_from=2030-05-06&date_to=2030-05-06&rental_location_code=AIR")).toBe(1);
    expect(await totals("invoices?rental_location_code=TOWN")).toBe(0);
    expect(await totals("charges?date_from=2029-07-15&date_to=2029-07-15")).toBe(2);
    expect(await totals("charges?date_from=2029-07-16")).toBe(0);
    expect(await totals("booking-items?rental_storage_id=2")).toBe(1);
    expect(await totals("customers?updated_from=2029-07-15%2011:30:00.250%2B02:00")).toBe(1);
    expect(await totals("customers?updated_from=2029-07-15%2011:30:00.251+02:00")).toBe(0);
    // Timestamp formats of various languages: microseconds, offset without a colon.
    expect(await totals("customers?updated_from=2029-07-15T09:30:00.250000%2B00:00")).toBe(1);
    expect(await totals("customers?updated_from=2029-07-15T09:30:00.251999%2B0000")).toBe(0);
    expect(await totals("customers?updated_from=2029-07-15T11:30:00.250999%2B0200")).toBe(1);
    expect(await totals("customers?updated_from=2029-07-15")).toBe(1);
    expect(await totals("customers?updated_from=2029-07-16")).toBe(0);
  });
});

describe("accounting reports", () => {
  // Proves "integration.md: operations": POST invoice/:id/processed, internal-bond/:id/processed: booked or failed,
  //   harmless to repeat
  test("stores a partner's accounting result with the document and its charges, even if repeated", async () => {
    const [invoice] = (await listAsErp<{ id: number }>("invoices")).data;
    const path = `/api/v1/integration/invoice/${invoice?.id}/processed`;
    const failed = await reportAsErp(path, '{"status":"error","message":"Unknown tax id"}');
    expect(await failed.json()).toEqual({ success: true, id: invoice?.id, accounting_processed: false });
    expect(
      await env.TENANT_ACME.prepare("SELECT integration_error FROM documents WHERE id = ?").bind(invoice?.id).first(),
    ).toEqual({
      integration_error: "Unknown tax id",
    });
    const since = Date.now() - 1;
    const emptyStatuses = ['{"status":""}', '{"status":null,"message":""}'];
    for (const body of [undefined, '{"status":"processed"}', undefined, "", "{}", " { } ", ...emptyStatuses])
      expect(await (await reportAsErp(path, body)).json()).toEqual({
        success: true,
        id: invoice?.id,
        accounting_processed: true,
      });
    expect(await first("invoices")).toMatchObject({ accounting_processed: true });
    const changed = await listAsErp(`charges?updated_from=${encodeURIComponent(new Date(since).toISOString())}`);
    expect(changed.data[0]).toMatchObject({ charge_accounting_processed: true, accounting_processed: true });
    expect((await listAsErp("invoices?accounting_processed=true")).total).toBe(1);
  });

  test("returns every charge by cursor, although charges marked as processed leave the list", async () => {
    await env.TENANT_ACME.prepare("UPDATE charges SET charge_accounting_processed = 0").run();
    const { total } = await listAsErp("charges?charge_accounting_processed=false");
    const marked: number[] = [];
    for (let after = ""; ; ) {
      const [item] = (await listAsErp<{ id: number }>(`charges?charge_accounting_processed=false&page_size=1${after}`))
        .data;
      if (!item) break;
      await env.TENANT_ACME.prepare("UPDATE charges SET charge_accounting_processed = 1 WHERE id = ?")
        .bind(item.id)
        .run();
      marked.push(item.id);
      after = `&after=${item.id}`;
    }
    expect(marked).toHaveLength(total);
    expect(total).toBeGreaterThan(1);
  });

  // Proves "integration.md: lists and filters": A filter of charges named like a member finds those that show it
  test.each(["accounting_processed", "charge_accounting_processed"])(
    "filters charges by %s with the same value as the response shows",
    async (mark) => {
      await env.TENANT_ACME.prepare("UPDATE charges SET charge_accounting_processed = document_id IS NULL").run();
      const all = (await listAsErp("charges")).data;
      expect(all.map((charge) => charge["accounting_processed"] === charge["charge_accounting_processed"])).toContain(
        false,
      );
      for (const value of [true, false])
        expect((await listAsErp(`charges?${mark}=${value}`)).data).toEqual(
          all.filter((charge) => charge[mark] === value),
        );
    },
  );

  // Proves "integration.md: operations": Processed: a wrong body is 400
  test.each(['{"status":"maybe"}', '{"status":"error"}', '{"status":"error","message":" "}', "[]", "{"])(
    "rejects an accounting report whose status or message is invalid: %s",
    async (body) => {
      expect((await reportAsErp("/api/v1/integration/invoice/1/processed", body)).status).toBe(400);
    },
  );

  // Proves "integration.md: operations": Processed: drafts 409
  test("rejects marking a draft document as processed by accounting", async () => {
    const { meta } =
      await env.TENANT_ACME.prepare(`INSERT INTO documents (kind, branch_code, invoice_mode, concept, customer_type, customer_full_name,
      currency, total_without_taxes_cents, subtotal_cents, taxes_cents, total_cents, created_at, last_update)
      VALUES ('internal_bond', 'AIR', 'default', 'X', 'individual', 'Ana', 'EUR', 0, 0, 0, 0, 1, 1)`).run();
    expect((await reportAsErp(`/api/v1/integration/internal-bond/${meta.last_row_id}/processed`)).status).toBe(409);
    expect((await reportAsErp(`/api/v1/integration/invoice/${meta.last_row_id}/processed`)).status).toBe(404);
  });
});
