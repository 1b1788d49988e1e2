/** What the chat is called, who answers with which model, and what they may do by themselves. */

import { useQuery } from "@tanstack/react-query";
import { Maximize2, PanelRight, ShieldCheck, SquarePen, X, Zap } from "lucide-react";
import { agentChoicesQuery, integrationChoicesQuery } from "../api/assistant";
import type { ConversationChange } from "../api/conversations";
import type { AgentChoice, ConversationView, Mode } from "../api/types";
import { texts } from "../texts";
import { IconButton } from "../ui/button";
import { classes } from "../ui/classes";
import { Select } from "../ui/select";
import { findAgent } from "./agents";
import { ConversationMenu } from "./conversation-menu";
import { DemoModel } from "./demo-model";
import { buildModelChoices, chosenModel } from "./models";
import { usePlace } from "./place";
import { RecentMenu } from "./recent-menu";

const words = texts.chat;
const MODES: readonly Mode[] = ["approve", "auto"];

interface HeaderProps {
  view: ConversationView;
  onChange: (change: ConversationChange) => void;
}

export function Header({ view, onChange }: HeaderProps) {
  const { docked } = usePlace();
  const { data: agents = [] } = useQuery(agentChoicesQuery);
  const agent = findAgent(agents, view.agent);
  return (
    <header className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1 border-b border-line px-4 py-2 @2xl:px-6">
      <div className="flex min-w-0 flex-1 basis-64 items-center gap-1">
        <Title view={view} />
        {docked && <DockDeeds />}
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
        {!docked && <TuckButton />}
      </div>
    </header>
  );
}

interface TitleProps {
  view: ConversationView;
}

/** In the dock it is one part of a page that has a title of its own. */
function Title({ view }: TitleProps) {
  const { docked } = usePlace();
  const title = view.title || words.untitled;
  const Heading = docked ? "h2" : "h1";
  return (
    <>
      {!docked && <title>{texts.title(title)}</title>}
      <Heading className="min-w-0 truncate text-[0.9375rem] font-semibold tracking-tight">
        {title}
      </Heading>
      {view.title !== "" && <ConversationMenu conversation={view} />}
    </>
  );
}

function DockDeeds() {
  const { startNew, move, close } = usePlace();
  return (
    <div className="-mr-1.5 ml-auto flex gap-0.5">
      <RecentMenu />
      <IconButton label={words.new} icon={SquarePen} onClick={startNew} />
      <IconButton label={texts.dock.expand} icon={Maximize2} onClick={move} />
      <IconButton label={texts.dock.close} icon={X} onClick={close} />
    </div>
  );
}

/** Where there is no room beside a page, a sheet would show no more than this page does. */
function TuckButton() {
  return (
    <span className="-mr-1.5 hidden min-[75rem]:inline-flex">
      <IconButton label={texts.dock.tuck} icon={PanelRight} onClick={usePlace().move} />
    </span>
  );
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
