import type { CivilDate } from "#domain/dates.ts";
import type { CompanyBranch } from "../company.ts";
import { buildFleet, type FleetOrder, type Model, type Vehicle } from "../fleet.ts";
import { randomFrom } from "../random.ts";
import { globexOwnTexts } from "./own-texts.ts";

const MODELS: Readonly<Record<string, readonly Model[]>> = {
  CARGO: [model("Ford", "Transit 250", 95, 46_900), model("Chevrolet", "Express 2500", 117, 43_100)],
  HIGH: [model("Ram", "ProMaster 2500", 91, 49_800)],
  CREW: [model("Mercedes-Benz", "Sprinter 2500 Passenger", 93, 61_200), model("Ford", "Transit 350 XLT", 95, 56_400)],
};
const UNITS: Readonly<Record<string, number>> = { CARGO: 6, HIGH: 4, CREW: 3 };

function model(brand: string, name: string, tankLitres: number, dollars: number): Model {
  return { brand, name, tankLitres, priceCents: dollars * 100, transmission: "automatic", fuel: "petrol" };
}

export function globexFleet(today: CivilDate, branch: CompanyBranch, historyDays: number): Vehicle[] {
  return buildFleet({
    orders: Object.entries(UNITS).map(
      ([categoryCode, units]): FleetOrder => ({ categoryCode, units, branch, models: MODELS[categoryCode] ?? [] }),
    ),
    today,
    random: randomFrom("globex fleet"),
    plate: (_, random) => `${random.digits(5)}-${random.letters(2, "ABCDEFGHJKLMNP")}`,
    colors: ["White", "Silver", "Graphite"],
    ownTexts: globexOwnTexts,
    dailyUnits: 42,
    historyDays,
  });
}
