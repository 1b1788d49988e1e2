/** Text controls. */

import { Eye, EyeOff } from "lucide-react";
import { type ComponentProps, type KeyboardEvent, useState } from "react";
import { texts } from "../texts";
import { IconButton } from "./button";
import { classes } from "./classes";

const TEXT = "control w-full px-3 text-base outline-offset-0 sm:text-sm disabled:opacity-60";

export function TextInput({ className, ...rest }: ComponentProps<"input">) {
  return (
    <input type="text" {...rest} className={classes(TEXT, "h-9 pointer-coarse:h-10", className)} />
  );
}

export function TextArea({ className, ...rest }: ComponentProps<"textarea">) {
  return <textarea rows={3} {...rest} className={classes(TEXT, "resize-y py-2", className)} />;
}

export function PasswordInput({ className, ...rest }: ComponentProps<"input">) {
  const [shown, setShown] = useState(false);
  const [capsLock, setCapsLock] = useState(false);
  const watch = (event: KeyboardEvent) => setCapsLock(event.getModifierState("CapsLock"));
  return (
    <div className="flex flex-col gap-1.5">
      <div className="relative">
        <TextInput
          {...rest}
          type={shown ? "text" : "password"}
          onKeyDown={watch}
          onKeyUp={watch}
          onBlur={() => setCapsLock(false)}
          autoCapitalize="none"
          spellCheck={false}
          className={classes("pr-10", className)}
        />
        <IconButton
          label={shown ? texts.forms.hidePassword : texts.forms.showPassword}
          icon={shown ? EyeOff : Eye}
          onClick={() => setShown(!shown)}
          className="absolute top-1/2 right-1 -translate-y-1/2"
        />
      </div>
      <p role="status" className="text-[0.8125rem] text-on-caution-soft empty:hidden">
        {capsLock ? texts.forms.capsLock : ""}
      </p>
    </div>
  );
}
