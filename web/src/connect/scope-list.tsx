/** What a program may do, in groups that can be left out as a whole or piece by piece. */

import { ChevronRight, Eye, type LucideIcon, PencilLine, ShieldCheck } from "lucide-react";
import { useId } from "react";
import { gives } from "../access/rules";
import type { ConsentScope } from "../api/types";
import { texts } from "../texts";
import { Badge } from "../ui/badge";
import { Tick } from "../ui/tick";
import {
  type Asked,
  describeScope,
  type GroupName,
  namePlace,
  type ScopeGroup,
  toggle,
} from "./scopes";

const words = texts.connect;

const ICONS: Record<GroupName, LucideIcon> = { see: Eye, prepare: PencilLine, assent: ShieldCheck };

interface Choosing {
  chosen: readonly string[];
  /** What was allowed before; what is not among it is new. */
  allowed: readonly string[];
  onToggle: (rules: readonly string[], on: boolean) => void;
}

interface ScopeListProps {
  asked: Asked;
  chosen: readonly string[];
  allowed: readonly string[];
  onChange: (chosen: string[]) => void;
}

export function ScopeList({ asked, chosen, allowed, onChange }: ScopeListProps) {
  const offered = asked.groups.flatMap(({ rules }) => rules);
  const choosing: Choosing = {
    chosen,
    allowed,
    onToggle: (rules, on) => onChange(toggle(chosen, { rules, on, offered })),
  };
  return (
    <div className="flex flex-col gap-2">
      {offered.length === 0 && <p className="text-pretty">{words.nothingHeld}</p>}
      {asked.groups.map((group) => (
        <Group key={group.name} group={group} open={asked.isShort} {...choosing} />
      ))}
      {asked.notHeld.length > 0 && <NotHeld scopes={asked.notHeld} />}
    </div>
  );
}

interface GroupProps extends Choosing {
  group: ScopeGroup;
  open: boolean;
}

function Group({ group, open, ...choosing }: GroupProps) {
  const id = useId();
  const { title, body } = words.groups[group.name];
  const Icon = ICONS[group.name];
  const picked = group.rules.filter((rule) => choosing.chosen.includes(rule)).length;
  const isNew = group.rules.filter((rule) => isAdded(rule, choosing.allowed)).length;
  const isAllNew = isNew === group.rules.length;
  return (
    <section aria-labelledby={id} className="rounded-xl border border-line bg-raised">
      <Tick
        checked={picked === group.rules.length}
        partly={picked > 0 && picked < group.rules.length}
        onChange={(on) => choosing.onToggle(group.rules, on)}
        className="items-start! rounded-t-xl px-3.5! py-3! *:first:mt-0.5"
      >
        <span className="min-w-0 flex-1">
          <span id={id} className="flex flex-wrap items-center gap-x-2 font-medium">
            <Icon size={15} aria-hidden="true" className="text-muted" />
            {title}
            {isNew > 0 && (
              <Badge tone="accent">{isAllNew ? words.isNew : words.someNew(isNew)}</Badge>
            )}
          </span>
          {group.name !== "assent" && (
            <span className="mt-0.5 block text-[0.8125rem] text-pretty">
              {words.inPlaces(group.places.map((place) => namePlace(place.name)))}
            </span>
          )}
          <span className="mt-0.5 block text-[0.8125rem] text-pretty text-muted">{body}</span>
        </span>
        <span className="text-xs text-muted tabular-nums">
          {words.chosen(picked, group.rules.length)}
        </span>
      </Tick>
      <details open={open || undefined} className="group border-t border-line">
        <Summary>{words.oneByOne}</Summary>
        <div className="flex flex-col gap-2 px-1.5 pb-2">
          {group.places.map(({ name, scopes }) => (
            <Place key={name} name={name} scopes={scopes} marksNew={!isAllNew} {...choosing} />
          ))}
        </div>
      </details>
    </section>
  );
}

function isAdded(rule: string, allowed: readonly string[]): boolean {
  return allowed.length > 0 && !gives(allowed, rule);
}

interface SummaryProps {
  children: string;
}

function Summary({ children }: SummaryProps) {
  return (
    <summary className="flex list-none items-center gap-1 rounded-b-xl px-3 py-2 text-[0.8125rem] text-muted hover:text-ink pointer-coarse:py-2.5 [&::-webkit-details-marker]:hidden">
      <ChevronRight
        size={14}
        aria-hidden="true"
        className="shrink-0 transition-transform duration-150 group-open:rotate-90"
      />
      {children}
    </summary>
  );
}

interface PlaceProps extends Choosing {
  name: string;
  scopes: readonly ConsentScope[];
  /** Where all of a group is new, the group says so. */
  marksNew: boolean;
}

function Place({ name, scopes, marksNew, chosen, allowed, onToggle }: PlaceProps) {
  return (
    <fieldset>
      <legend className="px-2 pt-1 pb-0.5 text-xs font-medium text-muted">{namePlace(name)}</legend>
      {scopes.map((scope) => (
        <Tick
          key={scope.rule}
          checked={chosen.includes(scope.rule)}
          onChange={(on) => onToggle([scope.rule], on)}
          className="rounded-lg px-2! py-1.5! pointer-coarse:py-2.5!"
        >
          <span className="flex min-w-0 flex-1 flex-wrap items-center gap-x-2" title={scope.rule}>
            {describeScope(scope)}
            {marksNew && isAdded(scope.rule, allowed) && <Badge tone="accent">{words.isNew}</Badge>}
          </span>
        </Tick>
      ))}
    </fieldset>
  );
}

interface NotHeldProps {
  scopes: readonly ConsentScope[];
}

function NotHeld({ scopes }: NotHeldProps) {
  return (
    <details className="group rounded-xl border border-dashed border-line">
      <Summary>{words.notHeld(scopes.length)}</Summary>
      <div className="px-4 pb-3 text-[0.8125rem] text-muted">
        <p className="text-pretty">{words.notHeldBody}</p>
        <ul className="mt-1.5 list-disc pl-4">
          {scopes.map((scope) => (
            <li key={scope.rule} title={scope.rule}>
              {describeScope(scope)}
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}
