import { type Operation, operations } from '@burgee/contract'
import type { ApiResponse } from '@burgee/testing/harness'
import type fc from 'fast-check'
import { expect } from 'vitest'
import { agreeOnUser } from '../agree.ts'
import { ask, type Real } from '../real.ts'
import { find, type Model, outcomeOf, type Rule } from '../state.ts'

type Request = Parameters<typeof ask>[2]

/** Builds the request of a command, and its effect on the model. */
export interface Spec<Given> {
  readonly operation: keyof typeof operations
  readonly rule: (given: Given) => Rule
  readonly request: (given: Given, model: Model, real: Real) => Request | Promise<Request>
  /** Compares a successful response with the model after the command. */
  readonly agree?: (given: Given, model: Model, real: Real, body: ApiResponse['body']) => unknown
}

/** One request to the server and to the model. Prints as the operation with its input. */
export class Command<Given> implements fc.AsyncCommand<Model, Real> {
  readonly #spec: Spec<Given>
  readonly #given: Given

  constructor(spec: Spec<Given>, given: Given) {
    this.#spec = spec
    this.#given = given
  }

  check(): boolean {
    return true
  }

  async run(model: Model, real: Real): Promise<void> {
    const { operation, rule, request, agree } = this.#spec
    const { faults, next } = outcomeOf(model, rule(this.#given))
    const answer = await ask(real, operation, await request(this.#given, model, real))
    const record: Operation = operations[operation]
    const wanted = faults.size > 0 ? [...faults] : [record.status]
    expect(wanted, `${this} answered ${answer.body?.message ?? 'a success'}`).toContain(answer.status)
    if (faults.size > 0) return
    Object.assign(model, next)
    await agree?.(this.#given, model, real, answer.body)
    if (record.method === 'GET') return
    // A change is visible to the next evaluation.
    const environment = find(model.environments, 'production') ?? model.environments[0]
    if (environment) await agreeOnUser(model, real, environment, 'bob')
  }

  toString(): string {
    return `${this.#spec.operation} ${JSON.stringify(this.#given)}`
  }
}

/** Repeats arbitrary commands of a kind by their weight. */
export function command<Given>(
  weight: number,
  given: fc.Arbitrary<Given>,
  spec: Spec<Given>
): fc.Arbitrary<fc.AsyncCommand<Model, Real>>[] {
  return Array.from({ length: weight }, () => given.map((it) => new Command(spec, it)))
}
