/** A long fingerprint, shortened to what one compares at a glance; a click copies all of it. */

import { Check, Copy } from "lucide-react";
import { useState } from "react";
import { texts } from "../texts";
import { copyText } from "./copy-text";

const SHOWN = 12;
const SAY_COPIED_MS = 2_000;

interface ShortHashProps {
  hash: string;
  label: string;
  whole?: boolean;
}

export function ShortHash({ hash, label, whole = false }: ShortHashProps) {
  const [copied, setCopied] = useState(false);
  const Icon = copied ? Check : Copy;

  async function copy() {
    if (!(await copyText(hash))) return;
    setCopied(true);
    setTimeout(() => setCopied(false), SAY_COPIED_MS);
  }

  return (
    <button
      type="button"
      title={hash}
      onClick={() => void copy()}
      className="relative inline-flex items-center gap-1.5 rounded font-mono text-xs text-muted hover:text-ink pointer-coarse:py-1.5"
    >
      <span className="sr-only">{label}</span>
      <span className={whole ? "text-left text-[0.6875rem] wrap-anywhere" : undefined}>
        {whole ? hash : hash.slice(0, SHOWN)}
      </span>
      <Icon size={12} aria-hidden="true" className="shrink-0" />
      <span role="status" className="sr-only">
        {copied ? texts.actions.copied : ""}
      </span>
    </button>
  );
}
