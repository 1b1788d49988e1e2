/** The destinations, as links. */

import type { ReactNode } from "react";
import { NavLink } from "react-router";
import { texts } from "../texts";
import { classes } from "../ui/classes";
import { Key } from "../ui/kbd";
import { Tooltip } from "../ui/tooltip";
import type { Destination, Navigation } from "./navigation";

interface NavigationListProps {
  navigation: Navigation;
  collapsed?: boolean;
  /** Below the destinations, scrolling with them. */
  children?: ReactNode;
}

export function NavigationList({ navigation, collapsed = false, children }: NavigationListProps) {
  return (
    <nav
      aria-label={texts.shell.mainNavigation}
      className="-mx-1 flex min-h-0 flex-1 flex-col gap-4 overflow-y-auto px-1"
    >
      <div className="-mx-1 flex min-h-72 flex-1 flex-col gap-4 overflow-y-auto px-1 pointer-coarse:min-h-88">
        <Destinations destinations={navigation.top} collapsed={collapsed} />
        {!navigation.complete && <NavigationSkeleton />}
        {navigation.sections.map(({ heading, destinations }) => (
          <div key={destinations[0]?.to}>
            {heading !== null && !collapsed && (
              <p className="px-2 pb-1 text-xs font-medium text-faint">{heading}</p>
            )}
            <Destinations destinations={destinations} collapsed={collapsed} />
          </div>
        ))}
        {children}
      </div>
      <Destinations destinations={navigation.fixed} collapsed={collapsed} beside={!collapsed} />
    </nav>
  );
}

function NavigationSkeleton() {
  return (
    <div aria-hidden="true" className="flex flex-col gap-3 px-2 py-2">
      <span className="skeleton h-4" />
      <span className="skeleton h-4 w-4/5" />
      <span className="skeleton h-4 w-11/12" />
    </div>
  );
}

interface DestinationsProps {
  destinations: readonly Destination[];
  collapsed: boolean;
  /** Two in a row: what is seldom gone to leaves the height to the chats. */
  beside?: boolean;
}

function Destinations({ destinations, collapsed, beside = false }: DestinationsProps) {
  return (
    <ul className={beside ? "grid grid-cols-[7fr_6fr] gap-0.5" : "flex flex-col gap-0.5"}>
      {destinations.map((destination) => (
        <li key={destination.to}>
          <DestinationLink destination={destination} collapsed={collapsed} />
        </li>
      ))}
    </ul>
  );
}

interface DestinationLinkProps {
  destination: Destination;
  collapsed: boolean;
}

function DestinationLink({ destination, collapsed }: DestinationLinkProps) {
  const { to, label, icon: Icon, letter, waiting } = destination;
  return (
    <Tooltip label={<LinkHint label={label} letter={letter} />} side="right" disabled={!collapsed}>
      <NavLink
        to={to}
        className={classes(
          "group relative flex h-8 items-center gap-2.5 rounded-lg text-muted transition-colors duration-100 pointer-coarse:h-10",
          "hover:bg-hover hover:text-ink aria-[current=page]:bg-pressed aria-[current=page]:font-medium aria-[current=page]:text-ink",
          collapsed ? "justify-center" : "px-2",
        )}
      >
        <Icon
          size={16}
          strokeWidth={1.85}
          aria-hidden="true"
          className="shrink-0 group-aria-[current=page]:text-accent"
        />
        <span className={collapsed ? "sr-only" : "truncate"}>{label}</span>
        {waiting !== null && <Waiting count={waiting} collapsed={collapsed} />}
      </NavLink>
    </Tooltip>
  );
}

interface WaitingProps {
  count: string;
  collapsed: boolean;
}

function Waiting({ count, collapsed }: WaitingProps) {
  const said = <span className="sr-only">, {texts.shell.waiting(count)}</span>;
  if (collapsed) {
    return (
      <span className="absolute top-1.5 right-2 size-2 rounded-full bg-accent ring-2 ring-canvas">
        {said}
      </span>
    );
  }
  return (
    <span className="ml-auto flex h-5 min-w-5 items-center justify-center rounded-full bg-accent px-1.5 text-xs font-medium text-on-accent tabular-nums">
      <span aria-hidden="true">{count}</span>
      {said}
    </span>
  );
}

interface LinkHintProps {
  label: string;
  letter: string | null;
}

function LinkHint({ label, letter }: LinkHintProps) {
  return (
    <span className="flex items-center gap-2">
      {label}
      {letter !== null && (
        <span className="flex gap-1">
          <Key>G</Key>
          <Key>{letter.toUpperCase()}</Key>
        </span>
      )}
    </span>
  );
}
