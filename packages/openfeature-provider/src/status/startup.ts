/** A start that succeeds, fails, or reaches its deadline. A pending start keeps the process alive. */
export class Startup {
  readonly promise: Promise<void>
  hasEnded = false
  readonly #deadline: NodeJS.Timeout
  #resolve: () => void = () => {}
  #reject: (error: Error) => void = () => {}

  constructor(timeoutMs: number, onDeadline: () => void) {
    this.promise = new Promise((resolve, reject) => {
      this.#resolve = resolve
      this.#reject = reject
    })
    this.#deadline = setTimeout(onDeadline, timeoutMs)
  }

  succeed(): void {
    this.#end()
    this.#resolve()
  }

  fail(error: Error): void {
    if (this.hasEnded) return
    this.#end()
    this.#reject(error)
  }

  #end(): void {
    this.hasEnded = true
    clearTimeout(this.#deadline)
  }
}
