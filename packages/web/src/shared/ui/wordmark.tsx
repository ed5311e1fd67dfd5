import classes from './wordmark.module.css';

/** Mark and product name side by side. */
export function Wordmark({ productName, size = 24 }: { productName: string; size?: number }) {
  return (
    <span className={classes['wordmark']}>
      <Mark size={size} />
      <span className={classes['name']}>{productName}</span>
    </span>
  );
}

/** The logo: one track that a switch splits into two. `public/favicon.svg` is the same picture. */
function Mark({ size = 24 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 24 24" fill="none" aria-hidden>
      <rect width="24" height="24" rx="6.5" fill="var(--sy-accent)" />
      <path d="M4.5 16.25h15" stroke="#fff" strokeWidth="2" strokeLinecap="round" />
      <path d="M7 16.25c5 0 4.5-8.5 9.5-8.5h3" stroke="#fff" strokeWidth="2" strokeLinecap="round" />
      <circle cx="7.25" cy="16.25" r="2.25" fill="#fff" />
    </svg>
  );
}
