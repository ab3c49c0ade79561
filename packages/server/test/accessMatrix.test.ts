import { type Permission, permissionModes } from '@burgee/contract'
import { type Answer, call } from '@burgee/testing/harness'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { createAccess } from '../src/access/permissions/access.ts'
import { type Holder, may, maySomewhere } from './support/expectedAccess.ts'
import { isInProject, managed, requestOf } from './support/managementRequests.ts'
import { askersIn, type Cast, serveCast } from './support/roleMatrix.ts'

/** What an operation that takes this permission answers somebody with: a refusal, or nothing that has to do with who they are. */
function expectedOf(holder: Holder, permission: Permission, inProject: boolean): string {
  if (!maySomewhere(holder, permission)) return refused(permission)
  if (!inProject) return 'let in'
  if (!may(holder, 'project:read', 'shop')) return UNSEEN
  return may(holder, permission, 'shop') ? 'let in' : refused(permission)
}

const UNSEEN = `404 Item with key 'shop' not found: there is no project "shop"`

function refused(permission: Permission): string {
  return `403 this takes the permission ${permission}`
}

/** The same of a real answer. */
function outcomeOf({ status, body }: Answer): string {
  const said = `${status} ${body?.message}`
  const isRefused = [401, 403, 500, 503].includes(status) || said === UNSEEN
  return isRefused ? said : 'let in'
}

describe.each(permissionModes)('where the mode is %s', (mode) => {
  const askers = askersIn(mode)
  let cast: Cast

  beforeAll(async () => {
    cast = await serveCast(mode)
  })

  test.each(managed)('$id is for those who have $permission', async (record) => {
    const { id, permission } = record
    const request = requestOf(record)
    const expected: Record<string, string> = {}
    const answered: Record<string, string> = {}
    for (const { name, ...holder } of askers) {
      // What is made anew is of the organization, whatever it is.
      const wanted =
        id === 'createProject' && !may(holder, permission, 'organization') ? refused(permission) : undefined
      expected[name] = wanted ?? expectedOf(holder, permission, isInProject(record))
      const isSpent = id === 'deleteProject' && expected[name] === 'let in'
      const params = isSpent ? { ...request.params, key: await spare() } : request.params
      const answer = await call(cast.server, id, { ...request, ...(params ? { params } : {}), key: keyOf(name) })
      answered[name] = outcomeOf(answer)
    }
    expect(answered).toEqual(expected)
  })

  it('lists the projects that each can see, and counts no others', async () => {
    for (const { name, ...holder } of askers) {
      const { status, body, headers } = await call(cast.server, 'listProjects', {
        key: keyOf(name),
        query: { sortBy: 'createdAt', perPage: 100 }
      })
      const seen = (['shop', 'other'] as const).filter((place) => may(holder, 'project:read', place))
      expect([name, status]).toEqual([name, maySomewhere(holder, 'project:read') ? 200 : 403])
      if (status !== 200) continue
      expect([name, headers.count]).toEqual([name, String(seen.length)])
      expect(body.map(({ key }: { key: string }) => key).sort()).toEqual([...seen].sort())
    }
  })

  function keyOf(name: string): string {
    return cast.tokens.get(name) ?? ''
  }

  let count = 0

  /** The key of a project that nobody misses. */
  async function spare(): Promise<string> {
    const key = `spare-${++count}`
    const { status } = await call(cast.server, 'createProject', { body: { key, name: key } })
    expect(status).toBe(201)
    return key
  }
})

it('gives nobody the organization by a role in one of its projects', () => {
  const grants = [{ role: 'organization_admin', _project: 'a' }] as const
  const { allows, allowsAnywhere, canSeeProject } = createAccess({ grants, mode: 'full', reachesProjects: true })
  expect([canSeeProject('a'), canSeeProject('b')]).toEqual([true, false])
  expect([allows('project:delete', 'a'), allows('project:delete', 'b'), allows('project:write')]).toEqual([
    true,
    false,
    false
  ])
  expect([allows('organization:write:settings', 'a'), allowsAnywhere('organization:write:settings')]).toEqual([
    false,
    false
  ])
  expect([allows('organization:read:settings'), allows('organization:read:settings', 'b')]).toEqual([true, true])
})

test.each(managed)('$id is asked for something that it would do, were it there', (record) => {
  const { params, query, body } = requestOf(record)
  expect(record.params?.safeParse(params).error?.issues).toBeUndefined()
  expect(record.query?.safeParse(query ?? {}).error?.issues).toBeUndefined()
  expect(record.body?.safeParse(body).error?.issues).toBeUndefined()
})

it('has somebody whom each operation lets in, and somebody whom it refuses', () => {
  const askers = askersIn('full')
  for (const record of managed) {
    const outcomes = askers.map((asker) => expectedOf(asker, record.permission, isInProject(record)))
    const [isOpen, isClosed] = [outcomes.includes('let in'), outcomes.some((outcome) => outcome !== 'let in')]
    expect([record.id, isOpen, isClosed]).toEqual([record.id, true, true])
  }
})
