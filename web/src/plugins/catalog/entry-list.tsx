/** A list of catalog entries: search, filters, table, and the way to a new one. */

import type { LucideIcon } from "lucide-react";
import { Plus } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "../../ui/button";
import { EmptyList } from "../../ui/empty-list";
import { Loaded, type QueryView } from "../../ui/loaded";
import { LoadMore, Page, Toolbar } from "../../ui/page";
import { SearchBox } from "../../ui/search-box";
import { type Column, Table } from "../../ui/table";
import type { Search } from "../../ui/use-search";

interface ListQuery<Row> extends QueryView<Row[]> {
  hasNextPage: boolean;
  isFetchingNextPage: boolean;
  fetchNextPage: () => unknown;
}

interface ListTexts {
  title: string;
  search: string;
  new: string;
  emptyTitle: string;
  emptyBody: string;
}

interface EntryListProps<Row extends { id: string }> {
  words: ListTexts;
  icon: LucideIcon;
  query: ListQuery<Row>;
  columns: readonly Column<Row>[];
  search: Search;
  filters?: ReactNode;
  /** Clears filters; nothing when none is set. */
  onClearFilters?: (() => void) | null;
  /** Beside the way to a new one, such as what is set for all of them. */
  more?: ReactNode;
  /** Nothing when the person may not create one. */
  onNew: (() => void) | null;
}

export function EntryList<Row extends { id: string }>({
  words,
  icon,
  query,
  columns,
  search,
  filters,
  onClearFilters = null,
  more = null,
  onNew,
}: EntryListProps<Row>) {
  const create = onNew && (
    <Button variant="primary" icon={Plus} onClick={onNew}>
      {words.new}
    </Button>
  );
  const narrowed = search.settled !== "" || onClearFilters !== null;
  const untouched = query.data?.length === 0 && !narrowed;
  const clear = () => {
    search.type("");
    onClearFilters?.();
  };
  return (
    <Page
      title={words.title}
      actions={
        <>
          {more}
          {!untouched && create}
        </>
      }
    >
      {!untouched && (
        <Toolbar>
          <SearchBox label={words.search} value={search.typed} onChange={search.type} />
          {filters && <div className="flex flex-wrap gap-2 max-sm:basis-full">{filters}</div>}
        </Toolbar>
      )}
      <Loaded query={query}>
        {(rows) => {
          if (rows.length > 0) return <Table label={words.title} rows={rows} columns={columns} />;
          return (
            <EmptyList
              icon={icon}
              title={words.emptyTitle}
              body={words.emptyBody}
              action={create}
              onClear={narrowed ? clear : null}
            />
          );
        }}
      </Loaded>
      <LoadMore list={query} />
    </Page>
  );
}
