/** What models took and cost: sums, a chart of the days, and single calls. */

import { useQuery } from "@tanstack/react-query";
import { ChartNoAxesColumn, Download } from "lucide-react";
import { useMemo, useState } from "react";
import { RequireRule } from "../access/require-rule";
import type { UsageLine, UsageSums } from "../api/types";
import { type Days, exportPath, usageQuery } from "../api/usage";
import { texts } from "../texts";
import { EmptyList } from "../ui/empty-list";
import { Loaded } from "../ui/loaded";
import { Page, Section, Toolbar } from "../ui/page";
import { Select } from "../ui/select";
import { Calls } from "./calls";
import { Chart } from "./chart";
import { listDays } from "./days";
import { type Grouping, nameGroup } from "./names";
import { PeriodPicker, usePeriod } from "./period";
import { type Group, groupsOf, type Metric, seriesOf } from "./sums";
import { SumsTable, Totals } from "./tables";

const words = texts.usage;
const GROUPINGS = Object.keys(words.groups) as Grouping[];

export function UsagePage() {
  return (
    <Page title={words.title}>
      <RequireRule rule="ai.usage.read">
        <Usage />
      </RequireRule>
    </Page>
  );
}

function Usage() {
  const period = usePeriod();
  const [grouping, setGrouping] = useState<Grouping>("model");
  const query = useQuery(usageQuery(period.days, grouping));
  return (
    <>
      <Toolbar>
        <PeriodPicker period={period} />
        <Select
          compact
          label={words.groupBy}
          value={grouping}
          choices={GROUPINGS.map((value) => ({ value, label: words.groups[value] }))}
          onChange={setGrouping}
        />
        <a
          href={exportPath(period.days, grouping)}
          download
          className="control ml-auto inline-flex h-8 items-center gap-2 px-3 pointer-coarse:h-10"
        >
          <Download size={14} aria-hidden="true" className="text-muted" />
          {words.export}
        </a>
      </Toolbar>
      <p className="mb-4 text-xs text-muted">{words.utc}</p>
      <Loaded query={query}>
        {({ items, total }) =>
          items.length === 0 ? (
            <EmptyList icon={ChartNoAxesColumn} title={words.emptyTitle} body={words.emptyBody} />
          ) : (
            <Shown
              key={grouping}
              days={period.days}
              grouping={grouping}
              items={items}
              total={total}
            />
          )
        }
      </Loaded>
    </>
  );
}

interface ShownProps {
  days: Days;
  grouping: Grouping;
  items: readonly UsageLine[];
  total: UsageSums;
}

function Shown({ days, grouping, items, total }: ShownProps) {
  const currencies = (total.costs ?? []).map(({ currency }) => currency);
  const [wanted, setMetric] = useState<Metric>(currencies[0] ?? "tokens");
  const metric = currencies.includes(wanted) ? wanted : "tokens";
  const [person, setPerson] = useState<{ id: string; name: string } | null>(null);
  const listed = useMemo(() => listDays(days), [days]);
  const nameOf = (group: Pick<Group, "key" | "name">) => nameGroup(grouping, group);
  const series = seriesOf({ lines: items, days: listed, metric, nameOf, others: words.others });
  const only = (group: Group) =>
    group.key !== null && setPerson({ id: group.key, name: nameOf(group) });
  return (
    <>
      <Totals total={total} />
      <Toolbar>
        <Select
          compact
          label={words.metric}
          value={metric}
          choices={[
            { value: "tokens", label: words.tokens },
            ...currencies.map((value) => ({ value, label: words.costIn(value) })),
          ]}
          onChange={setMetric}
        />
      </Toolbar>
      <div className="mb-8">
        <Chart
          title={metric === "tokens" ? words.tokens : words.costIn(metric)}
          days={listed}
          series={series}
          metric={metric}
        />
      </div>
      <Section title={words.groups[grouping]}>
        <SumsTable
          groups={groupsOf(items, metric)}
          grouping={grouping}
          onOnly={grouping === "person" ? only : null}
        />
      </Section>
      <Calls days={days} person={person} onAll={() => setPerson(null)} />
    </>
  );
}
