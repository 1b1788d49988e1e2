/** The tenant's own documents, in which the assistant looks things up. */

import { useQuery } from "@tanstack/react-query";
import { FileText } from "lucide-react";
import { useState } from "react";
import { RequireRule } from "../access/require-rule";
import { DOCUMENTS, deleteDocument, documentsQuery } from "../api/knowledge";
import type { DocumentLine } from "../api/types";
import { useAct } from "../forms/use-act";
import { useMayEverywhere } from "../session/me";
import { texts } from "../texts";
import { ManagedList } from "../ui/managed-list";
import { Toolbar } from "../ui/page";
import { RowActions } from "../ui/row-actions";
import { SearchBox } from "../ui/search-box";
import { Table } from "../ui/table";
import { Time } from "../ui/time";
import { useSearch } from "../ui/use-search";
import { NewDocument, OpenDocument } from "./document-dialog";

const words = texts.knowledge.documents;

export function DocumentsPage() {
  return (
    <RequireRule rule="ai.document.read">
      <Documents />
    </RequireRule>
  );
}

function Documents() {
  const search = useSearch();
  const query = useQuery(documentsQuery(search.settled));
  const mayManage = useMayEverywhere("ai.document.manage");
  const [edited, setEdited] = useState<DocumentLine | "new" | null>(null);
  const [going, setGoing] = useState<DocumentLine | null>(null);
  const close = () => setEdited(null);
  const drop = useAct({
    run: ({ documentId }: DocumentLine) => deleteDocument(documentId),
    touches: [DOCUMENTS],
    says: (_, { title }) => words.deleted(title),
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
          icon: FileText,
          title: search.settled === "" ? words.emptyTitle : words.nothingFound,
          body: words.emptyBody,
        }}
        create={mayManage ? { label: words.new, onClick: () => setEdited("new") } : null}
        removal={{
          item: going,
          title: ({ title }) => words.deleteTitle(title),
          body: () => words.deleteBody,
          run: drop,
          onClose: () => setGoing(null),
        }}
      >
        {(documents) => (
          <List
            documents={documents}
            mayManage={mayManage}
            onEdit={setEdited}
            onDelete={setGoing}
          />
        )}
      </ManagedList>
      {edited === "new" && <NewDocument onClose={close} />}
      {edited !== null && edited !== "new" && (
        <OpenDocument documentId={edited.documentId} onClose={close} />
      )}
    </>
  );
}

interface ListProps {
  documents: readonly DocumentLine[];
  mayManage: boolean;
  onEdit: (document: DocumentLine) => void;
  onDelete: (document: DocumentLine) => void;
}

function List({ documents, mayManage, onEdit, onDelete }: ListProps) {
  const muted = { from: "tablet", className: "text-muted" } as const;
  return (
    <Table
      label={words.list}
      rows={documents.map((one) => ({ ...one, id: one.documentId }))}
      columns={[
        {
          key: "title",
          label: words.title,
          cell: ({ title, slug }) => (
            <>
              <p className="font-medium wrap-anywhere">{title}</p>
              <p className="font-mono text-xs text-muted wrap-anywhere">{words.slug(slug)}</p>
            </>
          ),
        },
        { key: "section", label: words.section, ...muted, cell: ({ section }) => section },
        {
          key: "changed",
          label: words.changed,
          ...muted,
          cell: ({ updatedAt, writtenByName }) => (
            <>
              <Time value={updatedAt} />
              <span className="block whitespace-nowrap">{words.by(writtenByName)}</span>
            </>
          ),
        },
        {
          key: "actions",
          label: texts.actions.edit,
          actions: true,
          cell: (one) =>
            mayManage && (
              <RowActions
                editLabel={words.editNamed(one.title)}
                deleteLabel={texts.actions.deleteNamed(one.title)}
                onEdit={() => onEdit(one)}
                onDelete={() => onDelete(one)}
              />
            ),
        },
      ]}
    />
  );
}
