/**
 * Ends what hangs, and measures nothing: a test waits for many times of what it takes, since the machine may be busy.
 * Polls are for states that stay.
 */
export const timeouts = { testTimeout: 180_000, hookTimeout: 180_000, expect: { poll: { timeout: 60_000 } } }
