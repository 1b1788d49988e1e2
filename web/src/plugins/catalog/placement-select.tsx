/** Which workspace a dialog is about, where there are several. */

import { texts } from "../../texts";
import { Field } from "../../ui/field";
import { Select } from "../../ui/select";
import type { Placement } from "./placement";
import { choicesOf } from "./use-directory";

interface PlacementSelectProps {
  placement: Placement;
  value: string;
  onChange: (workspaceId: string) => void;
}

export function PlacementSelect({ placement, value, onChange }: PlacementSelectProps) {
  if (placement.options.length < 2) return null;
  return (
    <div className="px-5 pt-4">
      <Field label={texts.catalog.workspace}>
        {(control) => (
          <Select
            {...control}
            value={value}
            choices={choicesOf(placement.options)}
            onChange={onChange}
          />
        )}
      </Field>
    </div>
  );
}
