import { getTodayAtCompany } from "#support/company-today.ts";
import { createBooking, createUnit, createVehicle } from "./day.ts";
import type { CheckInServer } from "./server.ts";

/** Fills a branch's day with four bookings: three deliveries and one collection. */
export function addDayWithFourCars(server: CheckInServer): void {
  const today = getTodayAtCompany();
  for (let id = 1; id <= 3; id++) {
    const vehicle = createVehicle(id, { category_code: "ECON" });
    server.vehicles.set(vehicle.reference, vehicle);
    server.bookings.set(id, createBooking(id, today, { resources: [createUnit(id, { vehicle })] }));
  }
  const out = createVehicle(4, { state: "out", category_code: "ECON" });
  server.vehicles.set(out.reference, out);
  const delivery = { at: `${today}T00:00:00Z`, by: "jordi", kilometres: out.kilometres, fuel_eighths: 8 };
  const unit = createUnit(4, { state: "out", vehicle: out, delivery });
  const deposit = { total: "300.00", held: "300.00", pending: "0.00" };
  server.bookings.set(
    4,
    createBooking(4, today, { status: "in_progress", time_to: "23:59", resources: [unit], deposit }),
  );
}
