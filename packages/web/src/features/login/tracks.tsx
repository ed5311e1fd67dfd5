/** Faint converging tracks behind the form. */
export function Tracks({ className }: { className: string }) {
  return (
    <svg className={className} viewBox="0 0 1440 900" preserveAspectRatio="xMidYMid slice" fill="none" stroke="currentColor" aria-hidden>
      {[0, 1, 2, 3, 4, 5].map((lane) => (
        <g key={lane} strokeWidth="1.5">
          <path d={`M-20 ${640 + lane * 26} H 360 C 560 ${640 + lane * 26} 620 ${120 + lane * 44} 860 ${120 + lane * 44} H 1460`} />
          <path d={`M-20 ${640 + lane * 26} H 700 C 900 ${640 + lane * 26} 940 ${480 + lane * 60} 1140 ${480 + lane * 60} H 1460`} />
        </g>
      ))}
    </svg>
  );
}
