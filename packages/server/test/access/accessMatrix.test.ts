import { type Permission, permissionModes, permissions } from '@burgee/contract'
import { type ApiResponse, call, send } from '@burgee/testing/harness'
import { userIdOf } from '@burgee/testing/members'
import { sample } from '@burgee/testing/scale'
import { beforeAll, describe, expect, it, test } from 'vitest'
import { createAccess } from '../../src/access/permissions/access.ts'
import { isAllowed, isAllowedAnywhere, isOwner, type RoleHolder } from '../support/access/expectedAccess.ts'
import { callersIn, type RoleMatrix, SPARE_OWNER, serveRoleMatrix } from '../support/access/roleMatrix.ts'
import {
  isInProject,
  managementOperations,
  ownerOperations,
  ownOperations,
  requestOf
} from '../support/managementRequests.ts'

/** The expected response to a caller of an operation with this permission: an access error, or `allowed`. */
function expectedOf(holder: RoleHolder, permission: Permission, inProject: boolean): string {
  if (!isAllowedAnywhere(holder, permission)) return refused(permission)
  if (!inProject) return 'allowed'
  if (!isAllowed(holder, 'project:read', 'shop')) return UNSEEN
  return isAllowed(holder, permission, 'shop') ? 'allowed' : refused(permission)
}

const UNSEEN = `404 Item with key 'shop' not found: there is no project "shop"`

const OWNERS_ONLY = '403 this operation requires the role organization_owner'

function refused(permission: Permission): string {
  return `403 this operation requires the permission ${permission}`
}

/** A role in any project includes reading the organization. */
function organizationPermissions(holder: RoleHolder): readonly Permission[] {
  return permissions.filter((permission) => {
    return permission.startsWith('organization:read:')
      ? isAllowedAnywhere(holder, permission)
      : isAllowed(holder, permission, 'organization')
  })
}

/** The same for an actual response. */
function outcomeOf({ status, body }: ApiResponse): string {
  const said = `${status} ${body?.message ?? body?.error?.message}`
  const isRefused = [401, 403, 500, 503].includes(status) || said === UNSEEN
  return isRefused ? said : 'allowed'
}

describe.each(permissionModes)('in mode %s', (mode) => {
  const callers = callersIn(mode)
  let matrix: RoleMatrix

  beforeAll(async () => {
    matrix = await serveRoleMatrix(mode)
  })

  test.each(sample(managementOperations, 35, `operations in mode ${mode}`))(
    '$id requires $permission',
    async (record) => {
      const { id, permission } = record
      const request = requestOf(record)
      const expected: Record<string, string> = {}
      const answered: Record<string, string> = {}
      for (const { name, ...holder } of sample(callers, 2, `${mode} ${id}`)) {
        // A created item belongs to the organization.
        const isKept = id === 'createProject' && !isAllowed(holder, permission, 'organization')
        const isForOthers = ownerOperations.includes(id) && isAllowedAnywhere(holder, permission) && !isOwner(holder)
        const wanted = isKept ? refused(permission) : isForOthers ? OWNERS_ONLY : undefined
        expected[name] = wanted ?? expectedOf(holder, permission, isInProject(record))
        const isSpent = id === 'deleteProject' && expected[name] === 'allowed'
        const params = isSpent ? { ...request.params, key: await spare() } : request.params
        const answer = await call(matrix.server, id, { ...request, ...(params ? { params } : {}), key: keyOf(name) })
        const outcome = outcomeOf(answer)
        // Besides its permission, the operation requires all others: scim/access.test.ts.
        const isBeyond = id === 'createScimToken' && outcome.startsWith('403 creating a SCIM token requires')
        answered[name] = isBeyond ? 'allowed' : outcome
      }
      expect(answered).toEqual(expected)
    }
  )

  const owner = { user: userIdOf(SPARE_OWNER) }
  const role = [{ role: 'organization_owner' }]
  const ownerChanges = {
    'changes their account': ['updateUser', { params: owner, body: { name: 'Renamed' } }],
    'signs them out': ['signOutUser', { params: owner }],
    'resets their password': ['resetPassword', { params: owner, body: {} }],
    'resets their second factors': ['resetSecondFactors', { params: owner }],
    'invites another': ['createUser', { body: { email: 'owner@example.com', name: 'New', roles: role } }],
    'gives a client their role': ['createApiClient', { body: { name: 'Bot', roles: role } }]
  } as const

  test.each(Object.entries(ownerChanges))('only an owner %s', async (_, [id, request]) => {
    const expected: Record<string, string> = {}
    const answered: Record<string, string> = {}
    for (const { name, ...holder } of callers) {
      const isManager = isAllowed(holder, 'organization:write:settings', 'organization')
      expected[name] = isManager && isOwner(holder) ? 'allowed' : '403'
      const { status } = await call(matrix.server, id, { ...request, key: keyOf(name) })
      answered[name] = status === 403 ? '403' : 'allowed'
    }
    expect(answered).toEqual(expected)
  })

  test.each(ownOperations)('$id is open to every person and to no client', async (record) => {
    const { id } = record
    const refusals: Record<string, string> = {}
    for (const { name, isClient } of sample(callers, 2, id)) {
      // It would end the token that other tests use.
      if (id === 'signOutEverywhere' && !isClient) continue
      const { status, body } = await call(matrix.server, id, { ...requestOf(record), key: keyOf(name) })
      const isRefused = status === 401 || /^only a person|requires/.test(body?.message)
      if (isRefused !== isClient) refusals[name] = `${status} ${body?.message}`
    }
    expect(refusals).toEqual({})
  })

  it('getSession lists the permissions of every caller, and only the projects that the caller can see', async () => {
    for (const { name, ...holder } of callers) {
      const { status, body } = await call(matrix.server, 'getSession', { key: keyOf(name) })
      const places = (['shop', 'other'] as const).filter((place) => isAllowed(holder, 'project:read', place))
      const granted = (place: 'organization' | 'shop' | 'other') => {
        return permissions.filter((permission) => isAllowed(holder, permission, place))
      }
      const projects = Object.fromEntries(places.map((place) => [place, granted(place)]))
      const expected = { organization: organizationPermissions(holder), projects }
      expect([name, status, body.mode, body.permissions]).toEqual([name, 200, mode, expected])
    }
  })

  it('refuses SCIM to every caller, regardless of the roles', async () => {
    const endpoints = ['GET /Users', 'POST /Users', 'PATCH /Users/x', 'DELETE /Groups/x', 'GET /Schemas', 'GET /x']
    const answers = new Set<string>()
    for (const [index, { name }] of callers.entries()) {
      const [method = '', path] = (endpoints[index % endpoints.length] ?? '').split(' ')
      const headers = { authorization: `Bearer ${keyOf(name)}` }
      const { status, body } = await send(matrix.server, { method, path: `/scim/v2${path}`, headers })
      answers.add(`${status} ${body.schemas} ${body.detail}`)
    }
    expect([...answers]).toEqual([expect.stringMatching(/^401 urn:\S+:Error the SCIM token is not valid/)])
  })

  it('lists and counts only the projects that each caller can see', async () => {
    for (const { name, ...holder } of callers) {
      const { status, body, headers } = await call(matrix.server, 'listProjects', {
        key: keyOf(name),
        query: { sortBy: 'createdAt', perPage: 100 }
      })
      const seen = (['shop', 'other'] as const).filter((place) => isAllowed(holder, 'project:read', place))
      expect([name, status]).toEqual([name, isAllowedAnywhere(holder, 'project:read') ? 200 : 403])
      if (status !== 200) continue
      expect([name, headers.count]).toEqual([name, String(seen.length)])
      expect(body.map(({ key }: { key: string }) => key).sort()).toEqual([...seen].sort())
    }
  })

  function keyOf(name: string): string {
    return matrix.tokens.get(name) ?? ''
  }

  let count = 0

  /** The key of a project that can be deleted. */
  async function spare(): Promise<string> {
    const key = `spare-${++count}`
    const { status } = await call(matrix.server, 'createProject', { body: { key, name: key } })
    expect(status).toBe(201)
    return key
  }
})

it('a project role grants no rights on the organization', () => {
  const grants = [{ role: 'organization_admin', _project: 'a' }] as const
  const { allows, allowsAnywhere, canSeeProject } = createAccess({ grants, mode: 'full', extendsToProjects: true })
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

test.each(managementOperations)('the matrix sends $id a valid request', (record) => {
  const { params, query, body } = requestOf(record)
  expect(record.params?.safeParse(params).error?.issues).toBeUndefined()
  expect(record.query?.safeParse(query ?? {}).error?.issues).toBeUndefined()
  expect(record.body?.safeParse(body).error?.issues).toBeUndefined()
})

it('every operation allows some caller and refuses another', () => {
  const callers = callersIn('full')
  for (const record of managementOperations) {
    const outcomes = callers.map((caller) => expectedOf(caller, record.permission, isInProject(record)))
    const [isOpen, isClosed] = [outcomes.includes('allowed'), outcomes.some((outcome) => outcome !== 'allowed')]
    expect([record.id, isOpen, isClosed]).toEqual([record.id, true, true])
  }
})
