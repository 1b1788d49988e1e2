/** What the chat is called, what the assistant may do by itself, and which model answers. */

import { useQuery } from "@tanstack/react-query";
import { ShieldCheck, Zap } from "lucide-react";
import { type ConversationChange, integrationsQuery } from "../api/conversations";
import type { ConversationView, Mode } from "../api/types";
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
  const title = view.title || words.untitled;
  return (
    <header className="flex min-h-12 flex-wrap items-center gap-x-3 gap-y-1.5 border-b border-line px-4 py-2 sm:px-6">
      <title>{texts.title(title)}</title>
      <div className="flex min-w-0 flex-1 basis-48 items-center gap-1">
        <h1 className="min-w-0 truncate text-[0.9375rem] font-semibold tracking-tight">{title}</h1>
        {view.title !== "" && <ConversationMenu conversation={view} />}
      </div>
      <div className="flex min-w-0 flex-wrap items-center gap-2">
        <ModelPicker view={view} onChange={onChange} />
        <ModePicker mode={view.mode} onChange={(mode) => onChange({ mode })} />
      </div>
    </header>
  );
}

function ModelPicker({ view, onChange }: HeaderProps) {
  const { data } = useQuery(integrationsQuery);
  if (data === undefined) return null;
  const choices = buildModelChoices(data);
  if (choices.length === 0) return <DemoModel />;
  return (
    <Select
      compact
      label={words.model}
      value={chosenModel(view, data)}
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
