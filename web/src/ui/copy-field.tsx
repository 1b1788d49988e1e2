/** A value to take away, with a button that copies it. */

import { Check, Copy } from "lucide-react";
import { useRef, useState } from "react";
import { texts } from "../texts";
import { Button } from "./button";
import { copyText } from "./copy-text";
import { Field } from "./field";

const SAY_COPIED_MS = 2_000;

interface CopyFieldProps {
  label: string;
  value: string;
}

export function CopyField({ label, value }: CopyFieldProps) {
  const [copied, setCopied] = useState(false);
  const input = useRef<HTMLInputElement>(null);

  async function copy() {
    if (!(await copyText(value, input.current))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), SAY_COPIED_MS);
  }

  return (
    <Field label={label}>
      {(control) => (
        <div className="flex gap-2">
          <input
            {...control}
            ref={input}
            readOnly
            value={value}
            onFocus={(event) => event.target.select()}
            className="control h-9 min-w-0 flex-1 px-3 font-mono text-[0.8125rem]"
          />
          <Button icon={copied ? Check : Copy} onClick={copy} className="h-9">
            <span aria-live="polite">{copied ? texts.actions.copied : texts.actions.copy}</span>
          </Button>
        </div>
      )}
    </Field>
  );
}
