/** The audit log: every call and every decision, the newest first. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { ScrollText } from "lucide-react";
import { RequireRule } from "../access/require-rule";
import { auditPaged } from "../api/audit";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { Loaded } from "../ui/loaded";
import { LoadMore, Page, Toolbar } from "../ui/page";
import { SearchBox } from "../ui/search-box";
import { Notice } from "../ui/states";
import { useSearch } from "../ui/use-search";
import { AuditFilters, useAuditFilters } from "./filters";
import { AuditTable } from "./table";

const words = texts.audit;

export function AuditPage() {
  return (
    <Page title={words.title}>
      <RequireRule rule="audit.entry.read">
        <AuditLog />
      </RequireRule>
    </Page>
  );
}

function AuditLog() {
  const search = useSearch();
  const filters = useAuditFilters();
  const query = useInfiniteQuery(auditPaged({ ...filters.filter, action: search.settled }));
  const narrowed = filters.active || search.settled !== "";
  const clear = () => {
    search.type("");
    filters.clear();
  };
  return (
    <>
      <Toolbar>
        <SearchBox label={words.search} value={search.typed} onChange={search.type} />
        <div className="flex flex-wrap gap-2 max-sm:basis-full">
          <AuditFilters filters={filters} />
        </div>
      </Toolbar>
      <Loaded query={query}>
        {(entries) =>
          entries.length > 0 ? (
            <AuditTable entries={entries} />
          ) : (
            <Nothing onClear={narrowed ? clear : null} />
          )
        }
      </Loaded>
      <LoadMore list={query} />
    </>
  );
}

interface NothingProps {
  onClear: (() => void) | null;
}

function Nothing({ onClear }: NothingProps) {
  return onClear === null ? (
    <Notice icon={ScrollText} title={words.emptyTitle}>
      {words.emptyBody}
    </Notice>
  ) : (
    <Notice
      icon={ScrollText}
      title={texts.states.noMatchTitle}
      action={<Button onClick={onClear}>{texts.actions.clearFilters}</Button>}
    >
      {texts.states.noMatchBody}
    </Notice>
  );
}
