/** What was used on each day. */

import { texts } from "../texts";
import { BarChart } from "../ui/bar-chart";
import type { Series } from "../ui/stack";
import { showDay } from "./days";
import { type Metric, show } from "./sums";

const words = texts.usage;

interface ChartProps {
  title: string;
  days: readonly string[];
  series: readonly Series[];
  metric: Metric;
}

export function Chart({ title, days, series, metric }: ChartProps) {
  const [first = "", last = ""] = [days[0], days.at(-1)];
  return (
    <BarChart
      label={words.chart(title, showDay(first), showDay(last))}
      ticks={days.map((day) => ({ key: day, label: showDay(day) }))}
      series={series}
      show={(value) => show(value, metric)}
      table={{ open: words.chartTable, label: words.daysTable, tick: words.day }}
    />
  );
}
