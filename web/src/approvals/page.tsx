/** The rules that say who has to assent to what, kept by admins. */

import { useQuery } from "@tanstack/react-query";
import { ShieldCheck } from "lucide-react";
import { useState } from "react";
import { RequireRule } from "../access/require-rule";
import { APPROVALS, approvalsQuery, deleteApproval } from "../api/approvals";
import { toolsQuery } from "../api/assistant";
import { rolesQuery, usersQuery } from "../api/people";
import { PROPOSALS } from "../api/proposals";
import type { ApprovalRule } from "../api/types";
import { useAct } from "../forms/use-act";
import { useMayEverywhere } from "../session/me";
import { texts } from "../texts";
import { ManagedList } from "../ui/managed-list";
import { EditApproval, NewApproval } from "./dialog";
import type { Offer } from "./fields";
import { ApprovalTable } from "./table";

const words = texts.approvals;

export function ApprovalsPage() {
  return (
    <RequireRule rule="ai.approval.read">
      <Approvals />
    </RequireRule>
  );
}

function useOffer(): Offer {
  const mayRoles = useMayEverywhere("identity.role.read");
  const mayPeople = useMayEverywhere("identity.user.read");
  const { data: tools = [] } = useQuery(toolsQuery);
  const { data: roles = [] } = useQuery({ ...rolesQuery, enabled: mayRoles });
  const { data: people = [] } = useQuery({ ...usersQuery, enabled: mayPeople });
  return { tools, roles, people };
}

function Approvals() {
  const query = useQuery(approvalsQuery);
  const offer = useOffer();
  const mayManage = useMayEverywhere("ai.approval.manage");
  const [edited, setEdited] = useState<ApprovalRule | "new" | null>(null);
  const [deleting, setDeleting] = useState<ApprovalRule | null>(null);
  const close = () => setEdited(null);
  const drop = useAct({
    run: ({ id }: ApprovalRule) => deleteApproval(id),
    touches: [APPROVALS, PROPOSALS],
    says: (_, { title }) => words.deleted(title),
  });
  return (
    <>
      <ManagedList
        query={query}
        about={words.lead}
        empty={{ icon: ShieldCheck, title: words.emptyTitle, body: words.emptyBody }}
        create={mayManage ? { label: words.new, onClick: () => setEdited("new") } : null}
        removal={{
          item: deleting,
          title: ({ title }) => words.deleteTitle(title),
          body: () => words.deleteBody,
          run: drop,
          onClose: () => setDeleting(null),
        }}
      >
        {(rules) => (
          <ApprovalTable
            rules={rules}
            offer={offer}
            actions={mayManage ? { onEdit: setEdited, onDelete: setDeleting } : null}
          />
        )}
      </ManagedList>
      {edited === "new" && <NewApproval offer={offer} onClose={close} />}
      {edited !== null && edited !== "new" && (
        <EditApproval rule={edited} offer={offer} onClose={close} />
      )}
    </>
  );
}
