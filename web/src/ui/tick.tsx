/** A checkbox with whatever stands beside it; all of it can be pressed. */

import { Checkbox } from "@base-ui/react/checkbox";
import { Check, Minus } from "lucide-react";
import { type ReactNode, useId } from "react";
import { classes } from "./classes";

interface TickProps {
  checked: boolean;
  /** Some of what it stands for is chosen. */
  partly?: boolean;
  /** It follows from something else and cannot be changed here. */
  implied?: boolean;
  onChange: (checked: boolean) => void;
  className?: string;
  children: ReactNode;
}

export function Tick({
  checked,
  partly = false,
  implied = false,
  onChange,
  className,
  children,
}: TickProps) {
  const id = useId();
  return (
    <label
      htmlFor={id}
      className={classes(
        "flex cursor-pointer items-center gap-3 px-3 py-2 hover:bg-hover",
        className,
      )}
    >
      <Checkbox.Root
        id={id}
        checked={checked}
        indeterminate={partly}
        disabled={implied}
        onCheckedChange={onChange}
        className="flex size-4 shrink-0 items-center justify-center rounded border border-line-strong bg-raised data-checked:border-accent data-checked:bg-accent data-indeterminate:border-accent data-indeterminate:bg-accent data-disabled:opacity-50"
      >
        <Checkbox.Indicator className="text-on-accent">
          {partly ? <Minus size={12} strokeWidth={3} /> : <Check size={12} strokeWidth={3} />}
        </Checkbox.Indicator>
      </Checkbox.Root>
      {children}
    </label>
  );
}
