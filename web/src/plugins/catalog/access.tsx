/** Grants on one system: its owners, and who else may read or change it. */

import { Plus, User, Users, X } from "lucide-react";
import { useState } from "react";
import { deleteGrant, GRANTS } from "../../api/grants";
import type { Grant, GrantLevel, SubjectKind, System } from "../../api/types";
import { useAct } from "../../forms/use-act";
import { texts } from "../../texts";
import { Badge, type BadgeTone } from "../../ui/badge";
import { Button, IconButton } from "../../ui/button";
import { Confirm } from "../../ui/confirm";
import { Card, Section } from "../../ui/page";
import { GrantDialog } from "./grant-dialog";

const words = texts.catalog.access;

export const SYSTEM_KIND = "catalog.system";

const TONES: Record<GrantLevel, BadgeTone> = { own: "accent", manage: "plain", read: "plain" };
const ICONS: Record<SubjectKind, typeof User> = { team: Users, user: User };

interface AccessProps {
  system: System;
  grants: Grant[];
  mayChange: boolean;
}

export function Access({ system, grants, mayChange }: AccessProps) {
  const [granting, setGranting] = useState(false);
  const [removing, setRemoving] = useState<Grant | null>(null);
  const remove = useAct({
    run: (grant: Grant) => deleteGrant(grant.id),
    touches: [GRANTS],
    says: () => words.removed,
  });
  const name = removing?.subject.name ?? "";
  return (
    <Section
      title={words.heading}
      body={words.body}
      action={
        mayChange && (
          <Button size="small" icon={Plus} onClick={() => setGranting(true)}>
            {words.add}
          </Button>
        )
      }
    >
      <Card>
        {grants.length === 0 && <p className="px-4 py-3 text-muted">{words.none}</p>}
        <ul className="divide-y divide-line">
          {grants.map((grant) => (
            <GrantRow
              key={grant.id}
              grant={grant}
              onRemove={mayChange ? () => setRemoving(grant) : null}
            />
          ))}
        </ul>
      </Card>
      {granting && (
        <GrantDialog
          name={system.name}
          resource={{ resourceKind: SYSTEM_KIND, resourceId: system.id }}
          onClose={() => setGranting(false)}
        />
      )}
      <Confirm
        open={removing !== null}
        onClose={() => setRemoving(null)}
        title={words.removeTitle(name)}
        body={words.removeBody(name)}
        action={texts.actions.delete}
        onConfirm={async () => removing && remove(removing)}
      />
    </Section>
  );
}

interface GrantRowProps {
  grant: Grant;
  onRemove: (() => void) | null;
}

function GrantRow({ grant, onRemove }: GrantRowProps) {
  const { subject, level } = grant;
  const Icon = ICONS[subject.kind];
  return (
    <li className="flex items-center gap-3 py-2.5 pr-2 pl-4">
      <Icon size={16} aria-label={words.kinds[subject.kind]} className="shrink-0 text-muted" />
      <span className="min-w-0 flex-1 truncate font-medium">{subject.name}</span>
      <span title={words.levelHints[level]}>
        <Badge tone={TONES[level]}>{words.levels[level]}</Badge>
      </span>
      {onRemove !== null && (
        <IconButton label={words.remove(subject.name)} icon={X} tone="danger" onClick={onRemove} />
      )}
    </li>
  );
}
