/** One thing with a timeline: its facts, what was said, links, notifications. */

import { useQuery } from "@tanstack/react-query";
import { ArrowLeft, MessageSquarePlus, Pencil, Trash2 } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link, useNavigate } from "react-router";
import { may, mayManage } from "../../access/rules";
import { grantsQuery } from "../../api/grants";
import { useAct } from "../../forms/use-act";
import { useMe } from "../../session/me";
import { texts } from "../../texts";
import { Badge } from "../../ui/badge";
import { Button, IconButton } from "../../ui/button";
import { Confirm } from "../../ui/confirm";
import { Fact, Facts } from "../../ui/facts";
import { Page } from "../../ui/page";
import { systemPath } from "../catalog/paths";
import { nameOf, useSystems } from "../catalog/use-directory";
import { Deliveries } from "./deliveries";
import { Links } from "./links";
import type { SubjectDetail, TimelineRequests } from "./requests";
import { Updates } from "./updates";

const words = texts.timeline;

interface SubjectPageProps {
  subject: SubjectDetail;
  requests: TimelineRequests;
  listTitle: string;
  badges: ReactNode;
  facts: ReactNode;
  /** What else may be done to it, besides editing and deleting. */
  deeds: ReactNode;
  showStatus: (status: string) => ReactNode;
  onEdit: () => void;
  onSay: () => void;
  children?: ReactNode;
}

export function SubjectPage(props: SubjectPageProps) {
  const { subject, requests, deeds, onEdit, onSay } = props;
  const mayChange = useMayChange(subject, requests.resource);
  return (
    <Page
      title={subject.title}
      above={<WayBack to={requests.path} title={props.listTitle} />}
      beside={<span className="flex gap-1.5">{props.badges}</span>}
      actions={
        mayChange && (
          <>
            {deeds}
            <Button icon={Pencil} onClick={onEdit}>
              {texts.actions.edit}
            </Button>
            <DeleteSubject subject={subject} requests={requests} />
          </>
        )
      }
    >
      <p className="max-w-2xl whitespace-pre-line wrap-anywhere text-muted">
        {subject.description || texts.catalog.noDescription}
      </p>
      <div className="mt-6 grid items-start gap-x-10 gap-y-8 @[44rem]:grid-cols-[minmax(0,1fr)_17rem]">
        <aside aria-label={words.details} className="@[44rem]:col-start-2 @[44rem]:row-start-1">
          <Facts className="grid grid-cols-2 gap-4 rounded-xl border border-line bg-raised p-4 shadow-soft sm:grid-cols-3 @[44rem]:grid-cols-1">
            {props.facts}
            <SubjectFacts subject={subject} />
          </Facts>
        </aside>
        <div className="min-w-0 @[44rem]:col-start-1 @[44rem]:row-start-1">
          <Updates
            subject={subject}
            requests={requests}
            mayChange={mayChange}
            showStatus={props.showStatus}
            action={
              mayChange && (
                <Button size="small" icon={MessageSquarePlus} onClick={onSay}>
                  {words.updates.add}
                </Button>
              )
            }
          />
          <Links subject={subject} requests={requests} mayChange={mayChange} />
          <Deliveries deliveries={subject.deliveries} />
        </div>
      </div>
      {props.children}
    </Page>
  );
}

function useMayChange(subject: SubjectDetail, resource: string): boolean {
  const me = useMe();
  const { data: grants } = useQuery({
    ...grantsQuery(resource, subject.id),
    enabled: may(me, "identity.team.read"),
  });
  const rule = `${resource}.manage`;
  return mayManage(me, { rule, workspaceId: subject.workspaceId, grants: grants ?? [] });
}

interface WayBackProps {
  to: string;
  title: string;
}

function WayBack({ to, title }: WayBackProps) {
  return (
    <Link
      to={to}
      className="mb-2 -ml-1 inline-flex items-center gap-1.5 rounded-md px-1 text-[0.8125rem] text-muted hover:text-ink"
    >
      <ArrowLeft size={14} aria-hidden="true" />
      {title}
    </Link>
  );
}

interface SubjectFactsProps {
  subject: SubjectDetail;
}

function SubjectFacts({ subject }: SubjectFactsProps) {
  const { workspaces } = useMe();
  const systems = useSystems(subject.workspaceId);
  return (
    <>
      <Fact label={words.systems}>
        {subject.systemIds.length === 0 && <span className="text-muted">{words.noSystems}</span>}
        <ul className="flex flex-wrap gap-1">
          {subject.systemIds.map((id) => (
            <li key={id} className="max-w-full">
              <Link to={systemPath(id)} className="rounded-full hover:opacity-80">
                <Badge>{nameOf(id, systems)}</Badge>
              </Link>
            </li>
          ))}
        </ul>
      </Fact>
      <Fact label={texts.catalog.workspace}>{nameOf(subject.workspaceId, workspaces)}</Fact>
    </>
  );
}

interface DeleteSubjectProps {
  subject: SubjectDetail;
  requests: TimelineRequests;
}

function DeleteSubject({ subject, requests }: DeleteSubjectProps) {
  const navigate = useNavigate();
  const [asking, setAsking] = useState(false);
  const drop = useAct({
    run: async () => {
      await requests.deleteSubject(subject.id);
      await navigate(requests.path, { replace: true });
    },
    touches: [requests.key],
    says: () => texts.catalog.deleted(subject.title),
  });
  return (
    <>
      <IconButton
        label={texts.actions.delete}
        icon={Trash2}
        tone="danger"
        onClick={() => setAsking(true)}
      />
      <Confirm
        open={asking}
        onClose={() => setAsking(false)}
        title={texts.catalog.deleteTitle(subject.title)}
        body={words.deleteBody(subject.updates.length, subject.links.length)}
        action={texts.actions.delete}
        onConfirm={drop}
      />
    </>
  );
}
