import { encryptSecret } from "#worker/auth/secret-encryption.ts";

const CREATED = 1_700_000_000_000;

/** Time zone of the test company. */
export const COMPANY_TIME_ZONE = "Europe/Madrid";

/** Secrets of the test company's partners, encrypted for its account. */
export interface EncryptedPartnerSecrets {
  readonly agency: string;
  readonly second: string;
  readonly erp: string;
}

export async function encryptPartnerSecrets(masterKey: string, account: string): Promise<EncryptedPartnerSecrets> {
  const sealed = (secret: string) => encryptSecret(masterKey, account, secret);
  return {
    agency: await sealed("agency-secret"),
    second: await sealed("second-secret"),
    erp: await sealed("erp-secret"),
  };
}

/** Creates the rows of the test company for an empty database. */
export function createCompanyStatements(
  db: D1Database,
  { agency, second, erp }: EncryptedPartnerSecrets,
): D1PreparedStatement[] {
  return [
    db.prepare(`INSERT INTO settings (id, account_name, country_code, currency, timezone, languages, default_language,
      out_of_hours_allowed, out_of_hours_pickup_cents, out_of_hours_return_cents, deposit_basis_points)
      VALUES (1, 'Test Rentals', 'ES', 'EUR', '${COMPANY_TIME_ZONE}', '["es","en","de"]', 'es', 1, 3000, 2000, 2000)`),
    db.prepare("INSERT INTO sales_channels VALUES ('WEB', 'Web', 1), ('AGENCY', 'Agencies', 1)"),
    db.prepare(`INSERT INTO branch_groups (id, name, timezone, created_at, last_update)
      VALUES (1, 'North', 'Europe/Madrid', ${CREATED}, ${CREATED}), (2, 'South', 'Europe/Madrid', ${CREATED}, ${CREATED})`),
    db.prepare(`INSERT INTO branches (code, branch_group_id, name, place_type, timezone, currency, created_at, last_update) VALUES
      ('AIR', 1, 'Airport branch', 'airport', 'Europe/Madrid', 'EUR', ${CREATED}, ${CREATED}),
      ('TOWN', 1, 'Town branch', 'location', 'Europe/Madrid', 'EUR', ${CREATED}, ${CREATED}),
      ('ISLE', 2, 'Island branch', 'location', 'Europe/Madrid', 'EUR', ${CREATED}, ${CREATED})`),
    db.prepare(`INSERT INTO opening_hours SELECT 'AIR', value, '08:00', '20:00' FROM json_each('[1,2,3,4,5,6,7]')`),
    db.prepare(`INSERT INTO pickup_places (id, branch_code, name, place_type, price_cents, is_pickup, is_return, web_public, position, created_at, last_update) VALUES
      (1, 'AIR', 'Aeropuerto', 'airport', 0, 1, 1, 1, 1, ${CREATED}, ${CREATED}),
      (2, 'TOWN', 'Oficina', 'location', 1500, 1, 1, 1, 2, ${CREATED}, ${CREATED}),
      (3, 'ISLE', 'Puerto', 'harbor', 0, 1, 1, 1, 3, ${CREATED}, ${CREATED}),
      (4, 'TOWN', 'Almacén', 'location', 0, 1, 1, 0, 4, ${CREATED}, ${CREATED}),
      (5, 'TOWN', 'Buzón de llaves', 'location', 0, 0, 1, 1, 5, ${CREATED}, ${CREATED})`),
    db.prepare("INSERT INTO return_places VALUES (3, 3), (1, 1), (1, 2), (1, 5)"),
    db.prepare(`INSERT INTO translations VALUES
      ('pickup_place', '1', 'name', 'en', 'Airport'), ('pickup_place', '2', 'name', 'en', 'Office'),
      ('booking_category', 'A', 'name', 'en', 'Small car'), ('booking_category', 'A', 'name', 'de', 'Kleinwagen'),
      ('extra', 'SEAT', 'name', 'en', 'Child seat')`),
    db.prepare(`INSERT INTO categories (code, name, position, web_public, active, vat_basis_points, deposit_cents, guarantee_cents,
      supplement_1_cents, doors, seats, suitcases, transmission, fuel, air_conditioner, created_at, last_update) VALUES
      ('A', 'Coche pequeño', 1, 1, 1, 2100, 30000, 10000, 500, 3, 4, 1, 'manual', 'petrol', 1, ${CREATED}, ${CREATED}),
      ('B', 'Familiar', 2, 1, 1, 2100, 60000, 0, 0, 5, 5, 3, 'automatic', 'diesel', 1, ${CREATED}, ${CREATED}),
      ('C', 'Clásico', 3, 1, 1, 1000, 0, 0, 0, 2, 2, 0, 'manual', 'petrol', 0, ${CREATED}, ${CREATED}),
      ('HIDDEN', 'Interno', 4, 0, 1, 2100, 0, 0, 0, 5, 5, 3, 'manual', 'diesel', 1, ${CREATED}, ${CREATED})`),
    db.prepare(
      "INSERT INTO category_photos VALUES ('A', 1, 'https://img.example/a-m.jpg', 'https://img.example/a.jpg')",
    ),
    db.prepare(`INSERT INTO vehicles (reference, name, category_code, branch_group_id, owner_branch_group_id, branch_code, created_at, last_update) VALUES
      ('A-1', 'A 1', 'A', 1, 1, 'AIR', ${CREATED}, ${CREATED}), ('A-2', 'A 2', 'A', 1, 1, 'AIR', ${CREATED}, ${CREATED}),
      ('A-3', 'A 3', 'A', 1, 1, 'TOWN', ${CREATED}, ${CREATED}), ('B-1', 'B 1', 'B', 1, 1, 'AIR', ${CREATED}, ${CREATED}),
      ('B-2', 'B 2', 'B', 2, 2, 'ISLE', ${CREATED}, ${CREATED}), ('C-1', 'C 1', 'C', 1, 1, 'AIR', ${CREATED}, ${CREATED}),
      ('H-1', 'H 1', 'HIDDEN', 1, 1, 'AIR', ${CREATED}, ${CREATED})`),
    db.prepare("INSERT INTO tariffs (id, category_code) VALUES (1, 'A'), (2, 'B'), (3, 'C'), (4, 'HIDDEN')"),
    db.prepare(`INSERT INTO tariff_brackets (tariff_id, from_days, to_days, price_per, price_cents) VALUES
      (1, 1, 2, 'day', 4000), (1, 3, 6, 'day', 3000), (1, 7, NULL, 'day', 2500), (2, 1, NULL, 'day', 6000),
      (3, 1, NULL, 'day', 10000), (4, 1, NULL, 'day', 1000)`),
    db.prepare(`INSERT INTO driver_age_rules (id, description, age_from, age_to, allowed, cost_per, cost_cents, deposit_cents) VALUES
      (1, 'Menores de 21', 0, 20, 0, 'rental', 0, 0), (2, 'De 21 a 24', 21, 24, 1, 'day', 1000, 20000)`),
    db.prepare("INSERT INTO promotion_codes (code, discount_type, value) VALUES ('WELCOME10', 'percentage', 1000)"),
    db.prepare(`INSERT INTO extras (code, name, price_per, price_cents, maximum_price_cents, max_quantity, vat_basis_points, position) VALUES
      ('SEAT', 'Silla infantil', 'day', 400, 2000, 3, 2100, 1), ('GPS', 'Navegador', 'rental', 1500, NULL, 1, 2100, 2)`),
    db.prepare("INSERT INTO extra_stocks VALUES ('SEAT', 1, 4)"),
    db.prepare("INSERT INTO agencies (id, name) VALUES (1, 'First Agency'), (2, 'Second Agency')"),
    db
      .prepare(`INSERT INTO partner_keys (api_key, name, secret_sealed, agency_id, scope_ota, scope_integration, scope_analytics, created_at) VALUES
        ('agency', 'First', ?1, 1, 1, 0, 0, ${CREATED}), ('second', 'Second', ?2, 2, 1, 0, 0, ${CREATED}), ('erp', 'ERP', ?3, NULL, 0, 1, 1, ${CREATED})`)
      .bind(agency, second, erp),
  ];
}
