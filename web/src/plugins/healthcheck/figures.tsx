/** How available a check was, how long its runs took, and a chart of how they ended. */

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import type { Check, RunStats } from "../../api/types";
import { texts } from "../../texts";
import { BarChart } from "../../ui/bar-chart";
import { Loaded } from "../../ui/loaded";
import { Section } from "../../ui/page";
import { Select } from "../../ui/select";
import { isHourly, seriesOf, showMs, showPercent, showTick, ticksOf } from "./points";
import { statsQuery } from "./requests";

const words = texts.healthcheck.figures;
type Hours = keyof typeof words.periods;
/** Green, grey, amber, red: as the series are ordered. */
const COLOURS = [0, 5, 2, 4];
const PERIODS = Object.entries(words.periods).map(([value, label]) => ({ value, label }));

interface FiguresProps {
  check: Check;
}

export function Figures({ check }: FiguresProps) {
  const [hours, setHours] = useState<Hours>(24);
  const query = useQuery({ ...statsQuery(check.id, hours), placeholderData: keepPreviousData });
  return (
    <Section
      title={words.heading}
      action={
        <Select
          compact
          label={words.period}
          value={String(hours)}
          choices={PERIODS}
          onChange={(value) => setHours(Number(value) as Hours)}
        />
      }
    >
      <Loaded query={query}>{(stats) => <Shown stats={stats} />}</Loaded>
    </Section>
  );
}

interface ShownProps {
  stats: RunStats;
}

function Shown({ stats }: ShownProps) {
  const { counts, availability, percentiles } = stats;
  if (counts.runs === 0) return <p className="text-muted">{words.empty}</p>;
  const figures: [string, string][] = [
    [words.availability, showPercent(availability) ?? words.nothing],
    [words.runs, new Intl.NumberFormat().format(counts.runs)],
    [words.median, showMs(percentiles.p50) ?? words.nothing],
    [words.p95, showMs(percentiles.p95) ?? words.nothing],
    [words.p99, showMs(percentiles.p99) ?? words.nothing],
  ];
  return (
    <>
      <dl className="mb-4 grid grid-cols-2 gap-x-4 gap-y-3 sm:grid-cols-5">
        {figures.map(([label, value]) => (
          <div key={label} className="min-w-0">
            <dt className="text-xs text-muted">{label}</dt>
            <dd className="text-lg font-semibold tracking-tight tabular-nums wrap-anywhere">
              {value}
            </dd>
          </div>
        ))}
      </dl>
      {stats.points.length > 0 && <Outcomes stats={stats} />}
      {stats.source === "hours" && <p className="mt-2 text-xs text-muted">{words.rough}</p>}
    </>
  );
}

function Outcomes({ stats }: ShownProps) {
  const hourly = isHourly(stats);
  const [first, last] = [stats.points[0]?.at ?? "", stats.points.at(-1)?.at ?? ""];
  const series = seriesOf(stats, texts.healthcheck.statuses);
  return (
    <BarChart
      label={words.chart(showTick(first, hourly), showTick(last, hourly))}
      ticks={ticksOf(stats)}
      series={series}
      colours={COLOURS}
      show={(value) => new Intl.NumberFormat().format(value)}
      table={{ open: words.chartTable, label: words.table, tick: words.time }}
    />
  );
}
