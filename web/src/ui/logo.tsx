/** The mark: an A whose crossbar is a check mark. */

interface MarkProps {
  size?: number;
}

export function Mark({ size = 24 }: MarkProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <rect width="24" height="24" rx="6.5" className="fill-accent" />
      <g
        className="stroke-on-accent"
        strokeWidth="1.9"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d="M5.9 18 11.1 6.6a1 1 0 0 1 1.8 0L18.1 18" />
        <path d="m9.3 14.6 2.1 2.1 3.6-4.4" />
      </g>
    </svg>
  );
}
