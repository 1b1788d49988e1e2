/** Skills: those that come along, one's own, and what is shared. */

import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { may, mayAnywhere } from "../access/rules";
import { deleteSkill, SKILLS, skillsQuery } from "../api/knowledge";
import type { Skill } from "../api/types";
import { useAct } from "../forms/use-act";
import { useMe } from "../session/me";
import { texts } from "../texts";
import { Badge } from "../ui/badge";
import { ManagedList } from "../ui/managed-list";
import { RowActions } from "../ui/row-actions";
import { Table } from "../ui/table";
import { EditSkill, NewSkill } from "./skill-dialog";

const words = texts.knowledge.skills;

export function SkillsPage() {
  const query = useQuery(skillsQuery);
  const mayManage = mayAnywhere(useMe(), "ai.skill.manage");
  const [edited, setEdited] = useState<Skill | "new" | null>(null);
  const [going, setGoing] = useState<Skill | null>(null);
  const close = () => setEdited(null);
  const drop = useAct({
    run: ({ id }: Skill) => deleteSkill(id),
    touches: [SKILLS],
    says: (_, { name }) => words.deleted(name),
  });
  return (
    <>
      <ManagedList
        query={query}
        about={words.about}
        empty={null}
        create={mayManage ? { label: words.new, onClick: () => setEdited("new") } : null}
        removal={{
          item: going,
          title: ({ name }) => words.deleteTitle(name),
          body: () => words.deleteBody,
          run: drop,
          onClose: () => setGoing(null),
        }}
      >
        {(skills) => (
          <List skills={skills} mayManage={mayManage} onEdit={setEdited} onDelete={setGoing} />
        )}
      </ManagedList>
      {edited === "new" && <NewSkill onClose={close} />}
      {edited !== null && edited !== "new" && <EditSkill skill={edited} onClose={close} />}
    </>
  );
}

interface ListProps {
  skills: readonly Skill[];
  mayManage: boolean;
  onEdit: (skill: Skill) => void;
  onDelete: (skill: Skill) => void;
}

function List({ skills, mayManage, onEdit, onDelete }: ListProps) {
  const mayShare = may(useMe(), "ai.sharing.manage");
  const mayChange = ({ origin }: Skill) =>
    mayManage && (origin === "personal" || (origin === "shared" && mayShare));
  return (
    <Table
      label={words.list}
      rows={skills}
      columns={[
        { key: "name", label: words.name, cell: (skill) => <Named skill={skill} /> },
        {
          key: "starter",
          label: words.starter,
          from: "tablet",
          className: "text-muted",
          cell: ({ starter }) => starter,
        },
        {
          key: "actions",
          label: texts.actions.edit,
          actions: true,
          cell: (skill) =>
            mayChange(skill) && (
              <RowActions
                editLabel={words.editNamed(skill.name)}
                deleteLabel={texts.actions.deleteNamed(skill.name)}
                onEdit={() => onEdit(skill)}
                onDelete={() => onDelete(skill)}
              />
            ),
        },
      ]}
    />
  );
}

interface NamedProps {
  skill: Skill;
}

function Named({ skill: { name, origin, description, taint } }: NamedProps) {
  return (
    <div className="min-w-0">
      <p className="flex flex-wrap items-center gap-2 font-medium">
        {name}
        <Badge>{words.origins[origin]}</Badge>
        {taint.length > 0 && <Badge tone="caution">{texts.knowledge.memories.untrusted}</Badge>}
      </p>
      <p className="text-[0.8125rem] text-muted wrap-anywhere">{description}</p>
    </div>
  );
}
