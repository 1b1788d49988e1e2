/** Choosing one of a few. */

import { Select as Base } from "@base-ui/react/select";
import { Check, ChevronsUpDown } from "lucide-react";
import { texts } from "../texts";
import { classes } from "./classes";
import type { ControlProps } from "./field";

export interface Choice<Value extends string = string> {
  value: Value;
  label: string;
  hint?: string;
}

interface SelectProps<Value extends string> extends Partial<ControlProps> {
  value: Value | null;
  choices: readonly Choice<Value>[];
  onChange: (value: Value) => void;
  label?: string;
  compact?: boolean;
  disabled?: boolean;
}

export function Select<Value extends string>({
  value,
  choices,
  onChange,
  label,
  compact = false,
  disabled = false,
  ...control
}: SelectProps<Value>) {
  return (
    <Base.Root
      items={choices}
      value={value}
      disabled={disabled}
      onValueChange={(chosen) => chosen !== null && onChange(chosen)}
    >
      <Base.Trigger
        {...control}
        aria-label={label}
        className={classes(
          "control flex min-w-0 items-center justify-between gap-2 px-3 text-left select-none disabled:opacity-60",
          compact ? "h-8 pointer-coarse:h-10" : "h-9 w-full pointer-coarse:h-10",
        )}
      >
        <Base.Value
          className="truncate data-placeholder:text-faint"
          placeholder={texts.forms.chooseOne}
        />
        <Base.Icon>
          <ChevronsUpDown size={14} aria-hidden="true" className="text-faint" />
        </Base.Icon>
      </Base.Trigger>
      <Base.Portal>
        <Base.Positioner sideOffset={4} alignItemWithTrigger={false} className="z-50">
          <Base.Popup className="surface-popup max-h-[min(20rem,var(--available-height))] max-w-[calc(100vw-1rem)] min-w-(--anchor-width) overflow-y-auto p-1">
            {choices.map((choice) => (
              <Base.Item key={choice.value} value={choice.value} className={OPTION}>
                <span className="flex min-w-0 flex-1 flex-col">
                  <Base.ItemText className="truncate">{choice.label}</Base.ItemText>
                  {choice.hint && <span className="text-xs text-muted">{choice.hint}</span>}
                </span>
                <Base.ItemIndicator>
                  <Check size={15} aria-hidden="true" className="text-accent" />
                </Base.ItemIndicator>
              </Base.Item>
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

export const OPTION =
  "flex min-h-8 items-center gap-3 rounded-md px-2 py-1 outline-none select-none " +
  "data-highlighted:bg-hover pointer-coarse:min-h-10";
