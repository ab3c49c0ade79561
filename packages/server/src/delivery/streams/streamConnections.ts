import { isPublicKeyType } from '@burgee/contract/access'
import type { StreamConnection } from './streamConnection.ts'

/** The open connections, by environment. */
export class StreamConnections {
  readonly #byEnvironment = new Map<string, Set<StreamConnection>>()
  readonly #publicByNetwork = new Map<string, number>()
  #size = 0
  #publicSize = 0

  get size(): number {
    return this.#size
  }

  /** The number of connections with public keys. */
  get publicSize(): number {
    return this.#publicSize
  }

  /** The number of connections with public keys from a network. */
  publicFrom(network: string): number {
    return this.#publicByNetwork.get(network) ?? 0
  }

  add(connection: StreamConnection): void {
    const { environment } = connection.subscriber
    const siblings = this.#byEnvironment.get(environment) ?? new Set()
    this.#byEnvironment.set(environment, siblings.add(connection))
    this.#size++
    if (isPublic(connection)) this.#countPublic(connection, 1)
  }

  /** Returns whether the connection was open. */
  remove(connection: StreamConnection): boolean {
    const { environment } = connection.subscriber
    const siblings = this.#byEnvironment.get(environment)
    if (!siblings?.delete(connection)) return false
    if (siblings.size === 0) this.#byEnvironment.delete(environment)
    this.#size--
    if (isPublic(connection)) this.#countPublic(connection, -1)
    return true
  }

  inEnvironment(environment: string): readonly StreamConnection[] {
    return [...(this.#byEnvironment.get(environment) ?? [])]
  }

  #countPublic({ subscriber: { network } }: StreamConnection, change: 1 | -1): void {
    this.#publicSize += change
    const count = this.publicFrom(network) + change
    if (count === 0) this.#publicByNetwork.delete(network)
    else this.#publicByNetwork.set(network, count)
  }

  all(): readonly StreamConnection[] {
    return [...this.#byEnvironment.values()].flatMap((some) => [...some])
  }
}

function isPublic({ subscriber }: StreamConnection): boolean {
  return isPublicKeyType(subscriber.keyType)
}
