import { withDeadline } from '@burgee/kit'
import type { Configs, EnvironmentInput } from '../../delivery/configs/configs.ts'
import { toJsonBuffer } from '../../delivery/downloads/toJsonBuffer.ts'
import { toEdgeConfig } from '../../delivery/replicas/toEdgeConfig.ts'
import { SECOND } from '../../lib/time.ts'

/** A worker, as the feed of configs sees it. */
interface FedWorker {
  /** Replaces the config of an environment; without a text, the environment was deleted. Resolves when it is in use. */
  readonly setConfig: (config: WorkerConfig) => Promise<void>
  /** The worker has all configs, and begins to evaluate. */
  readonly activate: () => Promise<void>
  /** Ends a worker that does not follow the changes. */
  readonly kill: () => void
}

/** The config of an environment. */
export interface WorkerConfig {
  readonly environment: string
  /** Its copy as JSON, in the format of edge nodes. */
  readonly text: string | undefined
}

/** Keeps the configs of workers in step with those of the main process. */
export interface ConfigFeed {
  /** Sends all configs to a worker, then every change. Returns the function to call when the worker has ended. */
  readonly attach: (worker: FedWorker) => () => void
  /** Whether all workers that evaluate do so with the changes so far. */
  readonly isSettled: () => boolean
  /** Resolves when each worker evaluates, or has ended. */
  readonly whenActive: () => Promise<void>
  /** Resolves when all workers that evaluate do so with the changes so far. */
  readonly settle: () => Promise<void>
  readonly close: () => void
}

/** Creates the feed of all workers. */
export function createConfigFeed(configs: Pick<Configs, 'ids' | 'environment' | 'subscribe'>): ConfigFeed {
  /** The number of changes so far. */
  let changes = 0
  const followers = new Set<Follower>()
  const texts = new WeakMap<EnvironmentInput['byType'], Promise<string>>()

  /** Returns the config of an environment as text, which is built once for all workers. */
  const textOf = async (environment: string): Promise<string | undefined> => {
    const found = configs.environment(environment)
    if (!found) return undefined
    const known = texts.get(found.byType) ?? toJsonBuffer(toEdgeConfig(found)).then(String)
    texts.set(found.byType, known)
    return known
  }
  const unsubscribe = configs.subscribe((environment) => {
    changes++
    for (const follower of followers) follower.onChange(environment)
  })
  const findBehind = () => [...followers].filter((follower) => follower.isBehind(changes))
  return {
    attach: (worker) => {
      const follower = new Follower(worker, { environments: configs.ids(), countChanges: () => changes, textOf })
      followers.add(follower)
      return () => {
        followers.delete(follower)
        follower.end()
      }
    },
    whenActive: async () => {
      await Promise.all([...followers].map((follower) => follower.activated))
    },
    isSettled: () => findBehind().length === 0,
    settle: async () => {
      await Promise.all(findBehind().map((follower) => follower.reach(changes)))
    },
    close: unsubscribe
  }
}

interface FollowerDependencies {
  readonly environments: readonly string[]
  readonly countChanges: () => number
  readonly textOf: (environment: string) => Promise<string | undefined>
}

/** Sends configs to one worker, one after the other. */
class Follower {
  readonly #worker: FedWorker
  readonly #dependencies: FollowerDependencies
  /** The environments whose current config has not been sent yet. */
  readonly #pending: Set<string>
  /** The number of changes that the worker evaluates with. */
  #applied = 0
  /** Whether the worker evaluates. Before that, it forwards all requests. */
  #isActive = false
  /** Resolves when the worker evaluates, or has ended. */
  readonly activated: Promise<void>
  #resolveActivated: () => void = () => {}
  #isSending = false
  #isEnded = false
  #waiting: { readonly changes: number; readonly resolve: () => void }[] = []

  constructor(worker: FedWorker, dependencies: FollowerDependencies) {
    this.#worker = worker
    this.#dependencies = dependencies
    this.#pending = new Set(dependencies.environments)
    this.activated = new Promise((resolve) => {
      this.#resolveActivated = resolve
    })
    void this.#sendPending()
  }

  onChange(environment: string): void {
    this.#pending.add(environment)
    void this.#sendPending()
  }

  isBehind(changes: number): boolean {
    return this.#isActive && this.#applied < changes
  }

  /** Resolves when the worker evaluates with the first `changes` changes, or has ended. */
  reach(changes: number): Promise<void> {
    return new Promise((resolve) => this.#waiting.push({ changes, resolve }))
  }

  end(): void {
    this.#isEnded = true
    this.#resolveActivated()
    this.#release(Number.POSITIVE_INFINITY)
  }

  async #sendPending(): Promise<void> {
    if (this.#isSending) return
    this.#isSending = true
    try {
      while (this.#pending.size > 0 && !this.#isEnded) {
        const changes = this.#dependencies.countChanges()
        const environments = [...this.#pending]
        this.#pending.clear()
        for (const environment of environments) await this.#send(environment)
        this.#applied = changes
        this.#release(changes)
      }
      if (!this.#isActive && !this.#isEnded) {
        // Nothing is awaited before: from here on, every change waits for this worker.
        this.#isActive = true
        this.#applied = this.#dependencies.countChanges()
        await this.#withinLimit(this.#worker.activate())
        this.#resolveActivated()
      }
      this.#isSending = false
    } catch {
      // The worker must not continue with outdated configs. Its replacement receives all of them.
      this.#worker.kill()
    }
    if (this.#pending.size > 0 && !this.#isSending) void this.#sendPending()
  }

  async #send(environment: string): Promise<void> {
    const text = await this.#dependencies.textOf(environment)
    const sending = this.#worker.setConfig({ environment, text })
    // Nothing waits for a worker that does not evaluate yet.
    if (!this.#isActive) return sending
    await this.#withinLimit(sending)
  }

  #withinLimit(call: Promise<void>): Promise<void> {
    return withDeadline(APPLY_MS, call, () => {
      throw new Error(`the worker did not answer within ${APPLY_MS} ms`)
    })
  }

  #release(changes: number): void {
    const reached = this.#waiting.filter((waiting) => waiting.changes <= changes)
    this.#waiting = this.#waiting.filter((waiting) => waiting.changes > changes)
    for (const { resolve } of reached) resolve()
  }
}

/** How long a worker may take to apply a change, in milliseconds. Responses of the main process wait meanwhile. */
const APPLY_MS = 5 * SECOND
