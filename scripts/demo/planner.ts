import type { BookingStatus } from "#domain/bookings/bookings.ts";
import { type CivilMinute, MINUTES_PER_DAY, type Span } from "#domain/dates.ts";
import type { DemoVehicle } from "./company.ts";
import type { DemoCompany } from "./describe-company.ts";
import habits from "./habits.json" with { type: "json" };
import { createDemoRandom, type Random } from "./random.ts";
import {
  type DemoRentalRequest,
  drawCategoryCode,
  drawRentalRequest,
  type RentalRequestConstraints,
} from "./rental-requests.ts";
import { DemoStock } from "./stock.ts";

/** A rental with its vehicles and current status. */
export interface PlannedRental extends Omit<DemoRentalRequest, "categoryCode"> {
  /** Position in planning order, which the stock guard depends on too. */
  readonly order: number;
  readonly status: BookingStatus;
  /** Period during which the rental's units are unavailable, without the preparation time after it. */
  readonly takenSpan: Span;
  readonly units: readonly PlannedUnit[];
  readonly deliveredAt: CivilMinute;
  readonly collectedAt: CivilMinute;
}

export interface PlannedUnit {
  readonly categoryCode: string;
  /** Vehicle that serves the rental. Undefined for a cancelled rental. */
  readonly vehicle: DemoVehicle | undefined;
}

const ATTEMPTS = 400;
const TRANSFER_MINUTES = 1440;
const LATE_UNTIL_DAYS = 2;

/** Plans rentals one by one, using what earlier ones leave available. */
export class RentalPlanner {
  readonly random: Random;
  readonly stock: DemoStock;
  readonly rentals: PlannedRental[] = [];
  readonly today: number;
  readonly #company: DemoCompany;

  constructor(company: DemoCompany) {
    this.#company = company;
    this.random = createDemoRandom(`${company.account} rentals`);
    this.today = Math.floor(company.now / MINUTES_PER_DAY);
    this.stock = new DemoStock(company);
  }

  /** Plans one rental for the demand, with repeated random attempts. Returns false if none fits. */
  planOne(draw: () => RentalRequestConstraints): boolean {
    for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
      const demand = draw();
      const request = drawRentalRequest(this.#company, this.random, demand);
      const rental = request && this.#accept(request, demand);
      if (rental) {
        this.rentals.push(rental);
        return true;
      }
    }
    return false;
  }

  #accept(
    { categoryCode, ...request }: DemoRentalRequest,
    demand: RentalRequestConstraints,
  ): PlannedRental | undefined {
    const { random, rentals, stock } = this;
    const { span, isOneWay, pickupPlace } = request;
    const deliveredAt = span.startsAt + random.between(-10, 25);
    const isLate = random.chance(habits.shares.returnedLate);
    const collectedAt = span.endsAt + (isLate ? random.between(130, 1400) : random.between(-40, 25));
    const status = this.#statusOf(span, deliveredAt, collectedAt, demand);
    if (demand.accepts && !demand.accepts(status)) return undefined;
    const storageId = pickupPlace.branch.branchGroupId;
    const categories = [categoryCode, ...this.#drawSecond(categoryCode)];
    const occupiedSpan = isActiveBookingStatus(status) ? this.#spanToTake(span, demand) : span;
    const freeAt = Math.max(occupiedSpan.endsAt, collectedAt) + this.#company.settings.preparationMinutes;
    // In finished rentals, a one-way vehicle was brought back to its branch group within a day.
    const homeAt = isOneWay && status === "done" ? freeAt + TRANSFER_MINUTES : freeAt;
    const units = demand.isCancelled
      ? categories.map((code) => ({ categoryCode: code, vehicle: undefined }))
      : this.#findVehicles(storageId, categories, { startsAt: span.startsAt, endsAt: homeAt });
    if (!units || (isActiveBookingStatus(status) && !stock.takeUnits(storageId, categories, occupiedSpan)))
      return undefined;
    for (const { vehicle } of units) this.#keep(vehicle, span.startsAt, freeAt, homeAt);
    return { ...request, order: rentals.length, status, takenSpan: occupiedSpan, units, deliveredAt, collectedAt };
  }

  #statusOf(
    span: Span,
    deliveredAt: CivilMinute,
    collectedAt: CivilMinute,
    demand: RentalRequestConstraints,
  ): BookingStatus {
    const { now } = this.#company;
    if (demand.isCancelled) return "cancelled";
    if (demand.isMissing) return "confirmed";
    if (demand.isOverdue) return "in_progress";
    const isLateAt = (minute: CivilMinute) => demand.isLate && Math.floor(minute / MINUTES_PER_DAY) === this.today;
    if (deliveredAt > now || isLateAt(span.startsAt)) return "confirmed";
    return collectedAt > now || isLateAt(span.endsAt) ? "in_progress" : "done";
  }

  // Adds an occasional second vehicle of the same or another category.
  #drawSecond(categoryCode: string): string[] {
    if (!this.random.chance(habits.shares.secondVehicle)) return [];
    return [this.random.chance(0.5) ? categoryCode : drawCategoryCode(this.#company, this.random)];
  }

  #findVehicles(storageId: number, categories: readonly string[], span: Span): PlannedUnit[] | undefined {
    const plannedUnits: PlannedUnit[] = [];
    for (const categoryCode of categories) {
      const pool = this.stock.pools.get(`${storageId} ${categoryCode}`) ?? [];
      const rest = pool.filter((vehicle) => !plannedUnits.some((unit) => unit.vehicle === vehicle));
      const free = rest.filter((vehicle) => this.stock.isFree(vehicle, span));
      if (free.length === 0) return undefined;
      plannedUnits.push({ categoryCode, vehicle: this.random.pick(free) });
    }
    return plannedUnits;
  }

  // Calculates the unavailable period. A late return delays availability, and a one-way return takes days to come back.
  #spanToTake({ startsAt, endsAt }: Span, { isOneWay, isLate, isOverdue }: RentalRequestConstraints): Span {
    const home = endsAt + (isOneWay ? this.#company.settings.repatriationDays * MINUTES_PER_DAY : 0);
    const lateUntil = isLate || isOverdue ? (this.today + LATE_UNTIL_DAYS) * MINUTES_PER_DAY : 0;
    return { startsAt, endsAt: Math.max(home, lateUntil) };
  }

  #keep(vehicle: DemoVehicle | undefined, startsAt: CivilMinute, freeAt: CivilMinute, homeAt: CivilMinute): void {
    if (!vehicle) return;
    this.stock.keep(vehicle, { startsAt, endsAt: freeAt });
    const reason = this.#company.ownTexts.blockReasons.transfer;
    if (homeAt > freeAt) this.stock.keep(vehicle, { kind: "transfer", reason, startsAt: freeAt, endsAt: homeAt });
  }
}

export function isActiveBookingStatus(status: BookingStatus): boolean {
  return status !== "done" && status !== "cancelled";
}
