import { BarController, BarElement, CategoryScale, Chart, Legend, LinearScale, Tooltip } from "chart.js";
import { useEffect, useRef, useState } from "preact/hooks";

Chart.register(BarController, BarElement, CategoryScale, LinearScale, Tooltip, Legend);

export interface ChartSeries {
  readonly label: string;
  readonly values: readonly number[];
}

interface PeriodChartProps {
  readonly labels: readonly string[];
  readonly series: readonly ChartSeries[];
  /** Whether series are parts of a whole. Otherwise they are next to each other. */
  readonly isStacked: boolean;
  /** Text alternative of the chart for screen readers. The tables below contain the figures. */
  readonly description: string;
  readonly format: (value: number) => string;
  /** Short format of the axis. */
  readonly formatAxis: (value: number) => string;
}

const COLOURS = ["--chart-1", "--chart-2", "--chart-3", "--chart-4", "--chart-5", "--chart-6"];

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

/** Bar chart by period. */
export default function PeriodChart({ labels, series, isStacked, description, format, formatAxis }: PeriodChartProps) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const isDark = useDark();
  // Compared as text, because the parent creates new arrays on each render.
  const content = JSON.stringify([labels, series, isStacked]);
  useEffect(() => {
    if (!canvas.current) return;
    const style = getComputedStyle(canvas.current);
    const colour = (name: string) => style.getPropertyValue(name);
    const ink = colour("--soft");
    const chart = new Chart(canvas.current, {
      type: "bar",
      data: {
        labels: [...labels],
        datasets: series.map(({ label, values }, index) => ({
          label,
          data: [...values],
          backgroundColor: colour(COLOURS[index % COLOURS.length] ?? "--chart-1"),
          borderRadius: 3,
          maxBarThickness: 48,
        })),
      },
      options: {
        maintainAspectRatio: false,
        animation: matchMedia("(prefers-reduced-motion: reduce)").matches ? false : { duration: 250 },
        plugins: {
          legend: { display: series.length > 1, position: "bottom", labels: { color: ink, boxWidth: 14 } },
          tooltip: { callbacks: { label: (item) => `${item.dataset.label}: ${format(item.parsed.y ?? 0)}` } },
        },
        scales: {
          x: { stacked: isStacked, grid: { display: false }, ticks: { color: ink, maxRotation: 0, autoSkip: true } },
          y: {
            stacked: isStacked,
            beginAtZero: true,
            border: { display: false },
            grid: { color: colour("--hair") },
            ticks: { color: ink, maxTicksLimit: 6, callback: (value) => formatAxis(Number(value)) },
          },
        },
      },
    });
    return () => chart.destroy();
  }, [content, format, formatAxis, isDark]);
  return (
    <div class="chart">
      <canvas ref={canvas} role="img" aria-label={description} />
    </div>
  );
}
