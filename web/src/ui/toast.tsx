/** Short messages that come and go, announced politely. */

import { CircleAlert, CircleCheck, type LucideIcon, X } from "lucide-react";
import { createContext, type ReactNode, use, useCallback, useEffect, useState } from "react";
import { texts } from "../texts";
import { IconButton } from "./button";

type ToastKind = "done" | "failed";

interface ToastEntry {
  id: number;
  kind: ToastKind;
  text: string;
}

type Say = (text: string, kind?: ToastKind) => void;

const KINDS: Record<ToastKind, { icon: LucideIcon; look: string; stayMs: number }> = {
  done: { icon: CircleCheck, look: "text-accent", stayMs: 4_000 },
  failed: { icon: CircleAlert, look: "text-danger", stayMs: 8_000 },
};

const MOST_AT_ONCE = 3;

const ToastContext = createContext<Say>(() => {});

export function useToast(): Say {
  return use(ToastContext);
}

interface ToastProps {
  entry: ToastEntry;
  onGone: (id: number) => void;
}

function Toast({ entry, onGone }: ToastProps) {
  const { icon: Icon, look, stayMs } = KINDS[entry.kind];
  useEffect(() => {
    const timer = setTimeout(() => onGone(entry.id), stayMs);
    return () => clearTimeout(timer);
  }, [entry.id, stayMs, onGone]);
  return (
    <li className="flex items-center gap-2.5 rounded-lg bg-raised py-1.5 pr-1.5 pl-3 shadow-float transition-[opacity,translate] duration-200 max-sm:starting:-translate-y-2 sm:starting:translate-y-2 starting:opacity-0">
      <Icon size={16} aria-hidden="true" className={look} />
      <span className="min-w-0 flex-1">{entry.text}</span>
      <IconButton label={texts.shell.dismiss} icon={X} onClick={() => onGone(entry.id)} />
    </li>
  );
}

interface ToastsProps {
  children: ReactNode;
}

export function Toasts({ children }: ToastsProps) {
  const [entries, setEntries] = useState<ToastEntry[]>([]);
  const say = useCallback<Say>((text, kind = "done") => {
    setEntries((current) => {
      const id = (current.at(-1)?.id ?? 0) + 1;
      return [...current, { id, kind, text }].slice(-MOST_AT_ONCE);
    });
  }, []);
  const drop = useCallback((id: number) => {
    setEntries((current) => current.filter((entry) => entry.id !== id));
  }, []);
  return (
    <ToastContext value={say}>
      {children}
      <section
        aria-label={texts.shell.notifications}
        aria-live="polite"
        className="pointer-events-none fixed inset-x-3 z-60 flex justify-end max-sm:top-16 sm:bottom-3"
      >
        <ul className="pointer-events-auto flex w-full max-w-sm flex-col gap-2">
          {entries.map((entry) => (
            <Toast key={entry.id} entry={entry} onGone={drop} />
          ))}
        </ul>
      </section>
    </ToastContext>
  );
}
