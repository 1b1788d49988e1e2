/** Bars of each day, one colour for each series; the same figures as a table for everybody else. */

import { texts } from "../texts";
import { classes } from "../ui/classes";
import { showDay } from "./days";
import { type Metric, type Series, show, stack } from "./sums";

const words = texts.usage;

const FILLS = [
  "fill-series-1",
  "fill-series-2",
  "fill-series-3",
  "fill-series-4",
  "fill-series-5",
  "fill-series-6",
];
const MARKS = [
  "bg-series-1",
  "bg-series-2",
  "bg-series-3",
  "bg-series-4",
  "bg-series-5",
  "bg-series-6",
];
const BAR_WIDTH = 0.76;

interface ChartProps {
  title: string;
  days: readonly string[];
  series: readonly Series[];
  metric: Metric;
}

export function Chart({ title, days, series, metric }: ChartProps) {
  const [first = "", last = ""] = [days[0], days.at(-1)];
  return (
    <figure className="rounded-xl border border-line bg-raised p-4 shadow-soft">
      <Bars
        label={words.chart(title, showDay(first), showDay(last))}
        days={days}
        series={series}
        metric={metric}
      />
      <div className="mt-1 flex justify-between text-xs text-muted" aria-hidden="true">
        <span>{showDay(first)}</span>
        {days.length > 1 && <span>{showDay(last)}</span>}
      </div>
      <Legend series={series} metric={metric} />
      <DaysTable days={days} series={series} metric={metric} />
    </figure>
  );
}

type BarsProps = Omit<ChartProps, "title">;

function Bars({ label, days, series, metric }: BarsProps & { label: string }) {
  const { most, bars } = stack(series, days.length);
  return (
    <div className="relative h-44">
      <span
        aria-hidden="true"
        className="absolute top-0 left-0 rounded bg-raised/80 pr-1 text-xs text-muted tabular-nums"
      >
        {show(most, metric)}
      </span>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${days.length} 100`}
        preserveAspectRatio="none"
        className="h-full w-full border-y border-line"
      >
        {days.map((day, index) => (
          <g key={day}>
            <title>{describeDay(day, index, series, metric)}</title>
            <rect
              x={index}
              y={0}
              width={1}
              height={100}
              className="fill-transparent hover:fill-hover"
            />
            {(bars[index] ?? []).map((bar) => (
              <rect
                key={bar.series}
                x={index + (1 - BAR_WIDTH) / 2}
                y={bar.y}
                width={BAR_WIDTH}
                height={bar.height}
                className={FILLS[bar.series % FILLS.length]}
              />
            ))}
          </g>
        ))}
      </svg>
    </div>
  );
}

function describeDay(day: string, index: number, series: readonly Series[], metric: Metric) {
  const lines = series
    .filter(({ values }) => (values[index] ?? 0) > 0)
    .map(({ name, values }) => `${name}: ${show(values[index] ?? 0, metric)}`);
  return [showDay(day), ...lines].join("\n");
}

function Legend({ series, metric }: Omit<BarsProps, "days">) {
  return (
    <ul className="mt-3 flex flex-wrap gap-x-4 gap-y-1">
      {series.map(({ id, name, total }, index) => (
        <li key={id} className="flex min-w-0 items-center gap-1.5 text-[0.8125rem]">
          <span
            aria-hidden="true"
            className={classes("size-2.5 shrink-0 rounded-sm", MARKS[index % MARKS.length])}
          />
          <span className="truncate">{name}</span>
          <span className="text-muted tabular-nums">{show(total, metric)}</span>
        </li>
      ))}
    </ul>
  );
}

function DaysTable({ days, series, metric }: BarsProps) {
  return (
    <details className="mt-3">
      <summary className="inline-block rounded-md text-[0.8125rem] font-medium text-muted hover:text-ink pointer-coarse:py-2">
        {words.chartTable}
      </summary>
      <section
        aria-label={words.daysTable}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        className="mt-2 max-h-80 overflow-auto"
      >
        <table
          aria-label={words.daysTable}
          className="w-full text-left text-[0.8125rem] tabular-nums"
        >
          <thead className="sticky top-0 bg-raised text-xs text-muted">
            <tr>
              <th scope="col" className="py-1 pr-4 font-medium">
                {words.day}
              </th>
              {series.map(({ id, name }) => (
                <th key={id} scope="col" className="px-2 py-1 text-right font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {days.map((day, index) => (
              <tr key={day} className="border-t border-line">
                <th scope="row" className="py-1 pr-4 font-normal whitespace-nowrap">
                  {day}
                </th>
                {series.map(({ id, values }) => (
                  <td key={id} className="px-2 py-1 text-right">
                    {show(values[index] ?? 0, metric)}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}
