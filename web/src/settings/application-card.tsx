/** One application: its rules, its keys, and taking them away. */

import { Plus, Trash2 } from "lucide-react";
import { useState } from "react";
import { APPLICATIONS, deleteApplication, revokeKey } from "../api/applications";
import type { Application, ApplicationKey } from "../api/types";
import { useAct } from "../forms/use-act";
import { useMe } from "../session/me";
import { texts } from "../texts";
import { Button, IconButton } from "../ui/button";
import { Confirm } from "../ui/confirm";
import { Card } from "../ui/page";
import { KeyList } from "./key-list";
import { statusOf } from "./key-status";

interface ApplicationCardProps {
  application: Application;
  mayManage: boolean;
  onNewKey: () => void;
}

export function ApplicationCard({ application, mayManage, onNewKey }: ApplicationCardProps) {
  const me = useMe();
  const [deleting, setDeleting] = useState(false);
  const [revoking, setRevoking] = useState<ApplicationKey | null>(null);
  const { id, name, keys, owner } = application;
  const now = new Date();
  const active = keys.filter((key) => statusOf(key, now) === "active").length;
  const drop = useAct({
    run: () => deleteApplication(id),
    touches: [APPLICATIONS],
    says: () => texts.keys.deleted(name),
  });
  const revoke = useAct({
    run: (keyId: string) => revokeKey(id, keyId),
    touches: [APPLICATIONS],
    says: () => texts.keys.revoked,
  });
  return (
    <Card>
      <div className="flex flex-wrap items-center gap-2 px-4 py-3">
        <div className="min-w-0 flex-1">
          <h3 className="truncate font-medium">{name}</h3>
          <p className="text-[0.8125rem] text-muted">
            <RuleSummary rules={application.rules} />
            {owner.id !== me.id && ` · ${texts.keys.owner(owner.name)}`}
          </p>
        </div>
        {mayManage && (
          <>
            <Button size="small" icon={Plus} onClick={onNewKey}>
              {texts.keys.newKey}
            </Button>
            <IconButton
              label={texts.keys.deleteNamed(name)}
              icon={Trash2}
              tone="danger"
              onClick={() => setDeleting(true)}
            />
          </>
        )}
      </div>
      <KeyList application={application} onRevoke={mayManage ? setRevoking : null} />
      <Confirm
        open={deleting}
        onClose={() => setDeleting(false)}
        title={texts.keys.deleteTitle(name)}
        body={texts.keys.deleteBody(active)}
        action={texts.actions.delete}
        onConfirm={drop}
      />
      <Confirm
        open={revoking !== null}
        onClose={() => setRevoking(null)}
        title={texts.keys.revokeTitle}
        body={texts.keys.revokeBody(revoking?.hint ?? "", name)}
        action={texts.keys.revoke}
        onConfirm={() => revoke(revoking?.id ?? "")}
      />
    </Card>
  );
}

interface RuleSummaryProps {
  rules: string[];
}

function RuleSummary({ rules }: RuleSummaryProps) {
  if (rules.includes("*")) return texts.keys.everything;
  return <span title={rules.join("\n")}>{texts.keys.ruleCount(rules.length)}</span>;
}
