/** Passes a value to `next`, at once if it is available, so that work that waits for nothing creates no promise. */
export function whenReady<T, R>(value: T | Promise<T>, next: (value: T) => R | Promise<R>): R | Promise<R> {
  return value instanceof Promise ? value.then(next) : next(value)
}
