/** What the chat is called, who answers with which model, and what they may do by themselves. */

import { useQuery } from "@tanstack/react-query";
import { ShieldCheck, Zap } from "lucide-react";
import { agentChoicesQuery, integrationChoicesQuery } from "../api/assistant";
import type { ConversationChange } from "../api/conversations";
import type { AgentChoice, ConversationView, Mode } from "../api/types";
import { texts } from "../texts";
import { classes } from "../ui/classes";
import { Select } from "../ui/select";
import { ConversationMenu } from "./conversation-menu";
import { DemoModel } from "./demo-model";
import { buildModelChoices, chosenModel } from "./models";

const words = texts.chat;
const MODES: readonly Mode[] = ["approve", "auto"];

interface HeaderProps {
  view: ConversationView;
  onChange: (change: ConversationChange) => void;
}

export function Header({ view, onChange }: HeaderProps) {
  const { data: agents = [] } = useQuery(agentChoicesQuery);
  const agent = findAgent(agents, view.agent);
  const title = view.title || words.untitled;
  return (
    <header className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line px-4 py-2 sm:px-6">
      <title>{texts.title(title)}</title>
      <div className="flex min-w-0 flex-1 basis-48 items-center gap-1">
        <h1 className="min-w-0 truncate text-[0.9375rem] font-semibold tracking-tight">{title}</h1>
        {view.title !== "" && <ConversationMenu conversation={view} />}
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        {agents.length > 1 && (
          <AgentPicker
            agents={agents}
            chosen={agent}
            onChange={(slug) => onChange({ agent: slug })}
          />
        )}
        <ModelPicker view={view} agent={agent} onChange={onChange} />
        <ModePicker mode={view.mode} onChange={(mode) => onChange({ mode })} />
      </div>
    </header>
  );
}

/** One that is gone or was switched off is answered for by the default one. */
function findAgent(agents: readonly AgentChoice[], slug: string | null): AgentChoice | undefined {
  return agents.find((agent) => agent.slug === slug) ?? agents.find(({ isDefault }) => isDefault);
}

interface AgentPickerProps {
  agents: readonly AgentChoice[];
  chosen: AgentChoice | undefined;
  onChange: (slug: string) => void;
}

function AgentPicker({ agents, chosen, onChange }: AgentPickerProps) {
  return (
    <Select
      compact
      label={words.agent}
      value={chosen?.slug ?? null}
      choices={agents.map(({ slug, name }) => ({ value: slug, label: name, hint: slug }))}
      onChange={onChange}
    />
  );
}

interface ModelPickerProps extends HeaderProps {
  agent: AgentChoice | undefined;
}

function ModelPicker({ view, agent, onChange }: ModelPickerProps) {
  const { data } = useQuery(integrationChoicesQuery);
  if (data === undefined) return null;
  const choices = buildModelChoices(data);
  if (choices.length === 0) return <DemoModel />;
  return (
    <Select
      compact
      label={words.model}
      value={chosenModel(agent === undefined ? [view] : [view, agent], data)}
      choices={choices}
      onChange={(value) => {
        const chosen = choices.find((choice) => choice.value === value);
        if (chosen) onChange({ integrationId: chosen.integrationId, model: chosen.model });
      }}
    />
  );
}

interface ModePickerProps {
  mode: Mode;
  onChange: (mode: Mode) => void;
}

function ModePicker({ mode, onChange }: ModePickerProps) {
  const Icon = mode === "auto" ? Zap : ShieldCheck;
  return (
    <div className="flex items-center gap-1.5">
      <Icon
        size={15}
        aria-hidden="true"
        className={classes("shrink-0", mode === "auto" ? "text-on-caution-soft" : "text-accent")}
      />
      <Select
        compact
        label={words.mode}
        value={mode}
        choices={MODES.map((value) => ({
          value,
          label: words.modes[value],
          hint: words.modeHints[value],
        }))}
        onChange={onChange}
      />
    </div>
  );
}
