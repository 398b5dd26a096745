import { createProblem, type Problem } from "#domain/problems.ts";
import { findElementByPath, listChildren, type XmlElement } from "#domain/xml.ts";
import { type PricedVehicle, toOtaVehicleXml } from "./vehicles.ts";

/** How strongly a preference is meant (OpenTravel's PreferLevelType). */
const LEVELS = ["Only", "Required", "Preferred", "Unacceptable", "NoPreference"] as const;
type Level = (typeof LEVELS)[number];

interface Criterion {
  /** Element or attribute within `VehPref`. */
  readonly name: string;
  readonly expected: string;
  readonly level: Level;
  /** Reads the values of a vehicle. The criterion is met if the expected value is one of them. */
  readonly read: (vehicle: PricedVehicle) => readonly string[];
}

/** Vehicle preference: all its criteria. */
export interface VehiclePreference {
  readonly criteria: readonly Criterion[];
}

type Read = Criterion["read"];
const readCodes: Read = ({ code, acriss_code: acriss }) => (acriss ? [code, acriss] : [code]);

/** Members of `VehPref` that describe a vehicle: path, attribute with the level, and the vehicle's value. */
const CRITERIA: readonly (readonly [path: string, level: string | undefined, read: Read])[] = [
  ["@Code", undefined, readCodes],
  ["@VendorCarType", undefined, readCodes],
  ["VehMakeModel/@Code", undefined, readCodes],
  ["VehType/@VehicleCategory", "TypePref", (vehicle) => [String(toOtaVehicleXml(vehicle).category)]],
  ["VehType/@DoorCount", "TypePref", ({ key_characteristics: { doors } }) => [String(doors)]],
  ["VehClass/@Size", "ClassPref", (vehicle) => [String(toOtaVehicleXml(vehicle).size)]],
  ["@AirConditionInd", "AirConditionPref", (vehicle) => [String(toOtaVehicleXml(vehicle).hasAirCondition)]],
  ["@TransmissionType", "TransmissionPref", (vehicle) => [toOtaVehicleXml(vehicle).transmission]],
  ["@FuelType", undefined, (vehicle) => [toOtaVehicleXml(vehicle).fuel]],
  ["@DriveType", undefined, (vehicle) => [toOtaVehicleXml(vehicle).drive]],
];

const LEVEL_ATTRIBUTES = CRITERIA.flatMap(([, level]) => (level === undefined ? [] : [`@${level}`]));
const KNOWN_MEMBERS = new Set([
  ...CRITERIA.flatMap(([path]) => [path, path.split("/")[0] ?? ""]),
  ...LEVEL_ATTRIBUTES,
  "@CodeContext",
  "@VehicleQty",
  "VehMakeModel/@Name",
]);

function* listMembers(element: XmlElement, from = ""): Generator<string> {
  for (const name of Object.keys(element.attributes)) yield `${from}@${name}`;
  for (const child of element.children) {
    yield `${from}${child.name}`;
    yield* listMembers(child, `${from}${child.name}/`);
  }
}

function readMember(element: XmlElement, path: string): string | undefined {
  const [name = "", attribute] = path.includes("/") ? path.split("/@") : ["", path.slice(1)];
  const holder = name === "" ? element : findElementByPath(element, name);
  return holder?.attributes[attribute ?? ""]?.trim() || undefined;
}

const isLevel = (text: string): text is Level => LEVELS.some((level) => level === text);

// XML Schema's booleans are also 1 and 0.
const toFlagText = (text: string) => ({ "1": "true", "0": "false" })[text] ?? text;

function toCriteria(element: XmlElement): readonly Criterion[] {
  return CRITERIA.flatMap(([name, levelName, read]) => {
    const level = (levelName && readMember(element, `@${levelName}`)) || "Only";
    const isFlag = name === "@AirConditionInd";
    const isFlagSet = isFlag && levelName !== undefined && readMember(element, `@${levelName}`) !== undefined;
    const text = readMember(element, name) ?? (isFlagSet ? "true" : undefined);
    if (text === undefined || !isLevel(level)) return [];
    return [{ name, level, read, expected: isFlag ? toFlagText(text) : text }];
  });
}

/** Lists members of a preference that can't be honoured. */
function listProblems(element: XmlElement, path: string): readonly Problem[] {
  const unknown = [...listMembers(element)].filter((member) => !KNOWN_MEMBERS.has(member));
  const levels = LEVEL_ATTRIBUTES.filter((name) => !isLevel(readMember(element, name) ?? "Only"));
  const quantity = readMember(element, "@VehicleQty") ?? "1";
  return [
    ...unknown.map((member) => createProblem(`${path}/${member}`, "unknown_field")),
    ...levels.map((name) => createProblem(`${path}/${name}`, "choice", LEVELS.join(", "))),
    ...(quantity === "1" ? [] : [createProblem(`${path}/@VehicleQty`, "choice", "1")]),
  ];
}

/** Reads the vehicle preferences of a request. */
export function readVehiclePreferences(parent: XmlElement | undefined, path: string) {
  const elements = listChildren(parent, "VehPref").map((element, index) => ({
    element,
    path: `${path}/VehPref[${index + 1}]`,
  }));
  return {
    preferences: elements.map(({ element }): VehiclePreference => ({ criteria: toCriteria(element) })),
    problems: elements.flatMap((entry) => listProblems(entry.element, entry.path)),
  };
}

const matches = ({ read, expected, name }: Criterion, vehicle: PricedVehicle) =>
  read(vehicle).some((value) =>
    name === "@Code" ? value === expected : value.toLowerCase() === expected.toLowerCase(),
  );

const isAcceptable = (criterion: Criterion, vehicle: PricedVehicle): boolean => {
  const { level } = criterion;
  if (level === "Unacceptable") return !matches(criterion, vehicle);
  return level === "Only" || level === "Required" ? matches(criterion, vehicle) : true;
};

/**
 * Returns the vehicles that a preference accepts, those with more preferred properties first. Without preferences, all.
 */
export function filterAndSortByPreferences<T extends PricedVehicle>(
  preferences: readonly VehiclePreference[],
  vehicles: readonly T[],
): readonly T[] {
  if (preferences.length === 0) return vehicles;
  const rated = vehicles.flatMap((vehicle) => {
    const accepting = preferences.filter(({ criteria }) => criteria.every((item) => isAcceptable(item, vehicle)));
    const count = ({ criteria }: VehiclePreference) =>
      criteria.filter((item) => item.level === "Preferred" && matches(item, vehicle)).length;
    return accepting.length === 0 ? [] : [{ vehicle, rating: Math.max(...accepting.map(count)) }];
  });
  return rated.toSorted((a, b) => b.rating - a.rating).map(({ vehicle }) => vehicle);
}

/** Lists the properties of a preference that a booked vehicle doesn't have, with the vehicle's actual values. */
export function listUnmetPreferences(
  { criteria }: VehiclePreference,
  vehicle: PricedVehicle,
  path: string,
): readonly Problem[] {
  return criteria
    .filter((item) => !isAcceptable(item, vehicle))
    .map((item) => createProblem(`${path}/${item.name}`, "choice", item.read(vehicle).join(", ")));
}
