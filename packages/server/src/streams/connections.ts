import type { Connection } from './connection.ts'

/** The connections that are open, by the environment that they tell about. */
export class Connections {
  readonly #byEnvironment = new Map<string, Set<Connection>>()
  #size = 0
  #publicSize = 0

  get size(): number {
    return this.#size
  }

  /** How many of them are open with keys that anybody can read. */
  get publicSize(): number {
    return this.#publicSize
  }

  add(connection: Connection): void {
    const { environment } = connection.subscriber
    const neighbours = this.#byEnvironment.get(environment) ?? new Set()
    this.#byEnvironment.set(environment, neighbours.add(connection))
    this.#size++
    if (isPublic(connection)) this.#publicSize++
  }

  /** Answers whether it was one of them. */
  remove(connection: Connection): boolean {
    const { environment } = connection.subscriber
    const neighbours = this.#byEnvironment.get(environment)
    if (!neighbours?.delete(connection)) return false
    if (neighbours.size === 0) this.#byEnvironment.delete(environment)
    this.#size--
    if (isPublic(connection)) this.#publicSize--
    return true
  }

  in(environment: string): readonly Connection[] {
    return [...(this.#byEnvironment.get(environment) ?? [])]
  }

  all(): readonly Connection[] {
    return [...this.#byEnvironment.values()].flatMap((some) => [...some])
  }
}

function isPublic({ subscriber }: Connection): boolean {
  return subscriber.keyType !== 'server'
}
