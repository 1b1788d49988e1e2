/** Choosing the theme by looking at it. */

import { Radio } from "@base-ui/react/radio";
import { RadioGroup } from "@base-ui/react/radio-group";
import { THEMES, type Theme } from "../session/theme";
import { texts } from "../texts";
import { classes } from "../ui/classes";

const SCHEMES: Record<Theme, string[]> = {
  system: ["scheme-light", "scheme-dark"],
  light: ["scheme-light"],
  dark: ["scheme-dark"],
};

interface ThemePickerProps {
  theme: Theme;
  onChange: (theme: Theme) => void;
}

export function ThemePicker({ theme, onChange }: ThemePickerProps) {
  return (
    <RadioGroup
      aria-label={texts.shell.theme}
      value={theme}
      onValueChange={onChange}
      className="grid grid-cols-3 gap-3"
    >
      {THEMES.map((value) => (
        <Radio.Root
          key={value}
          value={value}
          aria-label={texts.shell.themes[value]}
          className="group flex cursor-pointer flex-col gap-2 rounded-xl text-left"
        >
          <span className="flex h-20 w-full overflow-hidden rounded-xl border border-line-strong group-data-checked:border-accent group-data-checked:ring-1 group-data-checked:ring-accent sm:h-24">
            {SCHEMES[value].map((scheme) => (
              <Miniature key={scheme} scheme={scheme} />
            ))}
          </span>
          <span
            className={classes(
              "px-0.5 text-[0.8125rem] text-muted",
              "group-data-checked:font-medium group-data-checked:text-ink",
            )}
          >
            {texts.shell.themes[value]}
          </span>
        </Radio.Root>
      ))}
    </RadioGroup>
  );
}

interface MiniatureProps {
  scheme: string;
}

function Miniature({ scheme }: MiniatureProps) {
  return (
    <span aria-hidden="true" className={classes("flex flex-1 gap-1.5 bg-canvas p-2 pb-0", scheme)}>
      <span className="flex w-1/4 flex-col gap-1.5 pt-1">
        <span className="h-1.5 w-2/3 rounded-full bg-accent" />
        <span className="h-1 w-full rounded-full bg-line-strong" />
        <span className="h-1 w-3/4 rounded-full bg-line-strong" />
      </span>
      <span className="flex flex-1 flex-col gap-1.5 rounded-t-md border border-b-0 border-line bg-surface p-2">
        <span className="h-1.5 w-1/2 rounded-full bg-ink" />
        <span className="h-1 w-full rounded-full bg-line-strong" />
        <span className="h-1 w-5/6 rounded-full bg-line-strong" />
      </span>
    </span>
  );
}
