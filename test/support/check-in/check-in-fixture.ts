import { getTodayAtCompany } from "#support/company-today.ts";
import { aBooking, aUnit, aVehicle } from "./day.ts";
import type { CheckInServer } from "./server.ts";

/** Fills a branch's day with four bookings: three deliveries and one collection. */
export function addDayWithFourCars(server: CheckInServer): void {
  const today = getTodayAtCompany();
  for (let id = 1; id <= 3; id++) {
    const vehicle = aVehicle(id, { category_code: "ECON" });
    server.vehicles.set(vehicle.reference, vehicle);
    server.bookings.set(id, aBooking(id, today, { resources: [aUnit(id, { vehicle })] }));
  }
  const out = aVehicle(4, { state: "out", category_code: "ECON" });
  server.vehicles.set(out.reference, out);
  const delivery = { at: `${today}T00:00:00Z`, by: "jordi", kilometres: out.kilometres, fuel_eighths: 8 };
  const unit = aUnit(4, { state: "out", vehicle: out, delivery });
  const deposit = { total: "300.00", held: "300.00", pending: "0.00" };
  server.bookings.set(4, aBooking(4, today, { status: "in_progress", time_to: "23:59", resources: [unit], deposit }));
}
