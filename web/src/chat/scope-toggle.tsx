/** Which chats are listed: those of the chosen workspace, or all. */

import { texts } from "../texts";

const words = texts.chat.scope;

interface ScopeToggleProps {
  all: boolean;
  onChange: (all: boolean) => void;
}

export function ScopeToggle({ all, onChange }: ScopeToggleProps) {
  return (
    <fieldset aria-label={words.label} className="flex rounded-lg bg-hover p-0.5 text-xs">
      <Side label={words.here} pressed={!all} onPress={() => onChange(false)} />
      <Side label={words.all} pressed={all} onPress={() => onChange(true)} />
    </fieldset>
  );
}

interface SideProps {
  label: string;
  pressed: boolean;
  onPress: () => void;
}

function Side({ label, pressed, onPress }: SideProps) {
  return (
    <button
      type="button"
      aria-pressed={pressed}
      onClick={onPress}
      className="min-h-6 min-w-0 flex-1 truncate rounded-md px-2 text-muted transition-colors hover:text-ink aria-pressed:bg-raised aria-pressed:font-medium aria-pressed:text-ink aria-pressed:shadow-soft pointer-coarse:min-h-9"
    >
      {label}
    </button>
  );
}
