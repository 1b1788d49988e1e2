/** Bars at each point, one colour for each series; the same figures as a table for everybody else. */

import { classes } from "./classes";
import { type Series, stack } from "./stack";

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
const IN_ORDER: readonly number[] = [];

export interface Tick {
  /** Unique, and what the table says. */
  key: string;
  label: string;
}

interface BarChartProps {
  label: string;
  ticks: readonly Tick[];
  series: readonly Series[];
  show: (value: number) => string;
  /** Which of the six colours each series has; in their order where nothing is said. */
  colours?: readonly number[];
  /** Of the table with the same figures: what opens it, its name, and its first column. */
  table: { open: string; label: string; tick: string };
}

export function BarChart({ label, ticks, series, show, colours = IN_ORDER, table }: BarChartProps) {
  const [first, last] = [ticks[0], ticks.at(-1)];
  return (
    <figure className="rounded-xl border border-line bg-raised p-4 shadow-soft">
      <Bars label={label} ticks={ticks} series={series} show={show} colours={colours} />
      <div className="mt-1 flex justify-between text-xs text-muted" aria-hidden="true">
        <span>{first?.label}</span>
        {ticks.length > 1 && <span>{last?.label}</span>}
      </div>
      <Legend series={series} show={show} colours={colours} />
      <FiguresTable ticks={ticks} series={series} show={show} table={table} />
    </figure>
  );
}

interface BarsProps extends Omit<BarChartProps, "label" | "table"> {
  colours: readonly number[];
}

function Bars({ label, ticks, series, show, colours }: BarsProps & { label: string }) {
  const { most, bars } = stack(series, ticks.length);
  return (
    <div className="relative h-44">
      <span
        aria-hidden="true"
        className="absolute top-0 left-0 rounded bg-raised/80 pr-1 text-xs text-muted tabular-nums"
      >
        {show(most)}
      </span>
      <svg
        role="img"
        aria-label={label}
        viewBox={`0 0 ${ticks.length} 100`}
        preserveAspectRatio="none"
        className="h-full w-full border-y border-line"
      >
        {ticks.map((tick, index) => (
          <g key={tick.key}>
            <title>{describe(tick, index, series, show)}</title>
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
                className={FILLS[(colours[bar.series] ?? bar.series) % FILLS.length]}
              />
            ))}
          </g>
        ))}
      </svg>
    </div>
  );
}

function describe(
  tick: Tick,
  index: number,
  series: readonly Series[],
  show: (value: number) => string,
) {
  const lines = series
    .filter(({ values }) => (values[index] ?? 0) > 0)
    .map(({ name, values }) => `${name}: ${show(values[index] ?? 0)}`);
  return [tick.label, ...lines].join("\n");
}

function Legend({ series, show, colours }: Omit<BarsProps, "ticks">) {
  return (
    <ul className="mt-3 flex flex-wrap gap-x-4 gap-y-1">
      {series.map(({ id, name, total }, index) => (
        <li key={id} className="flex min-w-0 items-center gap-1.5 text-[0.8125rem]">
          <span
            aria-hidden="true"
            className={classes(
              "size-2.5 shrink-0 rounded-sm",
              MARKS[(colours[index] ?? index) % MARKS.length],
            )}
          />
          <span className="truncate">{name}</span>
          <span className="text-muted tabular-nums">{show(total)}</span>
        </li>
      ))}
    </ul>
  );
}

function FiguresTable({ ticks, series, show, table }: Omit<BarChartProps, "label" | "colours">) {
  return (
    <details className="mt-3">
      <summary className="inline-block rounded-md text-[0.8125rem] font-medium text-muted hover:text-ink pointer-coarse:py-2">
        {table.open}
      </summary>
      <section
        aria-label={table.label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by keyboard
        tabIndex={0}
        className="mt-2 max-h-80 overflow-auto"
      >
        <table aria-label={table.label} className="w-full text-left text-[0.8125rem] tabular-nums">
          <thead className="sticky top-0 bg-raised text-xs text-muted">
            <tr>
              <th scope="col" className="py-1 pr-4 font-medium">
                {table.tick}
              </th>
              {series.map(({ id, name }) => (
                <th key={id} scope="col" className="px-2 py-1 text-right font-medium">
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {ticks.map((tick, index) => (
              <tr key={tick.key} className="border-t border-line">
                <th scope="row" className="py-1 pr-4 font-normal whitespace-nowrap">
                  {tick.key}
                </th>
                {series.map(({ id, values }) => (
                  <td key={id} className="px-2 py-1 text-right">
                    {show(values[index] ?? 0)}
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
