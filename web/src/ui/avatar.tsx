/** A person or workspace as initials on a colour that stays the same for the same name. */

import { classes } from "./classes";

const HUES = [
  "bg-[light-dark(oklch(0.92_0.045_164),oklch(0.36_0.05_164))] text-[light-dark(oklch(0.38_0.08_164),oklch(0.88_0.07_164))]",
  "bg-[light-dark(oklch(0.92_0.045_75),oklch(0.37_0.05_75))] text-[light-dark(oklch(0.41_0.08_65),oklch(0.88_0.07_75))]",
  "bg-[light-dark(oklch(0.92_0.04_255),oklch(0.37_0.05_255))] text-[light-dark(oklch(0.4_0.09_255),oklch(0.88_0.06_255))]",
  "bg-[light-dark(oklch(0.92_0.04_325),oklch(0.37_0.05_325))] text-[light-dark(oklch(0.41_0.09_325),oklch(0.88_0.06_325))]",
  "bg-[light-dark(oklch(0.92_0.04_30),oklch(0.37_0.05_30))] text-[light-dark(oklch(0.42_0.1_30),oklch(0.88_0.06_30))]",
] as const;

export function initialsOf(name: string): string {
  const words = name
    .trim()
    .split(/[\s._-]+/u)
    .filter(Boolean);
  const picked = words.length > 1 ? [words[0], words[words.length - 1]] : words.slice(0, 1);
  return picked
    .map((word) => [...(word ?? "")][0] ?? "")
    .join("")
    .toLocaleUpperCase();
}

function hueOf(name: string): string {
  let sum = 0;
  for (const character of name) sum = (sum * 31 + (character.codePointAt(0) ?? 0)) % 997;
  return HUES[sum % HUES.length] ?? HUES[0];
}

type AvatarSize = "small" | "medium" | "large";
type AvatarShape = "round" | "square";

const SIZES: Record<AvatarSize, string> = {
  small: "size-5 text-[0.625rem]",
  medium: "size-7 text-[0.6875rem]",
  large: "size-8 text-xs",
};

const SHAPES: Record<AvatarShape, string> = { round: "rounded-full", square: "rounded-md" };

interface AvatarProps {
  name: string;
  size?: AvatarSize;
  shape?: AvatarShape;
}

export function Avatar({ name, size = "medium", shape = "round" }: AvatarProps) {
  return (
    <span
      aria-hidden="true"
      className={classes(
        "inline-flex shrink-0 items-center justify-center font-semibold select-none",
        SIZES[size],
        SHAPES[shape],
        hueOf(name),
      )}
    >
      {initialsOf(name)}
    </span>
  );
}
