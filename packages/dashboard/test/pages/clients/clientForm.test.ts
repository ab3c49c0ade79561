import type { ApiClient } from '@burgee/contract/schemas'
import { describe, expect, test } from 'vitest'
import {
  changesOf,
  describeAccess,
  endsTokens,
  kindOf,
  newClient,
  toClientForm,
  toNewClient
} from '../../../src/pages/clients/clientForm.ts'

const program: ApiClient = {
  _id: '65f0c0ffee01234567890001',
  createdAt: '2026-03-01T12:00:00.000Z',
  updatedAt: '2026-03-01T12:00:00.000Z',
  clientId: 'deploy-bot',
  name: 'Deploy bot',
  isPublic: false,
  isAssistant: false,
  isDynamic: false,
  redirectUris: [],
  roles: [{ role: 'member', project: '1' }],
  permissions: ['feature:read', 'feature:write'],
  expiresAt: '2027-03-01T00:00:30.500Z',
  allowedNetworks: ['10.0.0.0/8'],
  _createdBy: 'admin'
}

const form = toClientForm(program)

describe('the changes of a client', () => {
  test('are none while the form shows what is saved, to the last millisecond of its expiry', () => {
    expect(changesOf(program, form)).toBeUndefined()
    expect(changesOf(program, { ...form, name: ' Deploy bot ' })).toBeUndefined()
    expect(changesOf(program, { ...form, permissions: new Set(['feature:write', 'feature:read']) })).toBeUndefined()
  })

  test('remove roles, limits and restrictions with null', () => {
    const restrictions = { expiry: '', networks: '', origins: '' }
    expect(changesOf(program, { ...form, roles: undefined, permissions: undefined, restrictions })).toEqual({
      roles: null,
      permissions: null,
      expiresAt: null,
      allowedNetworks: null
    })
  })

  test('contain the addresses without empty lines', () => {
    const addresses = ' https://a.example.com/x \n\nhttp://127.0.0.1/y\n'
    expect(changesOf(program, { ...form, addresses })).toEqual({
      redirectUris: ['https://a.example.com/x', 'http://127.0.0.1/y']
    })
  })

  test.each([
    [{ name: 'Other' }, false],
    [{ roles: null }, false],
    [{ expiresAt: null }, false],
    [{ allowedNetworks: ['10.0.0.1'] }, false],
    [{ redirectUris: [] }, true],
    [{ permissions: null }, true],
    [{ isAssistant: true, name: 'Other' }, true]
  ] as const)('%j end the tokens: %s', (changes, isEnding) => {
    expect(endsTokens(changes as Parameters<typeof endsTokens>[0])).toBe(isEnding)
  })
})

describe('a new client', () => {
  test('that is a program has roles, and neither addresses nor a choice of secret', () => {
    const body = toNewClient({ ...newClient, name: ' Bot ' }, { kind: 'program', isPublic: true, clientId: '' })
    expect(body).toEqual({ name: 'Bot', roles: [{ role: 'member' }] })
  })

  test('that may do everything is sent without roles', () => {
    const body = toNewClient(
      { ...newClient, name: 'Bot', roles: undefined },
      { kind: 'program', isPublic: false, clientId: 'bot' }
    )
    expect(body).toEqual({ name: 'Bot', clientId: 'bot' })
  })

  test('that people sign in to has no role of its own', () => {
    const typed = {
      ...newClient,
      name: 'Chat',
      addresses: 'https://a.example.com',
      permissions: new Set(['feature:read'] as const)
    }
    expect(toNewClient(typed, { kind: 'assistant', isPublic: true, clientId: '' })).toEqual({
      name: 'Chat',
      roles: [],
      redirectUris: ['https://a.example.com'],
      isPublic: true,
      isAssistant: true,
      permissions: ['feature:read']
    })
  })
})

describe('what a client may do', () => {
  const projects = new Map([['1', 'Shop']])
  const application = { ...program, isPublic: true, redirectUris: ['https://a.example.com'], roles: [] }

  test('is described by its roles, by those of its people, and by its limit', () => {
    expect(describeAccess(program, projects)).toBe('Member in Shop; at most 2 permissions')
    expect(describeAccess(application, projects)).toBe('permissions of the person; at most 2 permissions')
  })

  test('names what an application with a secret may do for itself', () => {
    const { permissions: _, roles: __, ...rest } = { ...application, isPublic: false }
    expect(describeAccess(rest, projects)).toBe('permissions of the person; for itself: all permissions')
  })

  test('is nothing without roles', () => {
    const { permissions: _, ...rest } = program
    expect(describeAccess({ ...rest, roles: [] }, projects)).toBe('none')
  })
})

test.each([
  [[], false, 'program'],
  [['https://a.example.com'], false, 'application'],
  [['https://a.example.com'], true, 'assistant']
] as const)('a client with the addresses %j is of the right kind', (redirectUris, isAssistant, kind) => {
  expect(kindOf({ redirectUris: [...redirectUris], isAssistant })).toBe(kind)
})
