/** Which tools an agent may use: all, or those that are ticked. */

import { useState } from "react";
import type { Tool } from "../api/types";
import { texts } from "../texts";
import { Badge, type BadgeTone } from "../ui/badge";
import { TextInput } from "../ui/input";
import { Tick } from "../ui/tick";

const words = texts.agents;

const TONES: Record<string, BadgeTone> = { mutate: "accent", destructive: "danger" };

/** In the form in which it is listed; a tool that is not there any more can still be taken away. */
type Listed = Pick<Tool, "name" | "title" | "description" | "effect">;

function listed(tools: readonly Tool[], chosen: readonly string[]): Listed[] {
  const known = new Set(tools.map(({ name }) => name));
  const unknown = chosen
    .filter((name) => !known.has(name))
    .map((name) => ({ name, title: name, description: words.unknownTool, effect: "" }));
  return [...tools, ...unknown];
}

function matches({ name, title, description }: Listed, search: string): boolean {
  return `${name} ${title} ${description}`.toLowerCase().includes(search.trim().toLowerCase());
}

interface ToolPickerProps {
  tools: readonly Tool[];
  /** Nothing means all. */
  chosen: readonly string[] | null;
  onChange: (chosen: string[] | null) => void;
}

export function ToolPicker({ tools, chosen, onChange }: ToolPickerProps) {
  return (
    <div className="overflow-hidden rounded-lg border border-line">
      <Tick
        checked={chosen === null}
        onChange={(all) => onChange(all ? null : [])}
        className="bg-hover"
      >
        <span className="min-w-0 flex-1">
          <span className="block font-medium">{words.everyTool}</span>
          <span className="block text-xs text-muted">{words.everyToolHint}</span>
        </span>
      </Tick>
      {chosen !== null && (
        <Choice tools={listed(tools, chosen)} chosen={chosen} onChange={onChange} />
      )}
    </div>
  );
}

interface ChoiceProps {
  tools: readonly Listed[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}

function Choice({ tools, chosen, onChange }: ChoiceProps) {
  const [search, setSearch] = useState("");
  const shown = tools.filter((tool) => matches(tool, search));
  const toggle = (name: string, on: boolean) => {
    const others = chosen.filter((other) => other !== name);
    onChange(on ? [...others, name] : others);
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5 border-t border-line px-3 py-2">
        <TextInput
          type="search"
          aria-label={words.searchTools}
          placeholder={words.searchTools}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          className="h-8! min-w-40 flex-1"
        />
        <span role="status" className="text-xs text-muted">
          {words.chosenTools(chosen.length, tools.length)}
        </span>
      </div>
      <div className="max-h-72 overflow-y-auto border-t border-line">
        {shown.length === 0 && (
          <p className="px-3 py-3 text-muted">{texts.forms.noOptionMatches}</p>
        )}
        {shown.map((tool) => (
          <Tick
            key={tool.name}
            checked={chosen.includes(tool.name)}
            onChange={(on) => toggle(tool.name, on)}
          >
            <ToolLine tool={tool} />
          </Tick>
        ))}
      </div>
    </>
  );
}

interface ToolLineProps {
  tool: Listed;
}

function ToolLine({ tool: { name, title, description, effect } }: ToolLineProps) {
  const label = words.effects[effect];
  return (
    <span className="min-w-0 flex-1">
      <span className="flex flex-wrap items-center gap-x-2">
        <span>{title}</span>
        <span className="font-mono text-xs text-muted">{name}</span>
        {label !== undefined && <Badge tone={TONES[effect] ?? "plain"}>{label}</Badge>}
      </span>
      <span className="line-clamp-2 text-xs text-muted">{description}</span>
    </span>
  );
}
