/** Buttons, and links that look like them. */

import { LoaderCircle, type LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { Link } from "react-router";
import { classes } from "./classes";
import { Tooltip } from "./tooltip";

export type ButtonVariant = "primary" | "secondary" | "ghost" | "danger";
export type ButtonSize = "small" | "medium" | "large";

const VARIANTS: Record<ButtonVariant, string> = {
  primary: "bg-accent text-on-accent shadow-soft hover:bg-accent-strong",
  secondary: "border border-line-strong bg-raised shadow-soft hover:border-faint",
  ghost: "text-muted hover:bg-hover hover:text-ink",
  danger: "bg-danger text-on-danger shadow-soft hover:bg-danger-strong",
};

const SIZES: Record<ButtonSize, string> = {
  small: "h-7 gap-1.5 rounded-md px-2.5 text-[0.8125rem] pointer-coarse:h-9",
  medium: "h-8 gap-1.5 rounded-lg px-3 pointer-coarse:h-10",
  large: "h-10 gap-2 rounded-lg px-4",
};

const SHAPE =
  "inline-flex shrink-0 items-center justify-center font-medium whitespace-nowrap select-none " +
  "transition-colors duration-100 aria-disabled:opacity-60 disabled:opacity-50";

interface Look {
  variant?: ButtonVariant;
  size?: ButtonSize;
  icon?: LucideIcon;
}

interface ButtonProps extends ComponentProps<"button">, Look {
  busy?: boolean;
  children: ReactNode;
}

export function Button({
  variant = "secondary",
  size = "medium",
  icon: Icon,
  busy = false,
  className,
  children,
  onClick,
  type = "button",
  ...rest
}: ButtonProps) {
  return (
    <button
      {...rest}
      type={busy ? "button" : type}
      aria-disabled={busy || undefined}
      aria-busy={busy || undefined}
      onClick={busy ? undefined : onClick}
      className={classes(SHAPE, VARIANTS[variant], SIZES[size], className)}
    >
      {busy ? <Spinner /> : Icon && <Icon size={15} aria-hidden="true" />}
      {children}
    </button>
  );
}

interface LinkButtonProps extends Look {
  to: string;
  children: ReactNode;
}

export function LinkButton({
  to,
  variant = "secondary",
  size = "medium",
  icon: Icon,
  children,
}: LinkButtonProps) {
  return (
    <Link to={to} className={classes(SHAPE, VARIANTS[variant], SIZES[size])}>
      {Icon && <Icon size={15} aria-hidden="true" />}
      {children}
    </Link>
  );
}

interface IconButtonProps extends ComponentProps<"button"> {
  label: string;
  icon: LucideIcon;
  tone?: "plain" | "danger";
}

const TONES: Record<"plain" | "danger", string> = {
  plain: "text-muted hover:bg-hover hover:text-ink",
  danger: "text-muted hover:bg-danger-soft hover:text-on-danger-soft",
};

export function IconButton({
  label,
  icon: Icon,
  tone = "plain",
  className,
  ...rest
}: IconButtonProps) {
  return (
    <Tooltip label={label}>
      <button
        type="button"
        aria-label={label}
        {...rest}
        className={classes(
          "inline-flex size-7 shrink-0 items-center justify-center rounded-md transition-colors duration-100",
          "data-popup-open:bg-pressed pointer-coarse:size-9",
          TONES[tone],
          className,
        )}
      >
        <Icon size={16} aria-hidden="true" />
      </button>
    </Tooltip>
  );
}

export function Spinner() {
  return (
    <LoaderCircle size={15} aria-hidden="true" className="animate-[spin_0.9s_linear_infinite]" />
  );
}
