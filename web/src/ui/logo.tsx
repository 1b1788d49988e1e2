/** The mark: an A whose second leg is a check mark. */

interface MarkProps {
  size?: number;
}

export function Mark({ size = 24 }: MarkProps) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden="true">
      <rect width="24" height="24" rx="6.5" className="fill-accent" />
      <g
        className="stroke-on-accent"
        strokeWidth="2.3"
        strokeLinecap="round"
        strokeLinejoin="round"
      >
        <path d="M6.1 18.1 12 6.1l2.6 5.2" />
        <path d="m9.5 14.9 2.6 2.6 6.1-7.1" />
      </g>
    </svg>
  );
}
