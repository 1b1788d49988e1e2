/** Times in which checks were not up: the open ones first, and who looks after them. */

import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { Radar } from "lucide-react";
import { useState } from "react";
import { Link, useNavigate, useParams } from "react-router";
import { may } from "../../access/rules";
import type { Anomaly } from "../../api/types";
import { useMe, useWorkspace } from "../../session/me";
import { texts } from "../../texts";
import { Badge } from "../../ui/badge";
import { Button } from "../../ui/button";
import { Dialog, DialogBody } from "../../ui/dialog";
import { EmptyList } from "../../ui/empty-list";
import { Fact, Facts } from "../../ui/facts";
import { Loaded } from "../../ui/loaded";
import { LoadMore, Page, Toolbar } from "../../ui/page";
import { Select } from "../../ui/select";
import { type Column, Table } from "../../ui/table";
import { Time } from "../../ui/time";
import { checkPath } from "../healthcheck/paths";
import { Acknowledge } from "./acknowledge";
import { ANOMALIES, anomaliesPaged, readAnomaly } from "./requests";

const words = texts.anomaly;
const PATH = "/p/anomaly/anomalies";
type Shown = keyof typeof words.filters;
const OPEN: Record<Shown, boolean | null> = { open: true, closed: false, all: null };
const FILTERS = Object.keys(words.filters) as Shown[];

export function AnomaliesPage() {
  const { "*": id = "" } = useParams();
  const navigate = useNavigate();
  const { workspace } = useWorkspace();
  const [shown, setShown] = useState<Shown>("open");
  const [taken, setTaken] = useState<Anomaly | null>(null);
  const query = useInfiniteQuery(
    anomaliesPaged({ workspaceId: workspace?.id ?? null, open: OPEN[shown] }),
  );
  const columns = useColumns(setTaken);
  return (
    <Page title={words.title}>
      <Toolbar>
        <Select
          compact
          label={words.which}
          value={shown}
          choices={FILTERS.map((value) => ({ value, label: words.filters[value] }))}
          onChange={setShown}
        />
      </Toolbar>
      <Loaded query={query}>
        {(rows) =>
          rows.length > 0 ? (
            <Table label={words.title} rows={rows} columns={columns} />
          ) : (
            <EmptyList icon={Radar} title={words.emptyTitle} body={words.emptyBody} />
          )
        }
      </Loaded>
      <LoadMore list={query} />
      {taken !== null && <Acknowledge anomaly={taken} onClose={() => setTaken(null)} />}
      {id !== "" && <OpenAnomaly key={id} id={id} onClose={() => void navigate(PATH)} />}
    </Page>
  );
}

function useColumns(onTake: (anomaly: Anomaly) => void): Column<Anomaly>[] {
  const me = useMe();
  return [
    {
      key: "check",
      label: words.check,
      className: "w-full max-w-0",
      cell: (anomaly) => (
        <Link
          to={`${PATH}/${anomaly.id}`}
          className="block truncate font-medium after:absolute after:inset-0 focus-visible:outline-none focus-visible:after:outline-2 focus-visible:after:-outline-offset-2 focus-visible:after:outline-accent"
        >
          {anomaly.checkName}
        </Link>
      ),
    },
    {
      key: "worst",
      label: words.worst,
      cell: ({ worst }) => <Worst worst={worst} />,
    },
    {
      key: "opened",
      label: words.opened,
      from: "tablet",
      className: "text-muted",
      cell: ({ openedAt }) => <Time value={openedAt} />,
    },
    {
      key: "closed",
      label: words.closed,
      from: "desktop",
      className: "text-muted whitespace-nowrap",
      cell: ({ closedAt }) => (closedAt === null ? words.still : <Time value={closedAt} />),
    },
    {
      key: "seen",
      label: words.seen,
      from: "tablet",
      className: "text-muted",
      cell: ({ acknowledged }) => acknowledged?.by ?? words.nobody,
    },
    {
      key: "actions",
      label: words.acknowledge,
      actions: true,
      cell: (anomaly) =>
        anomaly.acknowledged === null &&
        may(me, "anomaly.anomaly.manage", anomaly.workspaceId) && (
          <span className="relative z-10">
            <Button
              size="small"
              aria-label={words.acknowledgeNamed(anomaly.checkName)}
              onClick={() => onTake(anomaly)}
            >
              {words.acknowledge}
            </Button>
          </span>
        ),
    },
  ];
}

interface WorstProps {
  worst: Anomaly["worst"];
}

function Worst({ worst }: WorstProps) {
  return <Badge tone={worst === "down" ? "danger" : "caution"}>{words.worsts[worst]}</Badge>;
}

interface OpenAnomalyProps {
  id: string;
  onClose: () => void;
}

function OpenAnomaly({ id, onClose }: OpenAnomalyProps) {
  const query = useQuery({ queryKey: [...ANOMALIES, id], queryFn: () => readAnomaly(id) });
  return (
    <Dialog open onClose={onClose} title={query.data?.checkName ?? words.title}>
      <DialogBody>
        <Loaded query={query}>
          {({ checkId, checkName, worst, openedAt, closedAt, acknowledged }) => (
            <Facts>
              <Fact label={words.check}>
                <Link to={checkPath(checkId)} className="underline">
                  {checkName}
                </Link>
              </Fact>
              <Fact label={words.worst}>
                <Worst worst={worst} />
              </Fact>
              <Fact label={words.opened}>
                <Time value={openedAt} exact />
              </Fact>
              <Fact label={words.closed}>
                {closedAt === null ? words.still : <Time value={closedAt} exact />}
              </Fact>
              <Fact label={words.seen}>{acknowledged?.by ?? words.nobody}</Fact>
              {acknowledged !== null && acknowledged.note !== "" && (
                <Fact label={words.note}>{acknowledged.note}</Fact>
              )}
            </Facts>
          )}
        </Loaded>
      </DialogBody>
    </Dialog>
  );
}
