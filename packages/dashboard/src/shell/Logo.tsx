/** The burgee: a swallow-tailed pennant at its hoist. */
export function Logo() {
  return (
    <svg width="24" height="24" viewBox="0 0 32 32" fill="var(--brand)" aria-hidden="true">
      <path d="M4 3h2.5v26H4zM8 5l21 2.6-7 6.4 7 6.4L8 23z" />
    </svg>
  )
}
