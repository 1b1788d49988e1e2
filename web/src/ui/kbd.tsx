/** A key on the keyboard. */

interface KeyProps {
  children: string;
}

export function Key({ children }: KeyProps) {
  return (
    <kbd className="inline-flex h-5 min-w-5 items-center justify-center rounded border border-line-strong bg-surface px-1 font-sans text-xs text-muted">
      {children}
    </kbd>
  );
}
