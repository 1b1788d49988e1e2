/** The audit log: every call and every decision, the newest first, and whether it is genuine. */

import { useInfiniteQuery } from "@tanstack/react-query";
import { Download, ScrollText, Table2 } from "lucide-react";
import { useState } from "react";
import { RequireRule } from "../access/require-rule";
import { type AuditFilter, auditPaged, SEALED_LOG, tablePath } from "../api/audit";
import type { AuditEntry } from "../api/types";
import { texts } from "../texts";
import { Button } from "../ui/button";
import { EmptyList } from "../ui/empty-list";
import { Loaded } from "../ui/loaded";
import { Menu, MenuDownload } from "../ui/menu";
import { LoadMore, Page, Toolbar } from "../ui/page";
import { SearchBox } from "../ui/search-box";
import { useSearch } from "../ui/use-search";
import { ChainCard } from "./chain";
import { EntryDetails } from "./details";
import { AuditFilters, useAuditFilters } from "./filters";
import { AuditTable } from "./table";
import { useVerification } from "./use-verification";

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
  const filter = { ...filters.filter, action: search.settled };
  const query = useInfiniteQuery(auditPaged(filter));
  const { chain, verify, stop } = useVerification();
  const [opened, setOpened] = useState<AuditEntry | null>(null);
  const narrowed = filters.active || search.settled !== "";
  const clear = () => {
    search.type("");
    filters.clear();
  };
  return (
    <>
      <ChainCard chain={chain} onVerify={verify} onStop={stop} />
      <Toolbar>
        <SearchBox label={words.search} value={search.typed} onChange={search.type} />
        <div className="flex flex-wrap gap-2 max-sm:basis-full">
          <AuditFilters filters={filters} entries={query.data ?? []} />
        </div>
        <Downloads filter={filter} />
      </Toolbar>
      <Loaded query={query}>
        {(entries) =>
          entries.length > 0 ? (
            <AuditTable entries={entries} onOpen={setOpened} />
          ) : (
            <EmptyList
              icon={ScrollText}
              title={words.emptyTitle}
              body={words.emptyBody}
              onClear={narrowed ? clear : null}
            />
          )
        }
      </Loaded>
      <LoadMore list={query} />
      {opened !== null && (
        <EntryDetails
          entry={opened}
          onNarrow={(name, value) => {
            setOpened(null);
            filters.choose(name, value);
          }}
          onClose={() => setOpened(null)}
        />
      )}
    </>
  );
}

interface DownloadsProps {
  filter: AuditFilter;
}

function Downloads({ filter }: DownloadsProps) {
  return (
    <div className="ml-auto">
      <Menu trigger={<Button icon={Download}>{words.download.title}</Button>}>
        <MenuDownload icon={Table2} href={tablePath(filter)}>
          {words.download.entries}
        </MenuDownload>
        <MenuDownload icon={ScrollText} href={SEALED_LOG}>
          {words.download.log}
        </MenuDownload>
      </Menu>
    </div>
  );
}
