/** Facts about one thing: each with its name above. */

import type { ReactNode } from "react";

interface FactsProps {
  className?: string;
  children: ReactNode;
}

export function Facts({ className = "grid gap-4 sm:grid-cols-2", children }: FactsProps) {
  return <dl className={className}>{children}</dl>;
}

interface FactProps {
  label: string;
  wide?: boolean;
  children: ReactNode;
}

export function Fact({ label, wide = false, children }: FactProps) {
  return (
    <div className={wide ? "min-w-0 sm:col-span-2" : "min-w-0"}>
      <dt className="mb-1 text-xs text-muted">{label}</dt>
      <dd className="wrap-anywhere">{children}</dd>
    </div>
  );
}
