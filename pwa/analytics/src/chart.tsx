import { BarController, BarElement, CategoryScale, Chart, Legend, LinearScale, Tooltip } from "chart.js";
import { useEffect, useRef, useState } from "preact/hooks";

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip, Legend);

export interface Series {
  readonly label: string;
  readonly values: readonly number[];
}

interface MonthChartProps {
  readonly labels: readonly string[];
  readonly series: readonly Series[];
  /** Text alternative of the chart for screen readers. The table below contains the figures. */
  readonly description: string;
  readonly format: (value: number) => string;
}

const COLOURS = ["--chart-1", "--chart-2", "--chart-3"];

const DARK = matchMedia("(prefers-color-scheme: dark)");

/** Returns whether the dark theme is active. Follows changes while the page is open. */
function useDark(): boolean {
  const [isDark, setDark] = useState(DARK.matches);
  useEffect(() => {
    const follow = () => setDark(DARK.matches);
    DARK.addEventListener("change", follow);
    return () => DARK.removeEventListener("change", follow);
  }, []);
  return isDark;
}

/** Bar chart by month. Several series are stacked. */
export function MonthChart({ labels, series, description, format }: MonthChartProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isDark = useDark();
  useEffect(() => {
    if (!canvas.current) return;
    const colour = (name: string) => getComputedStyle(document.documentElement).getPropertyValue(name);
    const ink = colour("--soft");
    const chart = new Chart(canvas.current, {
      type: "bar",
      data: {
        labels: [...labels],
        datasets: series.map(({ label, values }, index) => ({
          label,
          data: [...values],
          backgroundColor: colour(COLOURS[index] ?? "--chart-1"),
          borderRadius: 4,
        })),
      },
      options: {
        maintainAspectRatio: false,
        animation: matchMedia("(prefers-reduced-motion: reduce)").matches ? false : { duration: 250 },
        plugins: {
          legend: { display: series.length > 1, labels: { color: ink } },
          tooltip: { callbacks: { label: (item) => `${item.dataset.label}: ${format(item.parsed.y ?? 0)}` } },
        },
        scales: {
          x: { stacked: true, grid: { display: false }, ticks: { color: ink } },
          y: {
            stacked: true,
            grid: { color: colour("--hair") },
            ticks: { color: ink, callback: (value) => format(Number(value)) },
          },
        },
      },
    });
    return () => chart.destroy();
  }, [labels, series, format, isDark]);
  return (
    <div class="chart">
      <canvas ref={canvas} role="img" aria-label={description} />
    </div>
  );
}
