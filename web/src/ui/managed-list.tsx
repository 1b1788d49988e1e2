/** A list that those who may add to, change and take from: what it is for, the way to a new one,
 * its entries, and the question before one goes. */

import { type LucideIcon, Plus } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { texts } from "../texts";
import { Button } from "./button";
import { Confirm } from "./confirm";
import { EmptyList } from "./empty-list";
import { Loaded, type QueryView } from "./loaded";
import { Lead } from "./page";

interface Removal<Item> {
  /** What was chosen to go; nothing while nothing is asked. */
  item: Item | null;
  title: (item: Item) => string;
  body: (item: Item) => ReactNode;
  action?: string;
  run: (item: Item) => Promise<unknown>;
  onClose: () => void;
}

interface ManagedListProps<Item> {
  query: QueryView<Item[]>;
  about: string;
  /** Nothing where there is always something to show. */
  empty: { icon: LucideIcon; title: string; body: ReactNode } | null;
  /** Nothing when the person may not. */
  create: { label: string; onClick: () => void } | null;
  removal: Removal<Item>;
  children: (items: Item[]) => ReactNode;
}

export function ManagedList<Item>({
  query,
  about,
  empty,
  create,
  removal,
  children,
}: ManagedListProps<Item>) {
  const button = create && (
    <Button variant="primary" icon={Plus} onClick={create.onClick}>
      {create.label}
    </Button>
  );
  const isEmpty = query.data?.length === 0 && empty !== null;
  const lead = useRef<HTMLDivElement>(null);
  const wasEmpty = useRef(false);
  useEffect(() => {
    // Whoever made the first entry stood on a button that has gone with the emptiness.
    const lost = wasEmpty.current && !isEmpty && document.activeElement === document.body;
    if (lost) lead.current?.querySelector("button")?.focus();
    wasEmpty.current = isEmpty;
  }, [isEmpty]);
  // Until the list is known the button has no place: it would move as one reaches for it.
  const beside = query.data === undefined ? null : button;
  return (
    <>
      {!isEmpty && (
        <div ref={lead}>
          <Lead body={about} action={beside} />
        </div>
      )}
      <Loaded query={query}>
        {(items) =>
          items.length === 0 && empty !== null ? (
            <EmptyList {...empty} action={button} />
          ) : (
            children(items)
          )
        }
      </Loaded>
      <Removing removal={removal} />
    </>
  );
}

interface RemovingProps<Item> {
  removal: Removal<Item>;
}

function Removing<Item>({ removal }: RemovingProps<Item>) {
  const { item, title, body, action = texts.actions.delete, run, onClose } = removal;
  return (
    <Confirm
      open={item !== null}
      onClose={onClose}
      title={item === null ? "" : title(item)}
      body={item === null ? "" : body(item)}
      action={action}
      onConfirm={async () => item !== null && run(item)}
    />
  );
}
