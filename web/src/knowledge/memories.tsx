/** What people want to be remembered: one's own, and what is shared. */

import { useQuery } from "@tanstack/react-query";
import { Brain } from "lucide-react";
import { useState } from "react";
import { mayAnywhere } from "../access/rules";
import { deleteMemory, MEMORIES, memoriesQuery } from "../api/knowledge";
import type { Memory } from "../api/types";
import { useAct } from "../forms/use-act";
import { useMe } from "../session/me";
import { texts } from "../texts";
import { Badge } from "../ui/badge";
import { ManagedList } from "../ui/managed-list";
import { Toolbar } from "../ui/page";
import { RowActions } from "../ui/row-actions";
import { SearchBox } from "../ui/search-box";
import { Table } from "../ui/table";
import { Time } from "../ui/time";
import { useSearch } from "../ui/use-search";
import { EditMemory, NewMemory } from "./memory-dialog";
import { shorten } from "./shorten";

const words = texts.knowledge.memories;

export function MemoriesPage() {
  const me = useMe();
  const search = useSearch();
  const query = useQuery(memoriesQuery(search.settled));
  const mayManage = mayAnywhere(me, "ai.memory.manage");
  const [edited, setEdited] = useState<Memory | "new" | null>(null);
  const [going, setGoing] = useState<Memory | null>(null);
  const close = () => setEdited(null);
  const forget = useAct({
    run: ({ id }: Memory) => deleteMemory(id),
    touches: [MEMORIES],
    says: () => words.forgotten,
  });
  return (
    <>
      <Toolbar>
        <SearchBox label={words.search} value={search.typed} onChange={search.type} />
      </Toolbar>
      <ManagedList
        query={query}
        about={words.about}
        empty={{
          icon: Brain,
          title: search.settled === "" ? words.emptyTitle : words.nothingFound,
          body: words.emptyBody,
        }}
        create={mayManage ? { label: words.new, onClick: () => setEdited("new") } : null}
        removal={{
          item: going,
          title: () => words.forgetTitle,
          body: ({ text }) => shorten(text),
          action: words.forget,
          run: forget,
          onClose: () => setGoing(null),
        }}
      >
        {(memories) => (
          <List memories={memories} mayManage={mayManage} onEdit={setEdited} onForget={setGoing} />
        )}
      </ManagedList>
      {edited === "new" && <NewMemory onClose={close} />}
      {edited !== null && edited !== "new" && (
        <EditMemory memory={edited} q={search.settled} onClose={close} />
      )}
    </>
  );
}

interface ListProps {
  memories: readonly Memory[];
  mayManage: boolean;
  onEdit: (memory: Memory) => void;
  onForget: (memory: Memory) => void;
}

function List({ memories, mayManage, onEdit, onForget }: ListProps) {
  const me = useMe();
  const mayShare = mayAnywhere(me, "ai.sharing.manage");
  const mayChange = (one: Memory) =>
    mayManage &&
    (one.reach === "personal" ||
      mayShare ||
      (one.authorId === me.id && !one.alwaysApply && one.systemId !== null));
  return (
    <Table
      label={words.list}
      rows={memories}
      columns={[
        { key: "text", label: words.text, cell: (one) => <Text memory={one} /> },
        {
          key: "changed",
          label: words.changed,
          from: "tablet",
          className: "text-muted",
          cell: ({ updatedAt, authorName }) => (
            <>
              <Time value={updatedAt} />
              <span className="block whitespace-nowrap">{words.by(authorName)}</span>
            </>
          ),
        },
        {
          key: "actions",
          label: texts.actions.edit,
          actions: true,
          cell: (one) =>
            mayChange(one) && (
              <RowActions
                editLabel={words.editNamed(shorten(one.text))}
                deleteLabel={words.forgetNamed(shorten(one.text))}
                onEdit={() => onEdit(one)}
                onDelete={() => onForget(one)}
              />
            ),
        },
      ]}
    />
  );
}

interface TextProps {
  memory: Memory;
}

function Text({ memory }: TextProps) {
  const { text, hint, reach, alwaysApply, systemName, taint } = memory;
  return (
    <div className="min-w-0">
      <p className="whitespace-pre-wrap wrap-anywhere">{text}</p>
      <p className="mt-1 flex flex-wrap items-center gap-1.5 text-[0.8125rem] text-muted">
        <Badge>{words.reaches[reach]}</Badge>
        {alwaysApply && <Badge tone="accent">{words.always}</Badge>}
        {systemName !== null && <Badge>{systemName}</Badge>}
        {taint.length > 0 && <Badge tone="caution">{words.untrusted}</Badge>}
        {hint !== "" && <span className="wrap-anywhere">{words.when(hint)}</span>}
      </p>
    </div>
  );
}
