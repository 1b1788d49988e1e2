/** On or off, at once. */

import { Switch as Base } from "@base-ui/react/switch";

interface SwitchProps {
  label: string;
  checked: boolean;
  onChange: (checked: boolean) => void;
}

export function Switch({ label, checked, onChange }: SwitchProps) {
  return (
    <Base.Root
      aria-label={label}
      checked={checked}
      onCheckedChange={onChange}
      className="flex h-5 w-9 shrink-0 items-center rounded-full border border-line-strong bg-pressed p-0.5 transition-colors duration-150 data-checked:border-accent data-checked:bg-accent"
    >
      <Base.Thumb className="size-3.5 rounded-full bg-muted transition-transform duration-150 data-checked:translate-x-4 data-checked:bg-on-accent" />
    </Base.Root>
  );
}
