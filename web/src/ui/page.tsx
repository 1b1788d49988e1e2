/** The frame of a page: its title and actions, its sections, its list. */

import { type ReactNode, useEffect, useRef } from "react";
import { NavLink, useLocation } from "react-router";
import { texts } from "../texts";
import { Button } from "./button";
import { classes } from "./classes";
import { SkeletonRows } from "./states";

interface PageProps {
  title: string;
  /** Above the title, such as the way back to a list. */
  above?: ReactNode;
  beside?: ReactNode;
  actions?: ReactNode;
  tabs?: ReactNode;
  width?: "text" | "list";
  children: ReactNode;
}

const WIDTHS = { text: "max-w-3xl", list: "max-w-6xl" };

export function Page({ title, above, beside, actions, tabs, width = "list", children }: PageProps) {
  return (
    <div className={classes("mx-auto w-full px-4 pt-5 pb-16 sm:px-8 sm:pt-8", WIDTHS[width])}>
      <title>{texts.title(title)}</title>
      {above}
      <header className="flex min-h-8 flex-wrap items-center gap-x-4 gap-y-2">
        <h1 className="min-w-0 text-xl font-semibold tracking-tight break-words">{title}</h1>
        {beside}
        {actions && <div className="ml-auto flex flex-wrap items-center gap-2">{actions}</div>}
      </header>
      {tabs}
      <div className={tabs ? "mt-6" : "mt-5"}>{children}</div>
    </div>
  );
}

export function PageSkeleton() {
  return (
    <div className={classes("mx-auto w-full px-4 pt-5 sm:px-8 sm:pt-8", WIDTHS.list)}>
      <div className="mb-5 flex h-8 items-center">
        <span className="skeleton h-5 w-32" />
      </div>
      <SkeletonRows />
    </div>
  );
}

interface TabsProps {
  label: string;
  tabs: readonly { to: string; label: string; end?: boolean }[];
}

export function Tabs({ label, tabs }: TabsProps) {
  const nav = useRef<HTMLElement>(null);
  const { pathname } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another place is another current tab.
  useEffect(() => {
    const current = nav.current?.querySelector("[aria-current=page]");
    current?.scrollIntoView?.({ block: "nearest", inline: "center" });
  }, [pathname]);
  return (
    <nav ref={nav} aria-label={label} className="-mx-4 mt-3 overflow-x-auto px-4 sm:mx-0 sm:px-0">
      <ul className="flex gap-5 border-b border-line">
        {tabs.map((tab) => (
          <li key={tab.to}>
            <NavLink
              to={tab.to}
              end={tab.end ?? false}
              className="-mb-px flex h-9 items-center border-b-2 border-transparent whitespace-nowrap text-muted transition-colors hover:text-ink aria-[current=page]:border-accent aria-[current=page]:font-medium aria-[current=page]:text-ink"
            >
              {tab.label}
            </NavLink>
          </li>
        ))}
      </ul>
    </nav>
  );
}

interface ToolbarProps {
  children: ReactNode;
}

export function Toolbar({ children }: ToolbarProps) {
  return <div className="mb-3 flex flex-wrap items-center gap-2">{children}</div>;
}

interface LeadProps {
  body: ReactNode;
  action?: ReactNode;
}

/** What a section is for, and the way to something new in it. */
export function Lead({ body, action }: LeadProps) {
  return (
    <div className="mb-4 flex flex-wrap items-end gap-x-6 gap-y-3">
      <p className="max-w-2xl min-w-0 flex-1 basis-72 text-pretty text-muted">{body}</p>
      {action && <div className="ml-auto">{action}</div>}
    </div>
  );
}

interface SectionProps {
  title: string;
  body?: ReactNode;
  action?: ReactNode;
  children: ReactNode;
}

export function Section({ title, body, action, children }: SectionProps) {
  return (
    <section className="mb-10">
      <div className="mb-3 flex flex-wrap items-end gap-x-4 gap-y-2">
        <div className={classes("min-w-0 grow", body ? "basis-72" : "basis-32")}>
          <h2 className="text-[0.9375rem] font-semibold tracking-tight">{title}</h2>
          {body && <p className="mt-0.5 max-w-xl text-pretty text-muted">{body}</p>}
        </div>
        {action && <div className="ml-auto">{action}</div>}
      </div>
      {children}
    </section>
  );
}

interface CardProps {
  className?: string;
  children: ReactNode;
}

export function Card({ className, children }: CardProps) {
  return (
    <div className={classes("rounded-xl border border-line bg-raised shadow-soft", className)}>
      {children}
    </div>
  );
}

interface LoadMoreProps {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}

export function LoadMore({ list }: LoadMoreProps) {
  if (!list.hasNextPage) return null;
  return (
    <div className="mt-4 flex justify-center">
      <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {texts.actions.loadMore}
      </Button>
    </div>
  );
}
