/** Where code is written: a fixed font, no spelling and no wrapping. Tab leaves it, as everywhere. */

import type { ControlProps } from "../../ui/field";
import { TextArea } from "../../ui/input";

interface CodeAreaProps extends Partial<ControlProps> {
  value: string;
  rows: number;
  onChange: (value: string) => void;
}

export function CodeArea({ value, rows, onChange, ...control }: CodeAreaProps) {
  return (
    <TextArea
      {...control}
      rows={rows}
      spellCheck={false}
      autoCapitalize="none"
      autoComplete="off"
      wrap="off"
      value={value}
      onChange={(event) => onChange(event.target.value)}
      className="overflow-x-auto font-mono text-[0.8125rem]! leading-relaxed"
    />
  );
}
