// Long because it is a small model: the permissions, the state that this test tracks, and the conditions of a valid
// change.

import { isDeepStrictEqual } from 'node:util'
import { addClients, tokenFor } from '@burgee/testing/apiClients'
import { changeSettings } from '@burgee/testing/approvals'
import { type ApiResponse, call, serve, storeWith, type TestServer } from '@burgee/testing/harness'
import { attributeFilter, idOf, NOW } from '@burgee/testing/plan'
import { isFull, runs } from '@burgee/testing/scale'
import fc from 'fast-check'
import { expect, test } from 'vitest'

const numRuns = runs({ quick: 3, full: 50 })

const writing = ['project:read', 'feature:read', 'feature:write', 'variation:write'] as const
const publishing = [...writing, 'feature:publish'] as const
const clients = { writer: writing, colleague: writing, publisher: publishing, reviewer: publishing } as const
type Client = keyof typeof clients

const everything = [{ _variation: 'variation-on', percentage: 1 }]

/** The bodies of change requests and direct writes. */
const bodies = [
  { name: 'One' },
  { name: 'Two' },
  { description: 'Three' },
  { configurations: { production: { status: 'inactive' } } },
  { configurations: { production: { status: 'active' } } },
  { configurations: { staging: { status: 'inactive' } } },
  { configurations: { staging: { targets: [targetFor('few')] } } },
  { settings: { optInEnabled: true } },
  { settings: { optInEnabled: false } }
] as const
interface Body {
  readonly name?: string
  readonly description?: string
  readonly settings?: { readonly optInEnabled: boolean }
  readonly configurations?: Readonly<
    Partial<Record<Environment, { readonly status?: string; readonly targets?: object }>>
  >
}

const environments = ['production', 'staging'] as const
type Environment = (typeof environments)[number]

/** A target that serves users of the audience of this key. */
function targetFor(audience: string) {
  const filters = [{ type: 'audienceMatch', comparator: '=', _audiences: [audience] }]
  return { audience: { filters: { operator: 'and', filters } }, distribution: everything }
}

/** A step without a change request. */
interface Deed {
  readonly act: 'create' | 'agree' | 'write' | 'revert' | 'kill'
  readonly by: Client
  readonly body: Body
  /** The caller who is asked for approval, if any. */
  readonly reviewer: Client
}

/** A step on a change request, counted from the newest, so that most steps concern open ones. */
interface Move extends Omit<Deed, 'act'> {
  readonly act:
    | 'edit'
    | 'amend'
    | 'rebase'
    | 'submit'
    | 'approve'
    | 'approveAndApply'
    | 'reject'
    | 'cancel'
    | 'apply'
    | 'lapse'
    | 'schedule'
  readonly which: number
}

/** A step outside of features. */
interface Happening {
  readonly act:
    | 'pass'
    | 'clear'
    | 'workflow'
    | 'noWorkflow'
    | 'bypass'
    | 'noBypass'
    | 'promotion'
    | 'demotion'
    | 'swapEnvironments'
    | 'swapAudiences'
    | 'optIn'
    | 'noOptIn'
}

type Step = Deed | Move | Happening

const by = fc.constantFrom(...(Object.keys(clients) as Client[]))
const body = fc.constantFrom<Body>(...bodies)
const reviewer = fc.constantFrom<Client>('publisher', 'reviewer')
const which = fc.constantFrom(0, 0, 0, 1, 2)
const deed = fc.record<Deed>({ act: oneOf({ create: 2, agree: 4, write: 4, revert: 1, kill: 1 }), by, body, reviewer })
const moves = {
  edit: 2,
  amend: 3,
  rebase: 4,
  submit: 1,
  approve: 2,
  approveAndApply: 1,
  reject: 1,
  cancel: 1,
  apply: 4,
  lapse: 2,
  schedule: 4
}
const move = fc.record<Move>({ act: oneOf(moves), by, body, reviewer, which })
const happenings = {
  pass: 6,
  clear: 1,
  workflow: 3,
  noWorkflow: 2,
  bypass: 1,
  noBypass: 1,
  promotion: 1,
  demotion: 2,
  swapEnvironments: 2,
  swapAudiences: 2,
  optIn: 2,
  noOptIn: 1
}
const happening = fc.record<Happening>({ act: oneOf(happenings) })
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 9, arbitrary: deed },
  { weight: 14, arbitrary: move },
  { weight: 5, arbitrary: happening }
)

/** Sequences of interest that random steps seldom produce. */
const plots: readonly (readonly Step['act'][])[] = [
  ['agree', 'amend', 'lapse'],
  ['agree', 'edit', 'apply'],
  ['agree', 'kill', 'apply'],
  ['agree', 'kill', 'rebase', 'apply'],
  ['agree', 'edit', 'schedule', 'pass'],
  ['agree', 'schedule', 'kill', 'pass'],
  ['agree', 'schedule', 'demotion', 'pass'],
  ['agree', 'schedule', 'pass'],
  ['agree', 'swapEnvironments', 'apply'],
  ['agree', 'swapEnvironments', 'rebase', 'apply'],
  ['agree', 'schedule', 'swapEnvironments', 'pass'],
  ['agree', 'swapAudiences', 'apply'],
  ['noOptIn', 'agree', 'optIn', 'apply'],
  ['optIn', 'agree', 'noOptIn', 'apply']
]
const choices = fc.record({ body, reviewer })
const plot = fc
  .tuple(fc.constantFrom(...plots), by, fc.array(choices, { minLength: 4, maxLength: 4 }))
  .map(([acts, maker, chosen]): Step[] => {
    const steps = acts.map((act, index) => {
      // The creator performs the other steps too. Steps without a caller print their name only.
      const by = act === 'kill' ? 'publisher' : maker
      return (act in happenings ? { act } : { act, by, which: 0, ...chosen[index] }) as Step
    })
    return [{ act: 'promotion' }, { act: 'clear' }, ...steps]
  })

/** One of these words, by weight. */
function oneOf<Word extends string>(weights: Readonly<Record<Word, number>>): fc.Arbitrary<Word> {
  const words = Object.entries<number>(weights) as [Word, number][]
  return fc.oneof(...words.map(([word, weight]) => ({ weight, arbitrary: fc.constant(word) })))
}

/** A change request in the model: its content, the state it is based on, and its approvals. */
interface Known {
  readonly id: string
  readonly maker: Client
  body: Body
  base: number
  /** The resolved names of the body at its creation. */
  world: World
  scheduledBy: Client | undefined
  readonly approvals: { readonly by: Client; readonly body: Body; readonly base: number }[]
}

/** The meaning of names: the id of each key, and whether opt-in is allowed. */
interface World {
  readonly environments: Readonly<Record<string, string>>
  readonly audiences: Readonly<Record<string, string>>
  readonly optIn: boolean
}

const firstWorld: World = {
  environments: { production: idOf('production'), staging: idOf('staging') },
  audiences: { few: idOf('few'), many: idOf('many') },
  optIn: false
}

/** The number of changes of a feature, and their justifications. */
const reasons = { approved: 0, scheduled: 0, bypassed: 0, free: 0, killed: 0, opened: 0 }

let time = NOW

class Run {
  readonly #server: TestServer
  readonly #keys: Readonly<Record<Client, string>>
  readonly #params: { readonly project: string; readonly feature: string }
  readonly #requests: Known[] = []
  /** The number of changes of the feature, which identifies its state. */
  #version = 0
  #content: ApiResponse['body']
  #workflow = true
  #world: World
  #bypass: boolean
  #publishers = new Set<Client>(['publisher', 'reviewer'])

  constructor(
    server: TestServer,
    keys: Readonly<Record<Client, string>>,
    feature: string,
    bypass: boolean,
    world: World
  ) {
    this.#world = world
    this.#server = server
    this.#keys = keys
    this.#params = { project: 'shop', feature }
    this.#bypass = bypass
  }

  /** The current meaning of names. */
  get world(): World {
    return this.#world
  }

  async begin(): Promise<void> {
    const { project, feature } = this.#params
    // A new feature cannot be on where that requires approval.
    this.#workflow = false
    await this.#set()
    await this.#grant(true)
    const everybody = { operator: 'and', filters: [{ type: 'all' }] }
    const target = { audience: { filters: everybody }, distribution: everything }
    const active = { status: 'active', targets: [target] }
    const configurations = { production: active, staging: active }
    const made = { key: feature, name: 'Zero', configurations }
    expect((await call(this.#server, 'createFeature', { params: { project }, body: made })).status).toBe(201)
    this.#workflow = true
    await this.#set()
    this.#content = await this.#read()
  }

  /** Tries a step, and expects the feature to be unchanged or the change to be justified. */
  async try(step: Step): Promise<void> {
    const applied = await this.#take(step)
    const before = this.#content
    const after = await this.#read()
    if (isDeepStrictEqual(after, before)) return
    const reason = this.#reasonFor(step, applied, { before, after })
    if (!reason) throw new Error(`nobody approved of ${JSON.stringify(step)}, which changed ${JSON.stringify(applied)}`)
    // The served values of each environment, by its id rather than its key.
    if (applied) expect(servedBy(after)).toEqual(changed(servedBy(before), applied.body, applied.world))
    reasons[reason] += 1
    this.#content = after
    this.#version += 1
  }

  #reasonFor(step: Step, applied: Known | undefined, change: ContentChange): keyof typeof reasons | undefined {
    if (step.act === 'kill') return 'killed'
    if (step.act === 'optIn') return 'opened'
    if (step.act === 'write' || step.act === 'revert') {
      if (!this.#workflow || isUnserved(change)) return 'free'
      return this.#bypasses(step.by) ? 'bypassed' : undefined
    }
    if (!applied) return undefined
    const { maker, body, base, approvals, scheduledBy } = applied
    const isApproved = approvals.some((approval) => {
      const isOfThis = approval.body === body && approval.base === base && base === this.#version
      const mayApprove = approval.by !== maker ? this.#publishers.has(approval.by) : this.#bypasses(maker)
      return isOfThis && mayApprove
    })
    if (isApproved) return step.act === 'pass' ? 'scheduled' : 'approved'
    const caller = 'by' in step ? step.by : scheduledBy
    const applier = step.act === 'lapse' ? maker : caller
    return applier && this.#bypasses(applier) && base === this.#version ? 'bypassed' : undefined
  }

  #bypasses(client: Client): boolean {
    return this.#bypass && this.#publishers.has(client)
  }

  /** Performs the step; returns the change request that it may have applied. */
  async #take(step: Step): Promise<Known | undefined> {
    if (!('by' in step)) return this.#happen(step)
    if (isMove(step)) {
      const known = this.#requests.at(-1 - step.which)
      return known && this.#move(known, step)
    }
    const at = { params: this.#params, key: this.#keys[step.by] }
    switch (step.act) {
      case 'create':
        return this.#create(step.by, step.body)
      case 'agree': {
        // A change request with the status that most steps need.
        await this.#create(step.by, step.body)
        await this.#take({ ...step, act: 'submit', which: 0 })
        return this.#take({ ...step, act: 'approve', by: step.reviewer, which: 0 })
      }
      case 'write':
        await call(this.#server, 'updateFeature', { ...at, body: step.body })
        return
      case 'kill':
        await call(this.#server, 'killFeature', at)
        return
      case 'revert': {
        const [entry] = (await call(this.#server, 'getFeatureAudit', { params: this.#params })).body
        await call(this.#server, 'revertFeature', { ...at, params: { ...this.#params, entry: entry._id } })
        return
      }
    }
  }

  async #happen({ act }: Happening): Promise<Known | undefined> {
    if (act === 'pass') return this.#pass()
    if (act === 'clear') return this.#clear()
    if (act === 'promotion' || act === 'demotion') return this.#grant(act === 'promotion')
    if (act === 'swapEnvironments') return this.#swap('updateEnvironment', 'environments', 'production', 'staging')
    if (act === 'swapAudiences') return this.#swap('updateAudience', 'audiences', 'few', 'many')
    if (act === 'optIn' || act === 'noOptIn') this.#world = { ...this.#world, optIn: act === 'optIn' }
    else if (act === 'workflow' || act === 'noWorkflow') this.#workflow = act === 'workflow'
    else this.#bypass = act === 'bypass'
    return this.#set()
  }

  async #create(maker: Client, body: Body): Promise<undefined> {
    const { project, feature } = this.#params
    const wanted = { path: `/v2/projects/${project}/features/${feature}`, method: 'PATCH', body }
    const made = { params: this.#params, body: wanted, key: this.#keys[maker] }
    const answer = await call(this.#server, 'createChangeRequest', made)
    if (answer.status !== 201) return
    const { _id: id } = answer.body
    this.#requests.push({
      id,
      maker,
      body,
      base: this.#version,
      world: this.#world,
      scheduledBy: undefined,
      approvals: []
    })
  }

  async #move(known: Known, step: Move): Promise<Known | undefined> {
    const at = { params: { ...this.#params, id: known.id }, key: this.#keys[step.by] }
    const isDone = async (answer: Promise<ApiResponse>) => (await answer).status === 200
    switch (step.act) {
      case 'edit':
        if (await isDone(call(this.#server, 'updateChangeRequest', { ...at, body: { body: step.body } }))) {
          Object.assign(known, { body: step.body, base: this.#version, world: this.#world, scheduledBy: undefined })
        }
        return
      case 'rebase':
        if (await isDone(call(this.#server, 'rebaseChangeRequest', at))) {
          Object.assign(known, { base: this.#version, world: this.#world, scheduledBy: undefined })
        }
        return
      case 'amend':
        // Another content reaches the status of the former one.
        await this.#move(known, { ...step, act: 'edit', by: known.maker })
        await this.#move(known, { ...step, act: 'submit', by: known.maker })
        return this.#move(known, { ...step, act: 'approve', by: step.reviewer })
      case 'submit':
        await call(this.#server, 'submitChangeRequest', { ...at, body: { description: '', reviewers: [] } })
        return
      case 'approve':
      case 'approveAndApply': {
        const query = { apply: step.act === 'approveAndApply' }
        const review = { ...at, query, body: { action: 'approved', comment: '' } }
        if (!(await isDone(call(this.#server, 'reviewChangeRequest', review)))) return
        known.approvals.push({ by: step.by, body: known.body, base: known.base })
        return query.apply ? known : undefined
      }
      case 'reject':
        await call(this.#server, 'reviewChangeRequest', { ...at, body: { action: 'rejected', comment: 'No.' } })
        return
      case 'cancel':
        if (await isDone(call(this.#server, 'cancelChangeRequest', at))) known.scheduledBy = undefined
        return
      case 'apply':
        if (
          await isDone(
            call(this.#server, 'applyChangeRequest', { ...at, body: { action: 'applied', description: '' } })
          )
        ) {
          known.scheduledBy = undefined
        }
        return known
      case 'lapse':
        // One of the possible approvers loses the permission.
        await this.#grant(false)
        return this.#move(known, { ...step, act: 'apply', by: known.maker })
      case 'schedule': {
        const applyAt = new Date(time + 500).toISOString()
        if (await isDone(call(this.#server, 'scheduleChangeRequest', { ...at, body: { applyAt } }))) {
          known.scheduledBy = step.by
        }
        return
      }
    }
  }

  /** Closes a request, so that a new one can be created. */
  async #clear(): Promise<undefined> {
    for (const known of this.#requests) {
      const { status } = await call(this.#server, 'cancelChangeRequest', { params: { ...this.#params, id: known.id } })
      if (status === 200) known.scheduledBy = undefined
    }
  }

  /** Advances the clock by a second, and waits for due requests. At most one is due, because only one is approved. */
  async #pass(): Promise<Known | undefined> {
    const known = this.#requests.find(({ scheduledBy }) => scheduledBy !== undefined)
    time += 1000
    if (!known) return undefined
    const status = await this.#settled(known)
    const due = { ...known }
    known.scheduledBy = undefined
    return status === 'applied' ? due : undefined
  }

  /** The status of a change request after the server has processed its due time. */
  async #settled({ id }: Known): Promise<string | undefined> {
    const failures = () =>
      this.#server.logs.filter((line) => line.includes(id) && line.includes('could not be applied'))
    const before = failures().length
    for (;;) {
      await new Promise((resolve) => setTimeout(resolve, 20))
      const { body } = await call(this.#server, 'getChangeRequest', { params: { ...this.#params, id } })
      // Without the workflow, only the log shows the result.
      if (this.#workflow ? body.applyAt === undefined : failures().length > before) return body.status
    }
  }

  async #set(): Promise<undefined> {
    const featureApprovalWorkflow = { enabled: this.#workflow, allowPublisherBypass: this.#bypass }
    const optIn = { enabled: this.#world.optIn }
    await changeSettings(this.#server, { featureApprovalWorkflow, optIn })
  }

  /** Swaps the keys of two items. */
  async #swap(
    operation: 'updateEnvironment' | 'updateAudience',
    kind: 'environments' | 'audiences',
    one: string,
    other: string
  ): Promise<undefined> {
    for (const [key, name] of [
      [one, 'between'],
      [other, one],
      ['between', other]
    ] as const) {
      const given = { params: { project: 'shop', key }, body: { key: name } }
      expect((await call(this.#server, operation, given)).status).toBe(200)
    }
    const ids = this.#world[kind]
    this.#world = { ...this.#world, [kind]: { [one]: ids[other], [other]: ids[one] } }
  }

  /** Sets whether the reviewer may publish. */
  async #grant(on: boolean): Promise<undefined> {
    const permissions = on ? publishing : writing
    const given = { params: { client: 'reviewer' }, body: { permissions } }
    expect((await call(this.#server, 'updateApiClient', given)).status).toBe(200)
    if (on) this.#publishers.add('reviewer')
    else this.#publishers.delete('reviewer')
  }

  async #read(): Promise<ApiResponse['body']> {
    return contentOf((await call(this.#server, 'getFeature', { params: this.#params })).body)
  }
}

/** The content of a feature before and after a change. */
interface ContentChange {
  readonly before: ApiResponse['body']
  readonly after: ApiResponse['body']
}

/** Whether a change keeps all configurations of a feature that is off everywhere. */
function isUnserved({ before, after }: ContentChange): boolean {
  const isOff = before.configurations.every(({ status }: ApiResponse['body']) => status === 'inactive')
  return isOff && isDeepStrictEqual(before.configurations, after.configurations)
}

/** A feature without the members that are not content. */
function contentOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(contentOf)
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).filter(([name]) => !beside.includes(name))
  return Object.fromEntries(members.map(([name, member]) => [name, contentOf(member)]))
}

const beside = ['updatedAt', 'prodTargetingUpdatedAt', 'changeRequests', 'readonly']

function isMove(step: Deed | Move): step is Move {
  return step.act in moves
}

/** The members of a feature that the bodies change, with ids of its users in each environment. */
interface Serving {
  readonly name: string
  readonly description: string | undefined
  readonly optInEnabled: boolean
  readonly environments: Readonly<Record<string, { readonly status: string; readonly targets: readonly string[] }>>
}

function servedBy({ name, description, settings, configurations }: ApiResponse['body']): Serving {
  const inEach = configurations.map(({ _environment, status, targets }: ApiResponse['body']) => {
    return [_environment, { status, targets: targets.map(whomOf) }]
  })
  return { name, description, optInEnabled: settings.optInEnabled, environments: Object.fromEntries(inEach) }
}

function whomOf({ audience }: ApiResponse['body']): string {
  const [{ type, _audiences }] = audience.filters.filters
  return type === 'audienceMatch' ? _audiences.join() : type
}

/** Applies one of the bodies to a feature, with these names. */
function changed(before: Serving, body: Body, world: World): Serving {
  const { name = before.name, description = before.description, settings, configurations = {} } = body
  const optInEnabled = settings?.optInEnabled ?? before.optInEnabled
  const after = new Map(Object.entries(before.environments))
  for (const [key, { status, targets }] of Object.entries(configurations)) {
    const id = world.environments[key] ?? ''
    const present = after.get(id) ?? { status: '', targets: [] }
    const forFew = [world.audiences.few ?? '']
    after.set(id, { status: status ?? present.status, targets: targets ? forFew : present.targets })
  }
  for (const [id, { status, targets }] of after) {
    const others = targets.filter((whom) => whom !== 'optIn')
    if (optInEnabled && world.optIn && others.length === targets.length) {
      after.set(id, { status, targets: ['optIn', ...targets] })
    }
    if (!optInEnabled && before.optInEnabled) {
      after.set(id, { status: others.length > 0 ? status : 'inactive', targets: others })
    }
  }
  return { name, description, optInEnabled, environments: Object.fromEntries(after) }
}

test(
  'a feature changes only if another authorized person approved exactly that change, or if no approval is required',
  async () => {
    const featureApprovalWorkflow = { enabled: true, allowPublisherBypass: false, defaultReviewers: [] }
    const directory = await storeWith({
      settings: { featureApprovalWorkflow },
      environments: { production: {}, staging: {} },
      audiences: {
        few: { operator: 'and', filters: [attributeFilter('user_id', 'ada')] },
        many: { operator: 'and', filters: [{ type: 'all' }] }
      }
    })
    await addClients(directory, clients)
    const server = await serve(directory)
    server.clock.now = () => time
    const names = Object.keys(clients) as Client[]
    const tokens = await Promise.all(names.map(async (name) => [name, await tokenFor(server, name)]))
    const keys: Record<Client, string> = Object.fromEntries(tokens)
    let count = 0
    let world = firstWorld
    const some = fc.oneof({ weight: 4, arbitrary: step.map((each) => [each]) }, { weight: 1, arbitrary: plot })
    const steps = fc.array(some, { minLength: 15, maxLength: 30, size: 'max' })
    const property = fc.asyncProperty(steps, fc.boolean(), async (steps, bypass) => {
      count += 1
      const run = new Run(server, keys, `run-${count}`, bypass, { ...world, optIn: false })
      await run.begin()
      try {
        for (const each of steps.flat()) await run.try(each)
      } finally {
        // Environments and audiences stay the same in the next run.
        world = run.world
      }
    })
    // Limits the time for shrinking: many times of what the runs take.
    await fc.assert(property, { numRuns, interruptAfterTimeLimit: 60_000 + 6_000 * numRuns })
    // A property that never reaches a case proves nothing about it; a few runs may miss some.
    if (isFull)
      for (const [reason, count] of Object.entries(reasons)) expect([reason, count > 0]).toEqual([reason, true])
  },
  90_000 + 6_000 * numRuns
)
