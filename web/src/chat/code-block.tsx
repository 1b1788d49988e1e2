/** Code as it is, with a way to copy it. */

import { Check, Copy } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { texts } from "../texts";
import { IconButton } from "../ui/button";
import { copyText } from "../ui/copy-text";

interface CodeBlockProps {
  children: ReactNode;
}

export function CodeBlock({ children }: CodeBlockProps) {
  const block = useRef<HTMLPreElement>(null);
  const [copied, setCopied] = useState(false);

  async function copy() {
    setCopied(await copyText(block.current?.textContent ?? ""));
  }

  return (
    <div className="group relative">
      <pre
        ref={block}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls sideways must be reachable by keyboard.
        tabIndex={0}
        className="overflow-x-auto rounded-lg border border-line bg-canvas px-3.5 py-3 pr-11 font-mono text-[0.8125rem] leading-relaxed"
      >
        {children}
      </pre>
      <IconButton
        label={copied ? texts.actions.copied : texts.chat.copyCode}
        icon={copied ? Check : Copy}
        onClick={() => void copy()}
        className="absolute top-2 right-2"
      />
    </div>
  );
}
