import { env } from "cloudflare:workers";
import { beforeEach, expect, test } from "vitest";
import { setUpCompany } from "#support/company.ts";
import { callOffice, createSaleBody, readReservationAnswer } from "#support/office.ts";
import { addTestUsers, createToken } from "#support/test-users.ts";

beforeEach(async () => {
  await setUpCompany();
  await addTestUsers();
});

test("shows the drivers with their licences and the flight, as the check-in app does", async () => {
  const token = await createToken("boss");
  const { reservation } = await readReservationAnswer(
    callOffice("POST", "/reservations", { token, body: createSaleBody() }),
  );
  const read = async () => {
    const answer = await callOffice("GET", `/reservations/${reservation.id}`, { token });
    return answer.json<{ readonly drivers: readonly object[]; readonly flight: string | null }>();
  };
  expect(await read()).toMatchObject({ drivers: [], flight: null });
  const data = {
    driver_name: "Ana",
    driver_surname: "Ruiz",
    driver_driving_license_number: "B-123",
    driver_driving_license_expiration_date: "2031-05-01",
    additional_driver_1_name: "Tom",
    flight_company: "IB",
    flight_number: "3821",
    flight_time: "09:40",
  };
  await env.TENANT_ACME.prepare("UPDATE bookings SET contract_data = ?, last_update = last_update + 1")
    .bind(JSON.stringify(data))
    .run();
  expect(await read()).toMatchObject({
    drivers: [
      {
        position: "driver",
        full_name: "Ana Ruiz",
        driving_license_number: "B-123",
        driving_license_expiration_date: "2031-05-01",
      },
      { position: "additional_driver_1", full_name: "Tom", driving_license_number: null },
    ],
    flight: "IB 3821 09:40",
  });
});
