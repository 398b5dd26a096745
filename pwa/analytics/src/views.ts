import { type Filter, readExpenses, readExtras, readProducts, readSupplements } from "./api.ts";
import {
  averageOccupation,
  type Formats,
  MONTHS,
  type MonthlyRow,
  sumAmounts,
  sumByMonth,
  toNumbers,
} from "./figures.ts";
import type { MonthTable } from "./table.tsx";
import { type TextKey, textOr } from "./texts.ts";

export const VIEWS = ["billing", "occupation", "expenses"] as const;
export type ViewName = (typeof VIEWS)[number];

interface Speaking {
  readonly texts: Readonly<Record<TextKey, string>>;
  readonly formats: Formats;
  /** The current date at the company (yyyy-mm-dd). */
  readonly today: string;
}

/** Content of one view: headlines, a bar chart by month and its source tables. */
export interface View {
  readonly headlines: readonly { readonly label: string; readonly value: string }[];
  readonly series: readonly { readonly label: string; readonly values: readonly number[] }[];
  readonly format: (value: number) => string;
  readonly note: string | undefined;
  readonly tables: readonly MonthTable[];
}

/** Reads what a view shows. */
export function readView(name: ViewName, filter: Filter, speaking: Speaking): Promise<View> {
  if (name === "occupation") return occupation(filter, speaking);
  return name === "expenses" ? expenses(filter, speaking) : billing(filter, speaking);
}

const toMonthlyFigures = (row: MonthlyRow) => [...MONTHS.map((month) => row[month]), row.total];
const monthNames = ({ formats }: Speaking) => MONTHS.map((_, index) => formats.month(index));

async function billing(filter: Filter, speaking: Speaking): Promise<View> {
  const { texts, formats } = speaking;
  const [products, extras, supplements] = await Promise.all([
    readProducts("monthly_billing_report", filter),
    readExtras(filter),
    readSupplements(filter),
  ]);
  const table = (title: string, rows: MonthTable["rows"], summary: MonthlyRow | undefined): MonthTable => ({
    title,
    firstColumn: texts.name,
    months: monthNames(speaking),
    total: texts.total,
    rows,
    sum: summary ? toMonthlyFigures(summary) : [],
    format: formats.money,
  });
  const parts = [products.summary[0], extras.summary[0], supplements.summary[0]];
  // Extras and supplements always cover all customers, because the reports don't split them by customer type.
  const isUnfiltered = filter.customerType === "all";
  const visibleParts = isUnfiltered ? parts : parts.slice(0, 1);
  const billed = sumAmounts(visibleParts.map((row) => row?.total ?? 0));
  return {
    headlines: [{ label: texts.billed, value: formats.money(billed) }],
    series: [texts.vehicles, texts.extras, texts.supplements]
      .slice(0, visibleParts.length)
      .map((label, index) => ({ label, values: toNumbers(parts[index]) })),
    format: formats.money,
    note: isUnfiltered ? texts.billedOf : texts.billedOfVehicles,
    tables: [
      table(
        texts.vehicles,
        products.data.map((row) => ({
          key: row.id,
          head: row.stock_plate ?? row.id,
          note: row.stock_model,
          figures: toMonthlyFigures(row),
        })),
        products.summary[0],
      ),
      ...(isUnfiltered
        ? [
            table(
              texts.extras,
              extras.data.map((row) => ({ key: row.id, head: row.name, figures: toMonthlyFigures(row) })),
              extras.summary[0],
            ),
            table(
              texts.supplements,
              supplements.data.map((row) => ({
                key: row.id,
                head: textOr(texts, row.id),
                figures: toMonthlyFigures(row),
              })),
              supplements.summary[0],
            ),
          ]
        : []),
    ],
  };
}

async function occupation(filter: Filter, speaking: Speaking): Promise<View> {
  const { texts, formats, today } = speaking;
  const { data } = await readProducts("monthly_occupation_report", filter);
  // The API's total is a plain sum, but users expect the average.
  const { ofRows, ofMonths, whole } = averageOccupation(data, filter.year, today);
  return {
    headlines: [{ label: texts.averageOccupation, value: formats.percent(whole) }],
    series: [{ label: texts.occupation, values: ofMonths }],
    format: formats.percent,
    note: texts.share,
    tables: [
      {
        title: texts.byVehicle,
        firstColumn: texts.vehicle,
        months: monthNames(speaking),
        total: "Ø",
        rows: data.map((row, at) => ({
          key: row.id,
          head: row.stock_plate ?? row.id,
          note: row.stock_model,
          figures: [...MONTHS.map((month) => row[month]), (ofRows[at] ?? 0).toFixed(2)],
        })),
        sum: [...ofMonths, whole].map((value) => value.toFixed(2)),
        format: formats.percent,
      },
    ],
  };
}

async function expenses(filter: Filter, speaking: Speaking): Promise<View> {
  const { texts, formats } = speaking;
  const { data, summary } = await readExpenses(filter);
  const totalMonths = sumByMonth(data, () => "")[0]?.months ?? MONTHS.map(() => "0");
  const table = (
    title: string,
    firstColumn: string,
    rows: ReturnType<typeof sumByMonth>,
    note?: ReadonlyMap<string, string>,
  ): MonthTable => ({
    title,
    firstColumn,
    months: monthNames(speaking),
    total: texts.total,
    rows: rows.map(({ key, months, total }) => ({
      key,
      head: key,
      note: note?.get(key),
      figures: [...months, total],
    })),
    sum: [...totalMonths, summary.total],
    format: formats.money,
  });
  const models = new Map(data.map((line) => [line.stock_plate ?? line.booking_item_reference, line.stock_model]));
  return {
    headlines: [{ label: texts.spent, value: formats.money(summary.total) }],
    series: [{ label: texts.expenses, values: totalMonths.map(Number) }],
    format: formats.money,
    note: undefined,
    tables: [
      table(
        texts.byConcept,
        texts.concept,
        sumByMonth(data, (line) => line.concept),
      ),
      table(
        texts.byVehicle,
        texts.vehicle,
        sumByMonth(data, (line) => line.stock_plate ?? line.booking_item_reference),
        models,
      ),
    ],
  };
}
