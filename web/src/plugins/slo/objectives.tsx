/** Objectives with what is left of their error budgets. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { Gauge } from "lucide-react";
import { useState } from "react";
import { useNavigate, useParams } from "react-router";
import { may } from "../../access/rules";
import type { Objective } from "../../api/types";
import { useAct } from "../../forms/use-act";
import { useMe, useWorkspace } from "../../session/me";
import { texts } from "../../texts";
import { Confirm } from "../../ui/confirm";
import { RowActions } from "../../ui/row-actions";
import type { Column } from "../../ui/table";
import { useSearch } from "../../ui/use-search";
import { EntryList } from "../catalog/entry-list";
import { EntryName } from "../catalog/entry-name";
import { usePlacement } from "../catalog/placement";
import { nameOf } from "../catalog/use-directory";
import { BudgetBar, StateBadge } from "./budget-bar";
import { EditObjective, NewObjective } from "./objective-dialogs";
import { OpenObjective } from "./objective-view";
import { deleteObjective, OBJECTIVES, objectivesPaged } from "./requests";

const words = texts.slo;
const MANAGE = "slo.objective.manage";
const PATH = "/p/slo/objectives";

export function ObjectivesPage() {
  const { "*": id = "" } = useParams();
  const navigate = useNavigate();
  const { workspace } = useWorkspace();
  const search = useSearch();
  const placement = usePlacement(MANAGE);
  const [creating, setCreating] = useState(false);
  const [edited, setEdited] = useState<Objective | null>(null);
  const [deleting, setDeleting] = useState<Objective | null>(null);
  const query = useInfiniteQuery(
    objectivesPaged({ workspaceId: workspace?.id ?? null, q: search.settled }),
  );
  const drop = useAct({
    run: (objective: Objective) => deleteObjective(objective.id),
    touches: [OBJECTIVES],
    says: (_, { name }) => words.deleted(name),
  });
  return (
    <>
      <EntryList
        words={words}
        icon={Gauge}
        query={query}
        columns={useColumns(setEdited, setDeleting)}
        search={search}
        onNew={placement.options.length > 0 ? () => setCreating(true) : null}
      />
      {creating && <NewObjective onClose={() => setCreating(false)} />}
      {edited !== null && <EditObjective objective={edited} onClose={() => setEdited(null)} />}
      {id !== "" && <OpenObjective key={id} id={id} onClose={() => void navigate(PATH)} />}
      <Confirm
        open={deleting !== null}
        onClose={() => setDeleting(null)}
        title={words.deleteTitle(deleting?.name ?? "")}
        body={words.deleteBody}
        action={texts.actions.delete}
        onConfirm={async () => deleting && drop(deleting)}
      />
    </>
  );
}

export function showAttained({ budget }: Objective): string {
  if (budget.attained === null) return words.nothing;
  const options = { maximumFractionDigits: 3 };
  return `${new Intl.NumberFormat(undefined, options).format(budget.attained)} %`;
}

function useColumns(
  onEdit: (objective: Objective) => void,
  onDelete: (objective: Objective) => void,
): Column<Objective>[] {
  const me = useMe();
  const { workspace } = useWorkspace();
  return [
    {
      key: "name",
      label: words.name,
      className: "w-full max-w-0",
      cell: (objective) => (
        <EntryName
          to={`${PATH}/${objective.id}`}
          name={objective.name}
          description={objective.about ?? words.hidden}
          workspace={workspace === null ? nameOf(objective.workspaceId, me.workspaces) : null}
        />
      ),
    },
    {
      key: "target",
      label: words.target,
      from: "desktop",
      figures: true,
      className: "whitespace-nowrap",
      cell: ({ target, windowDays }) => `${target} % · ${words.days(windowDays)}`,
    },
    {
      key: "attained",
      label: words.attained,
      from: "tablet",
      figures: true,
      className: "whitespace-nowrap",
      cell: showAttained,
    },
    {
      key: "budget",
      label: words.budget,
      from: "tablet",
      className: "min-w-32",
      cell: (objective) => <BudgetBar objective={objective} />,
    },
    {
      key: "state",
      label: texts.healthcheck.status,
      className: "whitespace-nowrap",
      cell: (objective) => <StateBadge objective={objective} />,
    },
    {
      key: "actions",
      label: texts.actions.edit,
      actions: true,
      from: "tablet",
      cell: (objective) =>
        may(me, MANAGE, objective.workspaceId) && (
          <RowActions
            editLabel={words.editTitle(objective.name)}
            deleteLabel={texts.actions.deleteNamed(objective.name)}
            onEdit={() => onEdit(objective)}
            onDelete={() => onDelete(objective)}
          />
        ),
    },
  ];
}
