/** All keyboard shortcuts, opened with `?`. */

import type { ReactNode } from "react";
import { texts } from "../texts";
import { Dialog, DialogBody } from "../ui/dialog";
import { Key } from "../ui/kbd";
import type { Destination } from "./navigation";

interface ShortcutListProps {
  open: boolean;
  onClose: () => void;
  destinations: readonly Destination[];
}

const GENERAL = [
  { keys: ["/"], label: texts.shortcuts.search },
  { keys: ["["], label: texts.shortcuts.sidebar },
  { keys: ["]"], label: texts.shortcuts.dock },
  { keys: ["Ctrl", "J"], label: texts.shortcuts.dockTyping },
  { keys: ["?"], label: texts.shortcuts.help },
  { keys: ["Esc"], label: texts.shortcuts.close },
];

const CHAT = [
  { keys: ["Enter"], label: texts.shortcuts.send },
  { keys: ["Shift", "Enter"], label: texts.shortcuts.newLine },
  { keys: ["Esc"], label: texts.shortcuts.stop },
  { keys: ["↑"], label: texts.shortcuts.editLast },
];

export function ShortcutList({ open, onClose, destinations }: ShortcutListProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={texts.shortcuts.title}
      width="narrow"
      closesOutside
    >
      <DialogBody>
        <Shortcuts title={texts.shortcuts.goTo}>
          {destinations.map(({ to, label, letter }) =>
            letter === null ? null : (
              <Shortcut key={to} label={label}>
                <Key>G</Key>
                <span className="text-xs text-faint">{texts.shortcuts.andThen}</span>
                <Key>{letter.toUpperCase()}</Key>
              </Shortcut>
            ),
          )}
        </Shortcuts>
        <Keys title={texts.shortcuts.chat} entries={CHAT} />
        <Keys title={texts.shortcuts.general} entries={GENERAL} />
      </DialogBody>
    </Dialog>
  );
}

interface KeysProps {
  title: string;
  entries: readonly { keys: readonly string[]; label: string }[];
}

function Keys({ title, entries }: KeysProps) {
  return (
    <Shortcuts title={title}>
      {entries.map(({ keys, label }) => (
        <Shortcut key={label} label={label}>
          {keys.map((key) => (
            <Key key={key}>{key}</Key>
          ))}
        </Shortcut>
      ))}
    </Shortcuts>
  );
}

interface ShortcutsProps {
  title: string;
  children: ReactNode;
}

function Shortcuts({ title, children }: ShortcutsProps) {
  return (
    <section>
      <h3 className="mb-1 text-xs font-medium text-muted">{title}</h3>
      <dl className="divide-y divide-line">{children}</dl>
    </section>
  );
}

interface ShortcutProps {
  label: string;
  children: ReactNode;
}

function Shortcut({ label, children }: ShortcutProps) {
  return (
    <div className="flex h-9 items-center justify-between gap-4">
      <dt>{label}</dt>
      <dd className="flex items-center gap-1.5">{children}</dd>
    </div>
  );
}
