/** One objective, opened over the list: its figures and what may be done with it. */

import { useQuery } from "@tanstack/react-query";
import { Pencil } from "lucide-react";
import { useState } from "react";
import { may } from "../../access/rules";
import type { Objective } from "../../api/types";
import { useMe } from "../../session/me";
import { texts } from "../../texts";
import { Button } from "../../ui/button";
import { Dialog, DialogBody, DialogFooter } from "../../ui/dialog";
import { Fact, Facts } from "../../ui/facts";
import { Loaded } from "../../ui/loaded";
import { BudgetBar, StateBadge } from "./budget-bar";
import { EditObjective } from "./objective-dialogs";
import { OBJECTIVES, readObjective } from "./requests";

const words = texts.slo;

interface OpenObjectiveProps {
  id: string;
  onClose: () => void;
}

export function OpenObjective({ id, onClose }: OpenObjectiveProps) {
  const query = useQuery({ queryKey: [...OBJECTIVES, id], queryFn: () => readObjective(id) });
  const [editing, setEditing] = useState(false);
  if (editing && query.data) {
    return <EditObjective objective={query.data} onClose={() => setEditing(false)} />;
  }
  return (
    <Dialog open onClose={onClose} title={query.data?.name ?? words.title}>
      <Loaded query={query}>
        {(objective) => <Shown objective={objective} onEdit={() => setEditing(true)} />}
      </Loaded>
    </Dialog>
  );
}

interface ShownProps {
  objective: Objective;
  onEdit: () => void;
}

function Shown({ objective, onEdit }: ShownProps) {
  const mayChange = may(useMe(), "slo.objective.manage", objective.workspaceId);
  const { attained, burn } = objective.budget;
  return (
    <>
      <DialogBody>
        {objective.description !== "" && (
          <p className="whitespace-pre-line text-muted">{objective.description}</p>
        )}
        <Facts>
          <Fact label={words.about}>{objective.about ?? words.hidden}</Fact>
          <Fact label={texts.healthcheck.status}>
            <StateBadge objective={objective} />
          </Fact>
          <Fact label={words.target}>{`${objective.target} %`}</Fact>
          <Fact label={words.window}>{words.days(objective.windowDays)}</Fact>
          <Fact label={words.attained}>{attained === null ? words.nothing : `${attained} %`}</Fact>
          <Fact label={words.budget}>
            <BudgetBar objective={objective} />
            {burn !== null && burn > 0 && (
              <p className="mt-1 text-[0.8125rem] text-muted">{words.burn(burn)}</p>
            )}
          </Fact>
        </Facts>
      </DialogBody>
      {mayChange && (
        <DialogFooter>
          <Button icon={Pencil} onClick={onEdit}>
            {texts.actions.edit}
          </Button>
        </DialogFooter>
      )}
    </>
  );
}
