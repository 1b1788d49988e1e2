/** A menu that opens from a button. */

import { Menu as Base } from "@base-ui/react/menu";
import { Check, type LucideIcon } from "lucide-react";
import type { ReactElement, ReactNode } from "react";
import { Link } from "react-router";
import { classes } from "./classes";

interface MenuProps {
  trigger: ReactElement;
  align?: "start" | "end";
  side?: "top" | "bottom" | "right";
  /** For a menu that something else opens too. */
  open?: boolean | undefined;
  onOpen?: (open: boolean) => void;
  children: ReactNode;
}

export function Menu({
  trigger,
  align = "end",
  side = "bottom",
  open,
  onOpen,
  children,
}: MenuProps) {
  return (
    <Base.Root
      {...(open === undefined ? {} : { open })}
      {...(onOpen === undefined ? {} : { onOpenChange: (wanted: boolean) => onOpen(wanted) })}
    >
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner align={align} side={side} sideOffset={4} className="z-50">
          <Base.Popup className="surface-popup max-h-(--available-height) max-w-72 min-w-[max(12rem,var(--anchor-width))] overflow-y-auto p-1">
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}

const ITEM =
  "flex min-h-8 w-full items-center gap-2.5 rounded-md px-2 py-1 text-left outline-none select-none " +
  "data-highlighted:bg-hover pointer-coarse:min-h-10";

interface ItemProps {
  icon?: LucideIcon;
  tone?: "plain" | "danger";
  onSelect: () => void;
  children: ReactNode;
}

export function MenuItem({ icon: Icon, tone = "plain", onSelect, children }: ItemProps) {
  return (
    <Base.Item
      onClick={onSelect}
      className={classes(ITEM, tone === "danger" && "text-danger data-highlighted:bg-danger-soft!")}
    >
      {Icon && (
        <Icon
          size={15}
          aria-hidden="true"
          className={tone === "plain" ? "text-muted" : undefined}
        />
      )}
      {children}
    </Base.Item>
  );
}

interface LinkItemProps {
  icon: LucideIcon;
  to: string;
  children: ReactNode;
}

export function MenuLink({ icon: Icon, to, children }: LinkItemProps) {
  return (
    <Base.LinkItem closeOnClick render={<Link to={to} />} className={ITEM}>
      <Icon size={15} aria-hidden="true" className="text-muted" />
      {children}
    </Base.LinkItem>
  );
}

interface DownloadProps {
  icon: LucideIcon;
  href: string;
  children: ReactNode;
}

export function MenuDownload({ icon: Icon, href, children }: DownloadProps) {
  return (
    <Base.LinkItem closeOnClick href={href} download className={ITEM}>
      <Icon size={15} aria-hidden="true" className="text-muted" />
      {children}
    </Base.LinkItem>
  );
}

interface RadioProps<Value extends string> {
  label?: string;
  value: Value;
  options: readonly { value: Value; label: string; icon?: ReactNode }[];
  onChange: (value: Value) => void;
}

export function MenuRadio<Value extends string>({
  label,
  value,
  options,
  onChange,
}: RadioProps<Value>) {
  return (
    <Base.Group>
      {label && (
        <Base.GroupLabel className="px-2 pt-1.5 pb-1 text-xs text-muted">{label}</Base.GroupLabel>
      )}
      <Base.RadioGroup value={value} onValueChange={onChange}>
        {options.map((option) => (
          <Base.RadioItem key={option.value} value={option.value} closeOnClick className={ITEM}>
            {option.icon}
            <span className="min-w-0 flex-1 truncate">{option.label}</span>
            <Base.RadioItemIndicator>
              <Check size={15} aria-hidden="true" className="text-accent" />
            </Base.RadioItemIndicator>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  );
}

export function MenuSeparator() {
  return <Base.Separator className="mx-2 my-1 h-px bg-line" />;
}
