import { call, type TestServer } from '@burgee/testing/harness'
import { sample } from '@burgee/testing/scale'
import { beforeAll, describe, expect, it } from 'vitest'
import { life } from '../lifecycle/life.ts'
import type { Seen, Step } from '../lifecycle/step.ts'
import { DASHBOARD, type Kind, kinds, open } from '../server/clientKinds.ts'
import type { Connection, Listed, Schema } from '../server/connections.ts'
import { ask, expectListed, read } from '../support/answers.ts'
import { choiceTable } from './choiceTable.ts'
import { pageTable } from './pageTable.ts'
import { refused } from './refusedArguments.ts'
import { toolTable } from './toolTable.ts'

describe.each(sample(kinds, 1, 'every tool').map((kind) => [kind.title, kind] as const))('%s', (_title, kind) => {
  let connection: Connection
  let server: TestServer
  let listed: readonly Listed[]
  let seen: Seen

  beforeAll(async () => {
    const opened = await open(kind)
    connection = opened.connection
    server = opened.server
    listed = await connection.list()
    seen = await begin(server)
  })

  it('negotiates the newest revision that both sides support', () => {
    expect(connection.revision()).toBe(kind.isModern ? '2026-07-28' : '2025-11-25')
  })

  it('lists every tool with its parameters and annotations, in a fixed order', async () => {
    expect(listed.map(({ name }) => name)).toEqual(Object.keys(toolTable))
    for (const tool of listed) expect([tool.name, definitionOf(tool)]).toEqual([tool.name, expectedOf(tool.name, kind)])
    expect(await connection.list()).toEqual(listed)
  })

  it('has no project until one is selected', async () => {
    const { data } = await ask(connection, 'get_current_project')
    expect(data).toMatchObject({
      errorType: 'PROJECT_ERROR',
      errorMessage: kind.isStateful
        ? 'no project is selected: select one with select_project, or pass projectKey'
        : 'no project is selected: pass projectKey with each call; select_project without arguments lists the projects'
    })
  })

  it.each(life.map((chapter) => [chapter[0], chapter] as const))('%s', async (_says, [, steps, before]) => {
    await before?.(server, seen)
    for (const step of steps) await take(step)
  })

  it('keeps the selected project for the session', async () => {
    const chosen = await ask(connection, 'select_project', { projectKey: 'books' })
    expect(chosen.data.result.message).toBe(
      kind.isStateful
        ? 'Project "books" is selected for this session.'
        : 'This connection has no session: pass projectKey "books" with each call.'
    )
    const current = await ask(connection, 'get_current_project')
    expect(current.data).toMatchObject(
      kind.isStateful ? { result: { selectedProject: { key: 'books' } } } : { errorType: 'PROJECT_ERROR' }
    )
    const other = await ask(connection, 'get_current_project', { projectKey: 'shop' })
    expect(other.data.result.selectedProject.key).toBe('shop')
    const again = await ask(connection, 'get_current_project', inProject('get_current_project'))
    expect(again.data.result.selectedProject.key).toBe('books')
  })

  it.each(refused)('$tool refuses $given', async ({ tool, given, says }) => {
    const { data } = read(tool, await connection.call(tool, { ...inProject(tool), ...given }))
    expect(data).toMatchObject({ errorType: 'VALIDATION_ERROR', errorMessage: expect.stringContaining(says) })
  })

  it('changes nothing without a confirmation', async () => {
    const given = { key: 'dark-mode', ...inProject('delete_feature') }
    connection.person.says = () => ({ action: 'decline' })
    const { data, isError } = read('delete_feature', await connection.call('delete_feature', given))
    expect([isError, data.result.message]).toEqual([
      false,
      expect.stringMatching(/^Nothing (is|was) (changed|deleted)/)
    ])
    const left = await ask(connection, 'list_features', { search: 'dark', ...inProject('list_features') })
    expect(left.data.result).toHaveLength(1)
  })

  it('rejects unknown tools', async () => {
    await expect(connection.call('list_projects')).rejects.toMatchObject({ code: -32602 })
  })

  /** Returns the project argument for connections without a session. */
  function inProject(tool: string): { projectKey?: string } {
    return !kind.isStateful && toolTable[tool]?.optional.includes('projectKey') ? { projectKey: 'books' } : {}
  }

  /** Returns the dashboard link of a page, if there is a dashboard. */
  function linkTo(page: string | undefined): string | undefined {
    return kind.hasDashboard ? `${DASHBOARD}/o/${seen.organization}/${page}` : undefined
  }

  async function take({ tool, given = {}, as, ...expected }: Step): Promise<void> {
    const own = typeof given === 'function' ? given(seen) : given
    const whole = tool === 'select_project' ? own : { ...inProject(tool), ...own }
    const answer = await ask(connection, tool, whole)
    const { text, data, isError } = answer
    const { result, keys, part, counts, fails, markdown } = expected
    if (fails) {
      expect([tool, own, data]).toMatchObject([tool, own, { errorType: fails[0] }])
      expect(data.errorMessage).toMatch(fails[1])
      return
    }
    expect([tool, own, isError, isError && data]).toEqual([tool, own, false, false])
    expectListed(listed.find(({ name }) => name === tool) ?? expect.fail(`${tool} is not listed`), whole, answer)
    if (!markdown) expect([tool, own, data.dashboardLink]).toEqual([tool, own, linkTo(pageTable[tool]?.(own))])
    if (as) seen[as] = data.result
    if (result !== undefined) expect(data.result).toMatchObject(typeof result === 'function' ? result(seen) : result)
    if (keys) expect([own, data.result.map(({ key }: { key: string }) => key)]).toEqual([own, keys])
    if (part) expect([own, data]).toMatchObject([own, part])
    if (counts) expect([own, sumsOf(data.result.result.evaluations)]).toEqual([own, counts])
    for (const words of markdown ?? []) expect(text).toMatch(words)
  }
})

/** Fills a new server with the data of the calls. */
async function begin(server: TestServer): Promise<Seen> {
  await call(server, 'createProject', { body: { key: 'books', name: 'Books', description: 'Where it takes place.' } })
  const { body } = await call(server, 'listEnvironments', { params: { project: 'books' } })
  // biome-ignore lint/suspicious/noExplicitAny: results have many shapes.
  const by = (read: (environment: any) => unknown) => Object.fromEntries(body.map((one: any) => [one.key, read(one)]))
  const usable = (keys: { key: string; createdAt: string }[]) => keys.map(({ key, createdAt }) => ({ key, createdAt }))
  const { body: organizations } = await call(server, 'listOrganizations')
  return {
    began: Date.now(),
    organization: organizations[0].id,
    environments: by(({ _id }) => _id),
    sdkKeys: by(({ sdkKeys: { mobile, client, server } }) => {
      return { mobile: usable(mobile), client: usable(client), server: usable(server) }
    })
  }
}

/** Sums the evaluations over all periods, without zeros. */
function sumsOf(periods: readonly { value?: number; values?: Record<string, number> }[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { value, values = { value: value ?? 0 } } of periods) {
    for (const [what, count] of Object.entries(values)) if (count > 0) sums[what] = (sums[what] ?? 0) + count
  }
  return sums
}

/** Picks the static parts of a tool definition. */
function definitionOf({ title, description, annotations, inputSchema, outputSchema }: Listed) {
  const { type, additionalProperties, properties, required = [] } = inputSchema
  return {
    title,
    isDescribed: (description ?? '').length > 20,
    annotations,
    type,
    additionalProperties,
    names: Object.keys(Object(properties)).sort(),
    choices: choicesIn(properties),
    required: [...(required as string[])].sort(),
    output: outputSchema && { type: outputSchema.type, names: Object.keys(Object(outputSchema.properties)).sort() }
  }
}

function choicesIn(properties: unknown): Record<string, readonly string[]> {
  const named = Object.entries<Schema>(Object(properties)).filter(([, { enum: values }]) => values !== undefined)
  // The enums of these tools contain strings only.
  return Object.fromEntries(named.map(([name, { enum: values }]) => [name, values as string[]]))
}

function expectedOf(name: string, { hasDashboard }: Kind): ReturnType<typeof definitionOf> {
  const { title, hints, required, optional, isConfirmed } = toolTable[name] ?? expect.fail(`${name} is not expected`)
  const [readOnlyHint, destructiveHint, idempotentHint, openWorldHint] = hints
  return {
    title,
    isDescribed: true,
    annotations: { readOnlyHint, destructiveHint, idempotentHint, openWorldHint },
    type: 'object',
    additionalProperties: false,
    names: [...required, ...optional, ...(isConfirmed ? ['confirmationToken'] : [])].sort(),
    required: [...required].sort(),
    choices: choiceTable[name] ?? {},
    output: pageTable[name] && {
      type: 'object',
      names: [
        ...(hasDashboard ? ['dashboardLink'] : []),
        ...(optional.includes('perPage') ? ['page', 'perPage'] : []),
        'result',
        ...(optional.includes('perPage') ? ['total'] : [])
      ]
    }
  }
}
