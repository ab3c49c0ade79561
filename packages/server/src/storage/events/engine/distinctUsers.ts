import { hash } from 'node:crypto'
import { HyperLogLog } from './hyperLogLog.ts'

/**
 * A set of users that can be counted: exact up to 512 users, a HyperLogLog sketch beyond. It contains no ids, only 52
 * bits of a digest of each.
 */
export class DistinctUsers {
  #exact: Set<number> | undefined = new Set()
  #sketch: HyperLogLog | undefined

  /** The number of users: exact, or with a standard error of 1.6 percent. */
  get size(): number {
    return this.#exact?.size ?? Math.round(this.#sketch?.estimate() ?? 0)
  }

  add(user_id: string): void {
    this.#addHash(hashUserId(user_id))
  }

  /** Whether the set has the digest of this user. A sketch has none. */
  hasExactly(user_id: string): boolean {
    return this.#exact?.has(hashUserId(user_id)) ?? false
  }

  /**
   * Replaces a user by another one; returns whether it was in the set. A sketch stays as it is: it has no digests of
   * single users.
   */
  replace(user_id: string, replacement: string): boolean {
    if (!this.#exact?.delete(hashUserId(user_id))) return false
    this.add(replacement)
    return true
  }

  /** Adds all users of another set. */
  merge(other: DistinctUsers): void {
    if (other.#sketch) this.#toSketch().merge(other.#sketch)
    else for (const user of other.#exact ?? []) this.#addHash(user)
  }

  /** Formats the set for `DistinctUsers.from`. */
  toText(): string {
    if (this.#sketch) return `~${Buffer.from(this.#sketch.registers).toString('base64')}`
    return Buffer.from(Float64Array.from(this.#exact ?? []).buffer).toString('base64')
  }

  static from(text: string): DistinctUsers {
    const set = new DistinctUsers()
    if (text.startsWith('~')) set.#toSketch().merge(new HyperLogLog(Buffer.from(text.slice(1), 'base64')))
    else for (const user of new Float64Array(Uint8Array.from(Buffer.from(text, 'base64')).buffer)) set.#addHash(user)
    return set
  }

  #addHash(user: number): void {
    this.#exact?.add(user)
    this.#sketch?.add(user)
    if (this.#exact && this.#exact.size > MAX_EXACT) this.#toSketch()
  }

  #toSketch(): HyperLogLog {
    const sketch = this.#sketch ?? new HyperLogLog()
    for (const user of this.#exact ?? []) sketch.add(user)
    this.#exact = undefined
    this.#sketch = sketch
    return sketch
  }
}

/** This many hashes take as much memory as a sketch. */
const MAX_EXACT = 512

function hashUserId(user_id: string): number {
  return Number.parseInt(hash('sha256', user_id).slice(0, 13), 16)
}
