/** Choosing from many, with a search: one entry or several. */

import { Combobox } from "@base-ui/react/combobox";
import { Check, X } from "lucide-react";
import { type RefObject, useRef } from "react";
import { texts } from "../texts";
import { classes } from "./classes";
import type { ControlProps } from "./field";
import { type Choice, OPTION } from "./select";

interface OptionsProps {
  anchor?: RefObject<HTMLElement | null>;
}

function Options({ anchor }: OptionsProps) {
  return (
    <Combobox.Portal>
      <Combobox.Positioner anchor={anchor} sideOffset={4} className="z-50">
        <Combobox.Popup className="surface-popup max-h-[min(18rem,var(--available-height))] w-(--anchor-width) overflow-y-auto p-1">
          <Combobox.Empty className="px-2 py-1.5 text-muted empty:p-0">
            {texts.forms.noOptionMatches}
          </Combobox.Empty>
          <Combobox.List>
            {(choice: Choice) => (
              <Combobox.Item key={choice.value} value={choice} className={OPTION}>
                <span className="flex min-w-0 flex-1 items-baseline gap-2">
                  <span className="truncate">{choice.label}</span>
                  {choice.hint && (
                    <span className="truncate text-xs text-muted">{choice.hint}</span>
                  )}
                </span>
                <Combobox.ItemIndicator>
                  <Check size={15} aria-hidden="true" className="text-accent" />
                </Combobox.ItemIndicator>
              </Combobox.Item>
            )}
          </Combobox.List>
        </Combobox.Popup>
      </Combobox.Positioner>
    </Combobox.Portal>
  );
}

const sameValue = (one: Choice, other: Choice) => one.value === other.value;

interface PickOneProps extends Partial<ControlProps> {
  value: string | null;
  choices: readonly Choice[];
  onChange: (value: string | null) => void;
  placeholder: string;
}

export function PickOne({ value, choices, onChange, placeholder, ...control }: PickOneProps) {
  return (
    <Combobox.Root
      items={choices}
      value={choices.find((choice) => choice.value === value) ?? null}
      onValueChange={(choice: Choice | null) => onChange(choice?.value ?? null)}
      isItemEqualToValue={sameValue}
    >
      <Combobox.Input
        {...control}
        placeholder={placeholder}
        className="control h-9 w-full px-3 text-base sm:text-sm pointer-coarse:h-10"
      />
      <Options />
    </Combobox.Root>
  );
}

interface PickManyProps extends Partial<ControlProps> {
  values: readonly string[];
  choices: readonly Choice[];
  onChange: (values: string[]) => void;
  placeholder: string;
}

/** Values without a choice (gone, or not visible) are kept: leaving a form must not drop them. */
export function PickMany({ values, choices, onChange, placeholder, ...control }: PickManyProps) {
  const box = useRef<HTMLDivElement>(null);
  const chosen = values.map(
    (value) =>
      choices.find((choice) => choice.value === value) ?? { value, label: texts.catalog.unknown },
  );
  return (
    <Combobox.Root
      multiple
      items={choices}
      value={chosen}
      onValueChange={(picked: Choice[]) => onChange(picked.map((choice) => choice.value))}
      isItemEqualToValue={sameValue}
    >
      <Combobox.Chips
        ref={box}
        className="control flex min-h-9 flex-wrap items-center gap-1 p-1 focus-within:outline-2"
      >
        {chosen.map((choice) => (
          <Combobox.Chip
            key={choice.value}
            aria-label={choice.label}
            className="flex h-7 min-w-0 items-center gap-0.5 rounded-md bg-hover pr-0.5 pl-2 outline-none data-highlighted:bg-accent-soft"
          >
            <span className="truncate">{choice.label}</span>
            <Combobox.ChipRemove
              aria-label={texts.actions.remove(choice.label)}
              className="flex size-6 items-center justify-center rounded text-muted hover:bg-pressed hover:text-ink"
            >
              <X size={13} aria-hidden="true" />
            </Combobox.ChipRemove>
          </Combobox.Chip>
        ))}
        <Combobox.Input
          {...control}
          placeholder={chosen.length === 0 ? placeholder : ""}
          className={classes(
            "h-7 min-w-12 flex-1 bg-transparent text-base outline-none! sm:text-sm",
            chosen.length === 0 ? "px-2" : "px-1",
          )}
        />
      </Combobox.Chips>
      <Options anchor={box} />
    </Combobox.Root>
  );
}
