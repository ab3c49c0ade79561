import fc from 'fast-check'
import { agreeOnUser, agreeWholly, users } from '../agree.ts'
import { environmentKey } from '../arbitraries.ts'
import type { Real } from '../real.ts'
import { find, type Model } from '../state.ts'
import { audienceCommands, createAudience } from './audienceCommands.ts'
import { Command } from './command.ts'
import { environmentCommands } from './environmentCommands.ts'
import { createFeature, featureCommands } from './featureCommands.ts'
import { listCommands } from './listCommands.ts'
import { variableCommands } from './variableCommands.ts'

type AnyCommand = fc.AsyncCommand<Model, Real>

/** Evaluates for one user between other commands. */
class Evaluate implements AnyCommand {
  readonly environment: string
  readonly user: string

  constructor(environment: string, user: string) {
    this.environment = environment
    this.user = user
  }

  check({ environments }: Readonly<Model>): boolean {
    return find(environments, this.environment) !== undefined
  }

  async run(model: Model, real: Real): Promise<void> {
    const environment = find(model.environments, this.environment)
    if (environment) await agreeOnUser(model, real, environment, this.user)
  }

  toString(): string {
    return `evaluate ${this.user} in ${this.environment}`
  }
}

/** Compares everything with the model. */
class Compare implements AnyCommand {
  check(): boolean {
    return true
  }

  run(model: Model, real: Real): Promise<void> {
    return agreeWholly(model, real)
  }

  toString(): string {
    return 'compare'
  }
}

/** Restarts the server on the same store. */
class Restart extends Compare {
  override async run(model: Model, real: Real): Promise<void> {
    await real.world.restart()
    await super.run(model, real)
  }

  override toString(): string {
    return 'restart'
  }
}

/** The restart as a command, for a store that outlives its server. */
export const restart: AnyCommand = new Restart()
const compare: AnyCommand = new Compare()

/** The initial contents of every project. */
export const opening: readonly AnyCommand[] = [
  new Command(createAudience, { key: 'team', name: 'Team', who: { users: ['ada'] } }),
  new Command(createFeature, {
    key: 'alpha',
    name: 'Alpha',
    configurations: {
      development: { status: 'active', targets: [{ who: 'everybody', serves: [['variation-on', 1]] }] },
      production: {
        status: 'active',
        targets: [
          { who: { audience: 'team' }, serves: [['variation-on', 1]] },
          {
            who: { users: ['bob', 'cyd'] },
            serves: [
              ['variation-on', 0.5],
              ['variation-off', 0.5]
            ]
          }
        ]
      }
    }
  }),
  new Command(createFeature, {
    key: 'beta',
    name: 'Beta',
    variables: [
      { key: 'color', type: 'String' },
      { key: 'limit', type: 'Number' }
    ],
    variations: [
      { key: 'variation-on', name: 'On', values: { color: 'red', limit: 7 } },
      { key: 'variation-off', name: 'Off', values: {} }
    ],
    configurations: { production: { targets: [{ who: 'everybody', serves: [['variation-off', 1]] }] } }
  })
]

/** All commands, repeated by their weight. */
export const commands: fc.Arbitrary<AnyCommand>[] = [
  ...featureCommands,
  ...variableCommands,
  ...environmentCommands,
  ...audienceCommands,
  ...listCommands,
  fc.tuple(environmentKey, fc.constantFrom(...users)).map(([key, user]) => new Evaluate(key, user)),
  fc.constant(compare)
]
